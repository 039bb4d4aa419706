import SyncKitFormats
import SyncKit

/// The times in the app's file.
enum DocumentTime {
  /// Seconds from 1970 to 2001, the origin of apps that write dates as numbers.
  private static let epoch = 978_307_200.0

  /// A time without its fraction, which a strict reader of ISO 8601 would refuse.
  static func text(_ milliseconds: Int64) -> String {
    Timestamp.format(milliseconds: milliseconds).prefix(19) + "Z"
  }

  /// Reads a time of either form; nil for anything else.
  static func milliseconds(_ value: Value) -> Int64? {
    switch value {
    case .string(let text): return Timestamp.parse(text)
    case .int, .double:
      guard let number = value.number, number.isFinite else { return nil }
      let milliseconds = ((number + epoch) * 1000).rounded()
      guard abs(milliseconds) < 9e15 else { return nil }
      return Int64(milliseconds)
    default: return nil
    }
  }
}
