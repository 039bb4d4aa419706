import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import SQLiteFile
import ServiceLifecycle
import SyncKit
import SyncWire
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// One address at which a server listens, and what answers there.
struct HTTPListener<Responder: HTTPResponder>: Service
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
  let address: ServerAddress
  let door: GuardedChannel.ChannelEnvironment
  let responder: Responder
  /// The mode of a socket in the file system.
  let socketMode: UInt32
  /// Told once it listens, with the port that it has got.
  let onListening: @Sendable (ServerAddress) async -> Void

  /// Listens until the group it is in is stopped, and then until the answers under way are given.
  ///
  /// - Throws: ``SyncError`` `server.address` and `server.address-in-use`.
  func run() async throws {
    let door = door
    let hasBegun = Mutex(false)
    // The library's own messages say nothing that ours do not.
    let logger = Logger(label: "cloudsync") { _ in SwiftLogNoOpLogHandler() }
    let application = Application(
      responder: responder,
      server: HTTPServerBuilder { GuardedChannel(door, responder: $0) },
      configuration: ApplicationConfiguration(address: bindAddress, backlog: 1_024),
      onServerRunning: { channel in
        hasBegun.withLock { $0 = true }
        if case .unix(let path) = address { chmod(path, mode_t(socketMode)) }
        await onListening(actual(channel.localAddress))
      },
      logger: logger)
    do {
      try await application.run()
    } catch let error as IOError {
      throw failure(error)
    } catch let error where !hasBegun.withLock({ $0 }) && !(error is CancellationError) {
      // An unknown name, too, in whatever way the library says so.
      throw SyncError(
        .serverAddress, "cannot listen at \(address)",
        hint: "the host must be an address of this machine, and a socket's path must be short")
    }
    if case .unix(let path) = address { unlink(path) }
  }

  private var bindAddress: BindAddress {
    switch address {
    case .host(let host, let port): .hostname(host, port: port)
    case .unix(let path): .unixDomainSocket(path: path)
    }
  }

  private func actual(_ local: SocketAddress?) -> ServerAddress {
    guard case .host(let host, _) = address, let port = local?.port else { return address }
    return .host(host, port: port)
  }

  private func failure(_ error: IOError) -> SyncError {
    let words = POSIX.words(error.errnoCode)
    switch error.errnoCode {
    case EADDRINUSE:
      return SyncError(
        .serverAddressInUse, "another program listens at \(address)",
        hint: "stop it, or listen elsewhere with --listen")
    default: return SyncError(.serverAddress, "cannot listen at \(address)", cause: words)
    }
  }
}
