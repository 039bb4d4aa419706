import SyncKitText
import SyncWire

/// One request of the protocol, as a value.
struct ServerRequest: Sendable {
  var method: String
  /// Behind ``WireProtocol/prefix``, with its query; everything in it is escaped already.
  var path: String
  var body: [UInt8] = []
  /// What the body is; nil for none.
  var bodyType: String?
  /// What the answer must be; nil when it has no body.
  var answerType: String? = WireProtocol.json
  /// The longest answer that is taken in, in bytes.
  var limit = 32 << 20
  /// Whether sending it twice is as good as once.
  var isRepeatable = true
  /// Whether it bears the token.
  var isSigned = true

  /// Asks for something.
  static func get(_ path: String) -> ServerRequest { ServerRequest(method: "GET", path: path) }

  /// Sends a message.
  static func send(
    _ method: String, _ path: String, _ message: JSON, isRepeatable: Bool = true
  ) -> ServerRequest {
    ServerRequest(
      method: method, path: path, body: message.serialized(), bodyType: WireProtocol.json,
      isRepeatable: isRepeatable)
  }

  /// Sets or removes something, without an answer.
  static func order(_ method: String, _ path: String) -> ServerRequest {
    ServerRequest(method: method, path: path, answerType: nil)
  }

  /// A part of a path, escaped so that it is one part and never means a way up.
  static func escaped(_ part: String) -> String {
    switch part {
    case ".": "%2E"
    case "..": "%2E%2E"
    default: PercentEncoding.encode(part)
    }
  }
}

/// A good answer.
struct ServerAnswer: Sendable {
  var status: Int
  /// How many frames of segments the server says it has put in.
  var frames: Int?
  var body: [UInt8]
}
