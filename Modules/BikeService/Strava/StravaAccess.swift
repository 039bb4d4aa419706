import SyncKitFormats
import SyncKit

/// The way to a rider's account: their own app at Strava, and what it asks the rider for.
///
/// Source: [authentication](https://developers.strava.com/docs/authentication/).
public struct StravaAccess: Sendable {
  /// Where Strava is, without a slash at the end.
  public var url: String
  /// The number of the rider's app.
  public var clientID: String

  /// Names an app.
  public init(url: String = "https://www.strava.com", clientID: String) {
    self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
    self.clientID = clientID
  }

  /// What is asked for: private rides count too, and the profile has the bikes.
  public static let scope = "read,profile:read_all,activity:read_all"

  /// The page on which the rider agrees.
  ///
  /// - Parameters:
  ///   - redirect: Where the browser goes then.
  ///   - state: A text that nobody can guess, which comes back with the browser.
  /// - Returns: The address of the page.
  public func authorizationPage(redirect: String, state: String) -> String {
    let query = URLForm.encode([
      ("client_id", clientID), ("redirect_uri", redirect), ("response_type", "code"),
      ("approval_prompt", "auto"), ("scope", Self.scope), ("state", state),
    ])
    return "\(url)/oauth/authorize?\(query)"
  }

  /// Reads the code out of the address to which the browser was sent back.
  ///
  /// - Parameters:
  ///   - address: The whole address, or its path with the query.
  ///   - state: The text that has to come back; nil where nobody could have sent another.
  /// - Returns: The code, and what the rider has allowed, if the address says it.
  /// - Throws: ``SyncKit/SyncError`` `strava.denied` when the rider did not agree or it is a forgery.
  public static func code(
    in address: String, state: String?
  ) throws -> (code: String, scope: String?) {
    let query = address.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    let values = URLForm.decode(query.split(separator: "#").first ?? "")
    if let state, values["state"] != state {
      throw SyncError(
        .stravaDenied, "The answer of the browser is none to our question; its 'state' differs.",
        hint: "Begin again with 'cloudsync bike strava login'.")
    }
    if let error = values["error"] {
      throw SyncError(
        .stravaDenied,
        "Strava did not give access: \(DisplayWidth.sanitized(String(error.prefix(100)))).")
    }
    guard let code = values["code"], !code.isEmpty, code.utf8.count <= 512 else {
      throw SyncError(.stravaDenied, "The answer of the browser has no code.")
    }
    return (code, values["scope"])
  }
}
