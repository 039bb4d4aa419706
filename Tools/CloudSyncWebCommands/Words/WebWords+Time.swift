import CommandFoundation
import PageTemplates
import SyncKitFormats

extension WebWords {
  /// A point in time for a template: how long ago, and in full.
  func moment(_ text: String?, now: Int64) -> [String: Any]? {
    guard let text, let time = Timestamp.parse(text) else { return nil }
    return ["machine": text, "ago": ago(now - time), "full": full(time)]
  }

  /// A point in time in this machine's zone.
  func full(_ time: Int64) -> String {
    let shown = LocalTime.text(time)
    let parts = shown.split(separator: " ")
    guard parts.count == 3, let day = day(String(parts[0])) else { return shown }
    return "\(day), \(parts[1].prefix(5)) \(parts[2])"
  }

  /// A day that is written as `2026-11-28`, for people; nil for another text.
  func day(_ text: String) -> String? {
    let parts = text.split(separator: "-").compactMap { Int($0) }
    guard text.utf8.count == 10, parts.count == 3, 1...12 ~= parts[1], 1...31 ~= parts[2] else {
      return nil
    }
    return day(parts[0], parts[1], parts[2])
  }

  /// How long ago a point in time is.
  func ago(_ text: String?, now: Int64) -> String {
    text.flatMap { Timestamp.parse($0) }.map { ago(now - $0) } ?? ""
  }

  /// A value that is a point in time: midnight in UTC is a day, everything else a time on this machine's clock.
  func instant(_ text: String) -> String {
    guard let time = Timestamp.parse(text) else { return text }
    return time.isMultiple(of: 86_400_000) ? day(String(text.prefix(10))) ?? text : full(time)
  }
}
