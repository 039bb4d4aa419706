public import SyncKitText

/// The fixed points of the protocol between a device and a server; the whole of it is in
/// Documentation/Formats/Wire.md.
public enum WireProtocol {
  /// The version of the protocol; it is part of every path and in a header of every answer.
  public static let version = 1
  /// Bears the version in every answer, so that whatever else answers on the port is told apart.
  public static let header = "Cloudsync-Protocol"
  /// What control messages are written in.
  public static let json = "application/json"
  /// What segments travel in; see ``SegmentFrames``.
  public static let segments = "application/vnd.cloudsync.segments"
  /// What news travel in.
  public static let events = "text/event-stream"
  /// Begins all paths but those of `/healthz`, `/readyz`, `/openapi.json` and the pages for browsers.
  public static let prefix = "/v1"

  /// No request has a longer JSON body: 1 MiB.
  public static let maximumControlBytes = 1 << 20
  /// No request has a longer body of segments: 72 MiB, one segment of the greatest size.
  public static let maximumSegmentBytes = 72 << 20
  /// How many bytes of segments a client puts into one request, unless a single one is larger: 8 MiB.
  public static let batchBytes = 8 << 20
  /// How many segments one request stores or fetches at most.
  public static let batchCount = 1_000
  /// How many segments a server looks into for one request that wants unreadable ones removed: each may
  /// unpack to 64 MiB.
  public static let clearedCount = 16
  /// How many entries one page of a feed holds at most.
  public static let pageCount = 5_000
  /// No JSON of a request is nested deeper.
  public static let maximumDepth = 32
}

/// A message that travels as JSON.
public protocol WireMessage: Sendable {
  /// Reads a message; unknown keys are passed over.
  ///
  /// - Throws: ``WireFault`` that names the key.
  init(json: JSON) throws(WireFault)
  /// The message as JSON.
  var json: JSON { get }
}

/// A message that is not what it should be.
public struct WireFault: Error, Equatable, Sendable {
  /// One sentence that names the key.
  public var message: String

  /// Describes a fault.
  public init(_ message: String) { self.message = message }
}
