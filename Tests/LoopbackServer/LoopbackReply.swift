/// What is done about a request.
public struct LoopbackReply: Sendable {
  /// The bytes that are sent; none hang up without a word.
  public var bytes: [UInt8]
  /// Whether the connection stays open, silent, until the server ends.
  public var holds: Bool
  /// Whether the next request is read from the same connection; until it comes no other one is answered.
  public var keeps = false
  /// The port of this machine to which the connection is a tunnel from now on.
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

  /// Hangs up without a word.
  public static var hangUp: LoopbackReply { LoopbackReply(bytes: []) }

  /// Says nothing for as long as the client waits.
  public static var silence: LoopbackReply { LoopbackReply(bytes: [], holds: true) }

  /// Does what `CONNECT` asks a proxy for: all that follows goes to a port of this machine, and back.
  public static func tunnel(to port: UInt16) -> LoopbackReply {
    var reply = LoopbackReply.hangUp
    reply.tunnel = port
    return reply
  }

  /// Hands the request on to another server of this machine and its answer back; 502 when there is none.
  public static func forward(_ request: LoopbackRequest, to port: UInt16) -> LoopbackReply {
    guard let answer = LoopbackTunnel.ask(request, at: port), !answer.isEmpty else {
      return .http(502)
    }
    return LoopbackReply(bytes: answer)
  }
}
