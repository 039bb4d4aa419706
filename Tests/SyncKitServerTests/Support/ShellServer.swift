import SyncKitFormats
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization
import SyncWire
import Testing

@testable import SyncKitServer

/// The shell of a server on a free port of 127.0.0.1, with a few routes of a test behind it.
final class ShellServer: Sendable {
  let address: ServerAddress
  let metricsAddress: ServerAddress?
  let metrics: ServerMetrics
  let certificate: ServerCertificate?
  /// The lines of its log.
  let lines: Lines
  private let group: ServiceGroup
  private let running: Task<Void, any Error>

  /// What a log has said.
  final class Lines: Sendable {
    private let state = Mutex<[String]>([])
    var all: [String] { state.withLock { $0 } }
    func add(_ line: String) { state.withLock { $0.append(line) } }
  }

  /// Starts one, hands it to a test, and stops it however the test ends.
  static func run(
    _ settings: ServerSettings = settings(), canWrite: Bool = true, free: UInt64 = 1 << 40,
    log: ServerLog.Format = .json, administration: ServerAdministration? = nil,
    _ body: (ShellServer) async throws -> Void
  ) async throws {
    let server = try await ShellServer(
      settings, canWrite: canWrite, free: free, log: log, administration)
    do {
      try await body(server)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  /// Settings for a test, with limits that are over soon.
  static func settings(_ change: (inout ServerSettings) -> Void = { _ in }) -> ServerSettings {
    var settings = ServerSettings(listen: .host("127.0.0.1", port: 0), data: "/nowhere")
    settings.limits.linger = .milliseconds(500)
    change(&settings)
    return settings
  }

  private init(
    _ settings: ServerSettings, canWrite: Bool, free: UInt64, log format: ServerLog.Format,
    _ administration: ServerAdministration?
  ) async throws {
    let lines = Lines()
    self.lines = lines
    let (places, continuation) = AsyncStream.makeStream(of: (ServerRun.Place, ServerAddress).self)
    let certificate = try settings.tls.map { try ServerCertificate($0) }
    self.certificate = certificate
    let run = ServerRun(
      settings: settings,
      log: ServerLog(format, level: .request, now: { 0 }, write: { lines.add($0) }), began: 0,
      readiness: Readiness(
        freeBytes: { free },
        write: { if !canWrite { throw WireError(.failure, "no") } }),
      pages: try ServerPages(), administration: administration,
      certificate: certificate,
      onListening: { continuation.yield(($0, $1)) }, onStop: {})
    metrics = run.metrics
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: run.services(Self.routes().buildResponder()).map {
          .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup)
        },
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
    self.group = group
    running = Task {
      defer { continuation.finish() }
      try await group.run()
    }
    var found: [ServerRun.Place: ServerAddress] = [:]
    for await (place, address) in places {
      found[place] = address
      if found.count == (settings.metrics == nil ? 1 : 2) { break }
    }
    guard let address = found[.requests] else {
      try await running.value
      throw WireFault("it does not listen")
    }
    self.address = address
    metricsAddress = found[.metrics]
  }

  var port: Int { if case .host(_, let port) = address { port } else { 0 } }

  /// Asks it to stop, and does not wait.
  func beginStop() async { await group.triggerGracefulShutdown() }

  /// Stops it and waits for its end.
  func stop() async {
    await group.triggerGracefulShutdown()
    _ = try? await running.value
  }

  /// What is behind the door: an echo, an answer that takes its time, a large one, and events.
  private static func routes() -> Router<BasicRequestContext> {
    let router = Router(context: BasicRequestContext.self)
    router.post("/echo") { request, _ -> Response in
      let body = try await request.body.collect(upTo: 1 << 20)
      return Response(status: .ok, body: ResponseBody(byteBuffer: body))
    }
    router.get("/name/{name}") { _, context in context.parameters.get("name") ?? "" }
    router.get("/who") { _, _ in RequestNote.current?.clientAddress ?? "nobody" }
    router.get("/slow") { _, _ in
      try await Task.sleep(for: .milliseconds(400))
      return "slow"
    }
    router.get("/large") { _, _ in
      Response(
        status: .ok,
        body: ResponseBody(byteBuffer: ByteBuffer(repeating: 0x61, count: Self.largeCount)))
    }
    router.get("/events") { _, _ in
      Response(
        status: .ok, headers: [.contentType: "text/event-stream"],
        body: ResponseBody { writer in
          try await writer.write(ByteBuffer(string: "event: ready\n\n"))
          for _ in 0..<2_000 {
            try await Task.sleep(for: .milliseconds(50))
            try await writer.write(ByteBuffer(string: ":\n\n"))
          }
          try await writer.finish(nil)
        })
    }
    router.get("/failure") { _, _ -> String in throw WireFault("secret content") }
    return router
  }

  /// More than the buffers of both ends take.
  static let largeCount = 24 << 20
}
