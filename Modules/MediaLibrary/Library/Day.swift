import SyncKitFormats

/// A day of the calendar, without a time and a zone: `2026-11-21`.
public struct Day: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The day as ten bytes.
  public let description: String

  /// Reads a day that exists; nil for any other text.
  public init?(_ text: String) {
    guard text.utf8.count == 10, Timestamp.parse(text) != nil else { return nil }
    description = text
  }

  /// The day of a time in UTC.
  public init(milliseconds: Int64) {
    description = String(Timestamp.format(milliseconds: milliseconds).prefix(10))
  }

  /// Midnight in UTC, in milliseconds since 1970.
  public var milliseconds: Int64 { Timestamp.parse(description) ?? 0 }

  /// The year.
  public var year: Int { Int(description.prefix(4)) ?? 0 }
  /// The month from 1.
  public var month: Int { Int(description.dropFirst(5).prefix(2)) ?? 1 }
  /// The day of the month from 1.
  public var day: Int { Int(description.suffix(2)) ?? 1 }

  public static func < (left: Day, right: Day) -> Bool {
    left.description.utf8.lexicographicallyPrecedes(right.description.utf8)
  }
}
