import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL

/// A connection of HTTP/1.1 with the guards in their places:
/// socket, ``SocketWatch``, TLS if any, the parser, ``RequestGuard``, and what answers.
///
/// There is no HTTP/2: its streams are cut when the server stops, and one connection could bear more
/// requests than the limits count.
struct GuardedChannel: HTTPChannelHandler {
  typealias Value = HTTP1Channel.Value

  private let base: HTTP1Channel
  private let door: ChannelEnvironment

  /// What all connections of a server have in common.
  struct ChannelEnvironment: Sendable {
    var limits: ConnectionLimits
    var rules: RequestHeadRules
    var proxy: ServerSettings.TrustedProxy
    var census: ConnectionCensus
    var metrics: ServerMetrics
    /// What encrypts; nil for plain HTTP.
    var certificate: ServerCertificate?
  }

  init(_ door: ChannelEnvironment, responder: @escaping HTTPChannelHandler.Responder) {
    self.door = door
    base = HTTP1Channel(
      responder: responder,
      configuration: HTTP1Channel.Configuration(
        httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
          maxHeaderFieldSize: door.limits.headBytes, maxHeaderListSize: door.limits.headBytes,
          maxHeaderFieldCount: door.limits.headFields)))
  }

  var responder: HTTPChannelHandler.Responder { base.responder }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    channel.eventLoop.makeCompletedFuture {
      guard let certificate = door.certificate else { return }
      try channel.pipeline.syncOperations.addHandler(
        NIOSSLServerHandler(context: certificate.context))
    }.flatMap {
      base.setup(channel: channel, logger: logger)
    }.flatMapThrowing { value in
      let guardian = RequestGuard(
        rules: door.rules, limits: door.limits, metrics: door.metrics)
      let pipeline = channel.pipeline.syncOperations
      try pipeline.addHandler(SocketWatch(guardian, metrics: door.metrics), position: .first)
      let parser = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      try pipeline.addHandler(guardian, position: .after(parser))
      let network = door.network(of: channel.remoteAddress)
      if door.census.admit(network) {
        channel.closeFuture.whenComplete { _ in door.census.leave(network) }
      } else {
        // Not yet: closing what has not begun would count as a failure of the listener.
        channel.eventLoop.execute { channel.close(promise: nil) }
      }
      return value
    }
  }

  func handle(value: Value, logger: Logger) async {
    await base.handle(value: value, logger: logger)
  }
}

extension GuardedChannel.ChannelEnvironment {
  /// Whom a connection counts for; nil for this machine and for proxies, which bring many people.
  func network(of address: SocketAddress?) -> String? {
    guard let address = address?.ipAddress, !ServerAddress.isLoopback(address) else { return nil }
    switch proxy {
    case .none: break
    case .everybody: return nil
    case .addresses(let addresses): if addresses.contains(address) { return nil }
    }
    return ConnectionCensus.network(of: address)
  }
}
