import SyncKitText
import Hummingbird
import Logging
import ServiceLifecycle
public import SyncKit
import Synchronization
import UnixSignals

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A server for devices: one process with one data folder, or one of several over a database.
///
/// - **Safe to start.** It refuses to be reached from elsewhere without tokens and encryption, and a
///   data folder that others can read.
/// - **Safe to stop.** On a stop it takes no more requests, gives the answers that are under way to
///   their end, ends streams of events, and returns; it takes no longer than ``ConnectionLimits/stop``.
/// - **Safe to kill.** What was answered is on the disk; the next start needs no repair.
///
/// ```
/// let server = SyncServer(settings, environment: environment, log: log)
/// try await server.run { address in print("listening on \(address)") }
/// ```
public final class SyncServer: Sendable {
  private struct State {
    var group: ServiceGroup?
    var isStopped = false
  }

  private let settings: ServerSettings
  private let environment: SyncEnvironment
  private let log: ServerLog
  private let state = Mutex(State())

  /// Prepares a server; nothing is opened yet.
  public init(_ settings: ServerSettings, environment: SyncEnvironment, log: ServerLog) {
    self.settings = settings
    self.environment = environment
    self.log = log
  }

  /// Serves until it is stopped; once.
  ///
  /// - Parameters:
  ///   - handlesSignals: Whether SIGTERM and SIGINT stop it, and SIGHUP makes it read its certificate
  ///     again.
  ///   - onListening: Told once when requests are taken, with the port that there is.
  /// - Throws: ``SyncError``: `server.unsafe`, `server.certificate`, `server.address` and
  ///   `server.address-in-use`; `store.busy` when another process serves the folder; `store.*` when the
  ///   folder cannot be used.
  public func run(
    handlesSignals: Bool = true,
    onListening: @escaping @Sendable (ServerAddress) async -> Void = { _ in }
  ) async throws {
    try settings.checkSafety()
    Self.raiseFileLimit()
    let folder = settings.database == nil ? try DataFolder(settings.data) : nil
    let storage =
      if let address = settings.database {
        try ServerDatabase(address, environment: environment)
      } else {
        try ServerDatabase(folder?.path ?? settings.data, environment: environment)
      }
    let administration = ServerAdministration(beside: storage)
    let credential: String?
    do {
      if let blobs = settings.blobs {
        let log = log
        try await storage.keepLargeBodies(in: blobs) { log.say(.error, $0) }
      } else {
        try await storage.requireNoLargeBodies()
      }
      credential = try await anonymousAccess(administration)
    } catch {
      try? await storage.close()
      throw error
    }
    let core = ServerState(
      storage: storage, environment: environment,
      rates: settings.authentication == .none ? .unlimited : settings.rates,
      bodies: BodyBudget(total: settings.limits.bodies, each: settings.limits.bodiesEach),
      logger: Logger(label: "cloudsync.server") { _ in LogBridge(log: self.log) })
    do {
      try await serve(
        core, administration, folder, credential,
        handlesSignals, onListening)
    } catch {
      try? await core.close()
      throw error
    }
    try await core.close()
    log.say(.notice, "stopped")
  }

  /// Stops it, as a signal does, and does not wait.
  public func stop() async {
    let group = state.withLock { state in
      state.isStopped = true
      return state.group
    }
    await group?.triggerGracefulShutdown()
  }

  private func serve(
    _ core: ServerState, _ administration: ServerAdministration, _ folder: DataFolder?,
    _ credential: String?, _ handlesSignals: Bool,
    _ onListening: @escaping @Sendable (ServerAddress) async -> Void
  ) async throws {
    let log = log
    let certificate = try settings.tls.map { try ServerCertificate($0) }
    let run = ServerRun(
      settings: settings, log: log, began: environment.now(),
      readiness: Readiness(
        freeBytes: { folder?.freeBytes() }, write: { try await core.storage.probe() },
        isBucketInReach: { administration.storage.bucket?.isInReach }),
      storage: { (core.storage as? ServerDatabase)?.reading },
      pages: try ServerPages(), administration: administration,
      certificate: certificate, handlesHangup: handlesSignals, credential: credential,
      onListening: { place, address in
        log.say(
          .notice, "listening",
          ["for": place == .requests ? "requests" : "metrics", "address": .string("\(address)")])
        if place == .requests { await onListening(address) }
      },
      onStop: {
        log.say(.notice, "stopping")
        core.news.close()
      })
    var configuration = ServiceGroupConfiguration(
      services: run.services(ServerRoutes.router(core).buildResponder()).map {
        .init(
          service: $0, successTerminationBehavior: .gracefullyShutdownGroup,
          failureTerminationBehavior: .gracefullyShutdownGroup)
      },
      gracefulShutdownSignals: handlesSignals ? [.sigterm, .sigint] : [],
      logger: Logger(label: "cloudsync") { _ in SwiftLogNoOpLogHandler() })
    configuration.maximumGracefulShutdownDuration = settings.limits.stop
    let group = ServiceGroup(configuration: configuration)
    let isStopped = state.withLock { state in
      state.group = group
      return state.isStopped
    }
    guard !isStopped else { return }
    do {
      try await group.run()
    } catch is CancellationError {
      // What took longer than a stop may take was cut off.
    }
  }

  /// Without authentication: the token of the one account, with which every request comes.
  ///
  /// It lives no longer than the process, whatever happens to it: the next start ends it.
  private func anonymousAccess(_ administration: ServerAdministration) async throws -> String? {
    // Servers beside each other would end each other's.
    guard settings.database == nil else { return nil }
    return try await AnonymousAccess(administration).credential(
      isOpen: settings.authentication == .none)
  }

  /// As many connections as the system lets one process have.
  private static func raiseFileLimit() {
    var limit = rlimit()
    #if canImport(Glibc)
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    let kind = RLIMIT_NOFILE
    #endif
    guard getrlimit(kind, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(kind, &limit)
  }
}
