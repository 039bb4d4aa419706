import SyncKitFormats
public import SyncKit

extension SyncError.Code {
  /// The web service does not answer, or is unavailable.
  public static let stravaUnavailable = Self("strava.unavailable", exit: 69, retryable: true)
  /// The requests of a time window are used up.
  public static let stravaLimit = Self("strava.rate-limited", exit: 75, retryable: true)
  /// The web service gave an unexpected answer.
  public static let stravaAnswer = Self("strava.answer", exit: 76)
  /// There is no token, or it does not grant the access that is needed.
  public static let stravaDenied = Self("strava.denied", exit: 77)
}

extension SyncError {
  /// The requests of a window are used up.
  static func stravaLimit(_ window: StravaRateLimit.Window, now: Int64) -> SyncError {
    let reset = Timestamp.format(milliseconds: StravaRateLimit.reset(of: window, now: now))
    return SyncError(
      .stravaLimit,
      "Strava's requests for this \(window == .day ? "day" : "quarter of an hour") are used up.",
      hint: "The limit resets at \(reset); the next 'strava pull' continues where this one ended."
    )
  }

  /// Strava asks to wait for a while that it names.
  static func stravaLimit(until time: Int64) -> SyncError {
    SyncError(
      .stravaLimit, "Strava accepts no more requests for now.",
      hint: "Strava asks to wait until \(Timestamp.format(milliseconds: time)); the next"
        + " 'strava pull' continues where this one ended.")
  }

  /// The error for an answer with an unexpected status.
  static func strava(_ response: WebResponse, _ what: String, now: Int64) -> SyncError {
    let fault = StravaFault(response.body).map { ": \($0)" } ?? ""
    switch response.status {
    case 429:
      if let wait = StravaRateLimit.wait(response, now: now) { return stravaLimit(until: wait) }
      return stravaLimit(StravaRateLimit(response).spent ?? .quarterHour, now: now)
    case 401, 403:
      return SyncError(
        .stravaDenied, "Strava refuses \(what) (\(response.status))\(fault).",
        hint: "Log in again with 'cloudsync bike strava login' to grant the access that is needed.")
    case 404:
      return SyncError(.notFound, "Strava has nothing for \(what) (404)\(fault).")
    case 500...599:
      return SyncError(
        .stravaUnavailable, "Strava is unavailable for \(what) (\(response.status))\(fault).")
    default:
      return SyncError(
        .stravaAnswer,
        "Strava answered the request for \(what) with status \(response.status)\(fault).")
    }
  }
}

/// The fault in the body of an error.
struct StravaFault: CustomStringConvertible {
  let description: String

  /// Reads a body; nil when it describes no fault.
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
