import SyncKitFormats
import SyncKit

/// The dates of a table: their order follows from the column as a whole, unless it is given.
struct TableDates {
  enum Reading: Equatable {
    case date(HealthDate)
    /// A date of which day and month can be exchanged.
    case doubtful
    case unreadable
    /// The other column holds something that is no zone.
    case unknownZone
  }

  private let column: DateColumn
  private let zone: LocalZone
  private let zoneNamed: @Sendable (String) -> LocalZone?
  /// Whether times without a zone are in UTC, as some programs write them.
  private let isUniversal: Bool

  init(
    _ texts: [String], order: DateColumn.Order?, zone: LocalZone, isUniversal: Bool,
    zoneNamed: @escaping @Sendable (String) -> LocalZone? = { _ in nil }
  ) {
    column = order.map { DateColumn(order: $0) } ?? DateColumn(texts)
    self.zone = isUniversal ? .utc : zone
    self.zoneNamed = zoneNamed
    self.isUniversal = isUniversal
  }

  /// Reads a date, in the zone that another column names, such as `UTC+0200` or `Europe/Berlin`.
  func read(_ text: String, zone name: String = "") -> Reading {
    let own = zone(of: name)
    let isUnknown = own == nil && !name.trimmed.isEmpty
    if let date = digits(text, own) {
      return isUnknown && date.hasTime ? .unknownZone : .date(date)
    }
    if let date = HealthDate(text, zone: zone) {
      guard date.hasTime, Self.hasNoZone(text), !name.trimmed.isEmpty else { return .date(date) }
      guard let own else { return .unknownZone }
      let wall = date.start + (isUniversal ? own.milliseconds(atWall: date.start) : wallShift(date))
      return Self.date(wall: wall, own).map { .date($0) } ?? .unreadable
    }
    switch column.read(text) {
    case .doubtful: return .doubtful
    case .unreadable: return .unreadable
    case .time(let time):
      let day = time.date.text
      guard let clock = time.time else {
        return HealthDate(day).map { .date($0) } ?? .unreadable
      }
      let wall = time.date.daysSince1970 * 86_400_000 + clock
      if time.offset == nil, isUnknown { return .unknownZone }
      let stated = time.offset.map { minutes in LocalZone { _ in minutes * 60 } }
      return Self.date(wall: wall, stated ?? own ?? zone).map { .date($0) } ?? .unreadable
    }
  }

  private func zone(of name: String) -> LocalZone? {
    if let minutes = Self.minutes(name) { return LocalZone { _ in minutes * 60 } }
    let name = name.trimmed
    return name.isEmpty ? nil : zoneNamed(name)
  }

  /// The milliseconds from a time, read in our zone, to what the clock on the wall showed.
  private func wallShift(_ date: HealthDate) -> Int64 {
    let wall = Timestamp.parse(String(date.text.prefix(19)) + "Z")
    return (wall ?? date.start) - date.start
  }

  private static func date(wall: Int64, _ zone: LocalZone) -> HealthDate? {
    HealthDate(text(wall) + zone.suffix(atWall: wall))
  }

  private static func text(_ wall: Int64) -> String {
    String(Timestamp.format(milliseconds: wall).dropLast())
  }

  private static func hasNoZone(_ text: String) -> Bool {
    let clock = text.trimmed.dropFirst(10)
    return !clock.isEmpty && !clock.contains { $0 == "Z" || $0 == "z" || $0 == "+" || $0 == "-" }
  }

  /// `UTC+0200`, `+02:00`, `GMT-5`; nil for anything else, such as the name of a place.
  static func minutes(_ text: String) -> Int64? {
    var rest = text.trimmed.uppercased()[...]
    for name in ["UTC", "GMT"] where rest.hasPrefix(name) { rest = rest.dropFirst(3) }
    if rest.isEmpty { return text.trimmed.isEmpty ? nil : 0 }
    guard let sign = rest.first, sign == "+" || sign == "-" || sign == "−" else { return nil }
    let parts = rest.dropFirst().split(separator: ":").map(String.init)
    let digits = parts.joined()
    guard digits.allSatisfy(\.isNumber), (1...4).contains(digits.count), let number = Int64(digits)
    else { return nil }
    let minutes = digits.count <= 2 ? number * 60 : number / 100 * 60 + number % 100
    return minutes < 24 * 60 ? (sign == "+" ? minutes : -minutes) : nil
  }

  /// `20260201`, `20260201080300`, or seconds or milliseconds since 1970.
  private func digits(_ text: String, _ own: LocalZone?) -> HealthDate? {
    let text = text.trimmed
    let zone = own ?? zone
    guard text.utf8.allSatisfy(\.isDigit), let number = Int64(text) else { return nil }
    func part(_ from: Int, _ count: Int) -> String { String(text.dropFirst(from).prefix(count)) }
    let day = "\(part(0, 4))-\(part(4, 2))-\(part(6, 2))"
    switch text.utf8.count {
    case 8: return HealthDate(day)
    case 12: return HealthDate("\(day)T\(part(8, 2)):\(part(10, 2))", zone: zone)
    case 14: return HealthDate("\(day)T\(part(8, 2)):\(part(10, 2)):\(part(12, 2))", zone: zone)
    case 10: return HealthDate(milliseconds: number * 1000)
    case 13: return HealthDate(milliseconds: number)
    default: return nil
    }
  }
}
