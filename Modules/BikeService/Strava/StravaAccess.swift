import SyncKitFormats
import SyncKit

/// Access to a rider's account: the rider's own app at Strava, and the permissions that it asks for.
///
/// Source: [authentication](https://developers.strava.com/docs/authentication/).
public struct StravaAccess: Sendable {
  /// The address of Strava, without a slash at the end.
  public var url: String
  /// The number of the rider's app.
  public var clientID: String

  /// Names an app.
  public init(url: String = "https://www.strava.com", clientID: String) {
    self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
    self.clientID = clientID
  }

  /// The permissions: private rides count too, and the profile has the bikes.
  public static let scope = "read,profile:read_all,activity:read_all"

  /// The page on which the rider agrees.
  ///
  /// - Parameters:
  ///   - redirect: The address to which the browser then goes.
  ///   - state: An unguessable text that comes back with the browser.
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
  ///   - state: The text that has to come back; nil where no one else could have sent the address.
  /// - Returns: The code, and the granted permissions, if the address names them.
  /// - Throws: ``SyncKit/SyncError`` `strava.denied` when the rider did not agree or it is a forgery.
  public static func code(
    in address: String, state: String?
  ) throws -> (code: String, scope: String?) {
    let query = address.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    let values = URLForm.decode(query.split(separator: "#").first ?? "")
    if let state, values["state"] != state {
      throw SyncError(
        .stravaDenied, "The browser's answer belongs to another login: its 'state' differs.",
        hint: "Start again with 'cloudsync bike strava login'.")
    }
    if let error = values["error"] {
      throw SyncError(
        .stravaDenied,
        "Strava did not grant access: \(DisplayWidth.sanitized(String(error.prefix(100)))).")
    }
    guard let code = values["code"], !code.isEmpty, code.utf8.count <= 512 else {
      throw SyncError(.stravaDenied, "The browser's answer has no code.")
    }
    return (code, values["scope"])
  }
}
