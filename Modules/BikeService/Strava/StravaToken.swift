import SyncKitFormats
import SyncKit

/// The token of a rider's account at Strava, as it is stored between two runs.
///
/// It is kept in a file of this device and never in a store, neither the synced one nor the local one.
public struct StravaToken: Sendable, Equatable {
  /// The access token, sent with each request.
  public var access: String
  /// The refresh token, valid once.
  public var refresh: String
  /// The end of the access token, in milliseconds since 1970.
  public var expires: Int64
  /// The granted permissions.
  public var scope: String?

  /// Makes a token.
  public init(access: String, refresh: String, expires: Int64, scope: String? = nil) {
    self.access = access
    self.refresh = refresh
    self.expires = expires
    self.scope = scope
  }

  /// Whether it has to be renewed before it is used: it ends within ten minutes.
  public func isStale(now: Int64) -> Bool { expires &- now < Self.margin }

  /// A request may take a while, and clocks differ.
  static let margin: Int64 = 600_000

  /// The bytes of its file.
  public var serialized: [UInt8] {
    var document: JSONObject = [
      "accessToken": .string(access), "refreshToken": .string(refresh),
      "expiresAt": .int(expires / 1000),
    ]
    if let scope { document["scope"] = .string(scope) }
    return JSON.object(document).serialized(pretty: true) + [0x0A]
  }

  /// Reads the bytes of such a file; nil for any other bytes.
  public init?(parsing bytes: [UInt8]) {
    guard let document = try? JSON(parsing: bytes),
      let access = document["accessToken"]?.string, let refresh = document["refreshToken"]?.string,
      let seconds = document["expiresAt"]?.int, 0...Timestamp.latest / 1000 ~= seconds
    else { return nil }
    self.init(
      access: access, refresh: refresh, expires: seconds * 1000, scope: document["scope"]?.string)
  }
}

extension StravaToken: CustomStringConvertible, CustomReflectable {
  /// A text without the token, so that no message reveals it.
  public var description: String { "Strava token" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
