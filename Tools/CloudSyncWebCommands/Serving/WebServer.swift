import CommandFoundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import SyncKit
import UnixSignals

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Serves the pages at a port of this machine that only programs on it can reach.
struct WebServer {
  let site: WebSite
  /// 0 for any that is free.
  let port: Int
  /// How long it waits for somebody.
  let idle: Duration

  /// Serves until a signal comes, or nobody has come for long.
  ///
  /// - Parameter onListening: Told once, with the port.
  /// - Throws: ``SyncError`` `server.address-in-use`.
  func run(onListening: @escaping @Sendable (Int) async -> Void) async throws {
    let logger = Logger(label: "cloudsync") { _ in SwiftLogNoOpLogHandler() }
    let (site, session) = (site, site.session)
    let application = Application(
      responder: WebResponder(site: site),
      server: .http1(configuration: .init(idleTimeout: .seconds(60))),
      configuration: ApplicationConfiguration(
        address: .hostname("127.0.0.1", port: port), serverName: nil),
      onServerRunning: { channel in
        let port = channel.localAddress?.port ?? 0
        site.listens(at: port)
        await onListening(port)
      },
      logger: logger)
    var configuration = ServiceGroupConfiguration(
      services: [
        .init(service: application),
        .init(
          service: IdleWatch(session: session, idle: idle),
          successTerminationBehavior: .gracefullyShutdownGroup),
      ], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    // Streams of news have no end of their own.
    configuration.maximumGracefulShutdownDuration = .milliseconds(300)
    do {
      try await ServiceGroup(configuration: configuration).run()
    } catch is CancellationError {
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
      throw SyncError(
        .portInUse, "another program uses port \(port)",
        hint: "--port 0 takes one that is free")
    }
  }
}

extension SyncError.Code {
  /// Another program listens there.
  static let portInUse = Self("server.address-in-use", exit: 75, retryable: true)
}

/// Ends when nobody has used the pages for long.
private struct IdleWatch: Service {
  let session: WebSession
  let idle: Duration

  func run() async throws {
    let longest = Int64(idle / .milliseconds(1))
    try? await cancelWhenGracefulShutdown {
      while session.idleTime < longest {
        try await Task.sleep(for: .milliseconds(max(100, longest - session.idleTime)))
      }
    }
  }
}
