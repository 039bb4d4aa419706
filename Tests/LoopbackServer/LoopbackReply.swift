/// The reaction to a request.
public struct LoopbackReply: Sendable {
  /// The bytes to send; empty closes the connection without an answer.
  public var bytes: [UInt8]
  /// Whether the connection stays open, silent, until the server ends.
  public var holds: Bool
  /// Whether the same connection carries the next request; no other one is answered until it comes.
  public var keeps = false
  /// The port of this machine to which the connection becomes a tunnel.
  var tunnel: UInt16?

  /// Sends bytes as they are.
  public init(bytes: [UInt8], holds: Bool = false) {
    self.bytes = bytes
    self.holds = holds
  }

  /// An answer with a correct length; an empty field is left out.
  public static func http(
    _ status: Int, _ headers: [String: String] = [:], _ body: [UInt8] = []
  ) -> LoopbackReply {
    var all = ["Content-Length": "\(body.count)", "Connection": "close"]
    all.merge(headers) { $1 }
    var head = "HTTP/1.1 \(status) X\r\n"
    for (name, value) in all.sorted(by: { $0.key < $1.key }) where !value.isEmpty {
      head += "\(name): \(value)\r\n"
    }
    return LoopbackReply(bytes: Array((head + "\r\n").utf8) + body)
  }

  /// Closes the connection without an answer.
  public static var hangUp: LoopbackReply { LoopbackReply(bytes: []) }

  /// Stays silent for as long as the client waits.
  public static var silence: LoopbackReply { LoopbackReply(bytes: [], holds: true) }

  /// Acts as a proxy does on `CONNECT`: relays everything between the client and a port of this machine.
  public static func tunnel(to port: UInt16) -> LoopbackReply {
    var reply = LoopbackReply.hangUp
    reply.tunnel = port
    return reply
  }

  /// Forwards the request to another server of this machine and returns its answer; 502 without one.
  public static func forward(_ request: LoopbackRequest, to port: UInt16) -> LoopbackReply {
    guard let answer = LoopbackTunnel.ask(request, at: port), !answer.isEmpty else {
      return .http(502)
    }
    return LoopbackReply(bytes: answer)
  }
}
