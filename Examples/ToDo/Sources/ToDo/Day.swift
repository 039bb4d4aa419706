import Foundation
import SyncKitApp

/// A day of the calendar, the same day in every time zone.
///
/// A type of the app becomes a field by saying how it is written: here as a text such as `2026-12-01`.
struct Day: FieldValue, Comparable, CustomStringConvertible {
  let description: String

  private init(unchecked text: String) { description = text }

  /// Reads a day; nil for what no calendar has.
  init?(_ text: String) {
    let style = Date.ISO8601FormatStyle().year().month().day()
    guard let date = try? style.parse(text), style.format(date) == text else { return nil }
    description = text
  }

  /// The day that it is here.
  static var today: Day {
    Day(unchecked: Date.ISO8601FormatStyle(timeZone: .current).year().month().day().format(.now))
  }

  static var fieldType: Field.ValueType { .string }
  var fieldValue: Value { .string(description) }
  init?(fieldValue: Value) {
    guard let day = fieldValue.string.flatMap(Day.init) else { return nil }
    self = day
  }

  static func < (left: Day, right: Day) -> Bool { left.description < right.description }
}
