import SyncKitFormats
public import SyncKit

extension SyncError.Code {
  /// The web service does not answer, or says that it is out of order.
  public static let stravaUnavailable = Self("strava.unavailable", exit: 69, retryable: true)
  /// The requests of a time are used up.
  public static let stravaLimit = Self("strava.rate-limited", exit: 75, retryable: true)
  /// The web service says something else than it should.
  public static let stravaAnswer = Self("strava.answer", exit: 76)
  /// There is no token, or it does not open what was asked for.
  public static let stravaDenied = Self("strava.denied", exit: 77)
}

extension SyncError {
  /// The requests of a window are used up.
  static func stravaLimit(_ window: StravaRateLimit.Window, now: Int64) -> SyncError {
    let reset = Timestamp.format(milliseconds: StravaRateLimit.reset(of: window, now: now))
    return SyncError(
      .stravaLimit,
      "Strava's requests for this \(window == .day ? "day" : "quarter of an hour") are used up.",
      hint: "They are there again at \(reset); the next 'strava pull' goes on where this one ended."
    )
  }

  /// An answer with another status than was hoped for.
  static func strava(_ response: WebResponse, _ what: String, now: Int64) -> SyncError {
    let fault = StravaFault(response.body).map { ": \($0)" } ?? ""
    switch response.status {
    case 429:
      return stravaLimit(StravaRateLimit(response).spent ?? .quarterHour, now: now)
    case 401, 403:
      return SyncError(
        .stravaDenied, "Strava refuses \(what) (\(response.status))\(fault).",
        hint: "'cloudsync bike strava login' asks for a new token, with all that is needed.")
    case 404:
      return SyncError(.notFound, "Strava has nothing for \(what) (404)\(fault).")
    case 500...599:
      return SyncError(
        .stravaUnavailable, "Strava is out of order for \(what) (\(response.status))\(fault).")
    default:
      return SyncError(
        .stravaAnswer, "Strava answers \(what) with status \(response.status)\(fault).")
    }
  }
}

/// What an error's body says.
struct StravaFault: CustomStringConvertible {
  let description: String

  /// Reads a body; nil when it is no fault.
  init?(_ body: [UInt8]) {
    guard body.count < 1 << 16, let document = try? JSON(parsing: body),
      let message = document["message"]?.string
    else { return nil }
    let details = (document["errors"]?.array ?? []).prefix(5).map { error in
      [error["resource"], error["field"], error["code"]].compactMap { $0?.string }
        .joined(separator: " ")
    }
    let text = details.isEmpty ? message : "\(message): \(details.joined(separator: ", "))"
    description = DisplayWidth.sanitized(DisplayWidth.truncated(text, to: 300))
  }
}
