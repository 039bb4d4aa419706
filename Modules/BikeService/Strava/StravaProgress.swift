import SyncKitFormats

/// How far a device has looked through a rider's activities, as it is stored between two pulls.
///
/// It is kept in a file of the device. Without it nothing is lost: the next pull looks further back.
public struct StravaProgress: Sendable, Equatable {
  /// A pass through all activities that was cut.
  public struct Pass: Sendable, Equatable {
    /// Where it goes on, in seconds since 1970.
    var reached: Int64
    /// The rides that it has met.
    var seen: [String]
  }

  /// The pass that goes on; nil when none was cut.
  public internal(set) var pass: Pass?
  /// When all activities were last looked through, in milliseconds since 1970; nil for never.
  public internal(set) var lastFull: Int64?
  /// Where the look back at older rides goes on, in seconds since 1970.
  var lookBack: Int64 = 0

  /// Knows nothing.
  public init() {}

  /// The bytes of its file.
  public var serialized: [UInt8] {
    var document: JSONObject = ["lookBack": .int(lookBack)]
    if let lastFull { document["lastFull"] = .string(Timestamp.format(milliseconds: lastFull)) }
    if let pass {
      document["pass"] = [
        "reached": .int(pass.reached), "seen": .array(pass.seen.map { .string($0) }),
      ]
    }
    return JSON.object(document).serialized(pretty: true) + [0x0A]
  }

  /// Reads the bytes of such a file; what it does not say is unknown.
  public init(parsing bytes: [UInt8]) {
    guard let document = try? JSON(parsing: bytes) else { return }
    lookBack = max(0, document["lookBack"]?.int ?? 0)
    lastFull = document["lastFull"]?.string.flatMap(Timestamp.parse)
    if let reached = document["pass"]?["reached"]?.int, reached >= 0 {
      let seen = document["pass"]?["seen"]?.array?.compactMap(\.string) ?? []
      pass = Pass(reached: reached, seen: seen)
    }
  }
}
