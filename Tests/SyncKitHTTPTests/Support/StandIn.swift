import SyncKitFormats
import LoopbackServer
import SyncWire

/// A server of a test, which answers as a script says.
typealias StandIn = LoopbackServer

extension LoopbackRequest {
  /// The path with its query.
  var path: String { target }
  /// The body as JSON.
  var json: JSON? { try? JSON(parsing: body) }
}

extension LoopbackServer {
  typealias Request = LoopbackRequest
  typealias Reply = LoopbackReply
}

extension LoopbackReply {
  /// An answer of a server of ours, unless that is just what it is not.
  static func answer(
    _ status: Int, _ headers: [String: String] = [:], _ body: [UInt8] = [], ours: Bool = true
  ) -> LoopbackReply {
    var all = headers
    if ours, all[WireProtocol.header] == nil {
      all[WireProtocol.header] = "\(WireProtocol.version)"
    }
    return .http(status, all, body)
  }

  static func json(_ json: JSON, status: Int = 200) -> LoopbackReply {
    answer(status, ["Content-Type": WireProtocol.json], json.serialized(), ours: true)
  }

  static func refusal(_ code: WireError.Code, retryAfter: Int? = nil) -> LoopbackReply {
    json(WireError(code, "no: \(code.rawValue)", retryAfter: retryAfter).json, status: code.status)
  }

  static func text(
    _ status: Int, _ type: String, _ text: String, ours: Bool = true
  ) -> LoopbackReply {
    answer(status, ["Content-Type": type], Array(text.utf8), ours: ours)
  }
}
