import SyncKitFormats

/// A date in the precision in which it is known: a year, a month, a day, or a time.
///
/// | Text | Means |
/// |---|---|
/// | `2024`, `2024-01`, `2024-01-15` | the year, the month, the day, in no time zone |
/// | `2024-01-15T10:30:00+01:00` | the time; the zone stays, since the day is the local one |
///
/// A day never becomes a midnight in some zone, so no birthday moves with the reader.
public struct HealthDate: Hashable, Sendable {
  /// The text in its normal form: one for each date and precision.
  public let text: String
  /// Its start in milliseconds since 1970; a day begins at midnight in UTC.
  public let start: Int64

  /// Reads a date as people and files write it; nil for anything else and for days that do not exist.
  ///
  /// A time needs no seconds and no zone; without one it is of `zone`. The offset may lack its colon.
  public init?(_ text: String, zone: LocalZone = .utc) {
    let text = text.trimmed
    let bytes = Array(text.utf8)
    guard bytes.count <= 40, bytes.prefix(4).allSatisfy(\.isDigit), bytes.count >= 4,
      bytes.prefix(4).contains(where: { $0 != UInt8(ascii: "0") })
    else { return nil }
    switch bytes.count {
    case 4: self.init(text, startingAs: "\(text)-01-01")
    case 7: self.init(text, startingAs: "\(text)-01")
    case 10: self.init(text, startingAs: text)
    default: self.init(moment: bytes, zone)
    }
  }

  /// A time in UTC; a midnight is the day alone, since most programs write a day like that.
  public init(milliseconds: Int64) {
    let clamped = min(max(milliseconds, Self.earliest), Timestamp.latest)
    let whole = Timestamp.format(milliseconds: clamped)
    start = clamped
    text =
      clamped % 86_400_000 == 0
      ? String(whole.prefix(10)) : Self.withoutZeros(whole.dropLast()) + "Z"
  }

  /// 0001-01-01, since no calendar agrees on a year 0.
  private static let earliest: Int64 = -62_135_596_800_000

  private init?(_ text: String, startingAs day: String) {
    guard let start = Timestamp.parse(day) else { return nil }
    self.text = text
    self.start = start
  }

  private init?(moment bytes: [UInt8], _ local: LocalZone) {
    guard bytes.count >= 16 else { return nil }
    let day = String(decoding: bytes.prefix(10), as: UTF8.self)
    var rest = bytes.dropFirst(11)
    guard [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains(bytes[10]) else {
      return nil
    }
    let clock = rest.prefix { $0.isDigit || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
    rest = rest.dropFirst(clock.count).drop { $0 == 0x20 }
    var time = String(decoding: clock, as: UTF8.self)
    if clock.count == 5 { time += ":00" }
    var zone = String(decoding: rest, as: UTF8.self).uppercased()
    if zone.isEmpty, let wall = Timestamp.parse("\(day)T\(time)Z") {
      zone = local.suffix(atWall: wall)
    }
    let zoneBytes = Array(zone.utf8)
    if zoneBytes.count == 5, zoneBytes.dropFirst().allSatisfy(\.isDigit) {
      zone = "\(zone.prefix(3)):\(zone.suffix(2))"
    }
    if ["+00:00", "-00:00"].contains(zone) { zone = "Z" }
    guard let start = Timestamp.parse("\(day)T\(time)\(zone)"),
      let local = Timestamp.parse("\(day)T\(time)Z")
    else { return nil }
    self.start = start
    let shown = Timestamp.format(milliseconds: local)
    text = Self.withoutZeros(shown.dropLast()) + zone
  }

  private static func withoutZeros(_ text: Substring) -> String {
    text.hasSuffix(".000") ? String(text.dropLast(4)) : String(text)
  }

  /// How long it lasts in its precision, in milliseconds: a day, a month, a year, or no time at all.
  var length: Int64 {
    switch text.utf8.count {
    case 4: 366 * 86_400_000
    case 7: 31 * 86_400_000
    case 10: 86_400_000
    default: 0
    }
  }

  /// The local year.
  public var year: Int64? { Int64(text.prefix(4)) }

  /// The day as `2024-01-15`; nil when only the month or year is known.
  public var day: String? { text.utf8.count >= 10 ? String(text.prefix(10)) : nil }

  /// Whether the time of day is known.
  public var hasTime: Bool { text.utf8.count > 10 }
}

extension HealthDate: Comparable {
  public static func < (left: HealthDate, right: HealthDate) -> Bool {
    left.start != right.start
      ? left.start < right.start : left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }
}

extension UInt8 {
  var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
