import SyncKitFormats

/// The requests that Strava still allows, by the headers of its last answer.
///
/// There are two windows, of a quarter of an hour and of a day, and two pairs of headers, for all
/// requests and for those that read. Limits differ from app to app and are never assumed.
///
/// Source: [rate limits](https://developers.strava.com/docs/rate-limits/).
public struct StravaRateLimit: Sendable, Equatable {
  /// A window that is used up.
  public enum Window: String, Sendable {
    /// A quarter of an hour, from the full hour on.
    case quarterHour = "15 minutes"
    /// A day, from midnight UTC on.
    case day
  }

  private var used: [Window: Bool] = [:]

  /// Makes one without a limit.
  public init() {}

  /// Reads the headers of an answer.
  public init(_ response: WebResponse) {
    for kind in ["X-RateLimit", "X-ReadRateLimit"] {
      guard let limits = Self.pair(response["\(kind)-Limit"]),
        let usage = Self.pair(response["\(kind)-Usage"])
      else { continue }
      if usage.0 >= limits.0 { used[.quarterHour] = true }
      if usage.1 >= limits.1 { used[.day] = true }
    }
  }

  /// The window that is used up, the longer one first; nil while there is room.
  public var spent: Window? {
    used[.day] == true ? .day : used[.quarterHour] == true ? .quarterHour : nil
  }

  /// The reset of a window: the next full quarter of an hour, or midnight, in UTC.
  public static func reset(of window: Window, now: Int64) -> Int64 {
    let length: Int64 = window == .day ? 86_400_000 : 900_000
    return (now / length + 1) * length
  }

  /// The end of the wait that an answer asks for with `Retry-After`, in seconds or as a date; nil for none.
  static func wait(_ response: WebResponse, now: Int64) -> Int64? {
    guard let text = response["Retry-After"]?.trimmed else { return nil }
    if let seconds = Int64(text) {
      return 0...86_400 ~= seconds ? now + seconds * 1000 : nil
    }
    guard let time = DateColumn([]).read(text).time, time.offset != nil else { return nil }
    return max(now, time.milliseconds())
  }

  private static func pair(_ text: String?) -> (Int64, Int64)? {
    guard let parts = text?.split(separator: ","), parts.count == 2,
      let first = Int64(String(parts[0]).trimmed), let second = Int64(String(parts[1]).trimmed)
    else { return nil }
    return (first, second)
  }
}
