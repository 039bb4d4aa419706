import SyncKitFormats
import SyncKit

/// The dates of a table: their order follows from the column as a whole, unless it is given.
struct TableDates {
  enum Reading: Equatable {
    case date(HealthDate)
    /// A date of which day and month can be exchanged.
    case doubtful
    case unreadable
  }

  private let column: DateColumn
  private let zone: LocalZone
  /// Whether times without a zone are in UTC, as some programs write them.
  private let isUniversal: Bool

  init(_ texts: [String], order: DateColumn.Order?, zone: LocalZone, isUniversal: Bool) {
    column = order.map { DateColumn(order: $0) } ?? DateColumn(texts)
    self.zone = isUniversal ? .utc : zone
    self.isUniversal = isUniversal
  }

  /// Reads a date, with the offset that another column names.
  func read(_ text: String, offset: String = "") -> Reading {
    let minutes = Self.minutes(offset)
    if let date = digits(text) { return .date(date) }
    if let date = HealthDate(text, zone: zone) {
      // A time without a zone that the other column has.
      guard date.hasTime, let minutes, Self.hasNoZone(text) else { return .date(date) }
      return Self.date(
        wall: date.start + (isUniversal ? minutes * 60_000 : wallShift(date)), minutes
      )
      .map { .date($0) } ?? .unreadable
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
      guard let shift = time.offset ?? minutes else {
        return HealthDate(Self.text(wall) + zone.suffix(atWall: wall)).map { .date($0) }
          ?? .unreadable
      }
      return Self.date(wall: wall, shift).map { .date($0) } ?? .unreadable
    }
  }

  /// The milliseconds from a time, read in our zone, to what the clock on the wall showed.
  private func wallShift(_ date: HealthDate) -> Int64 {
    let wall = Timestamp.parse(String(date.text.prefix(19)) + "Z")
    return (wall ?? date.start) - date.start
  }

  private static func date(wall: Int64, _ minutes: Int64) -> HealthDate? {
    HealthDate(text(wall) + LocalZone { _ in minutes * 60 }.suffix(atWall: wall))
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
  private func digits(_ text: String) -> HealthDate? {
    let text = text.trimmed
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
