import SyncKitHTTP
import LoopbackServer
import Hummingbird
import Logging
import NIOCore
import SyncKit
import SyncKitTesting
import SyncWire
import Synchronization

@testable import SyncKitServer

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The real routes over a real storage, on a random port of this machine, for as long as a test takes.
struct RealServer: Sendable {
  let url: String
  let state: ServerState
  let administration: ServerAdministration

  /// Runs a server for as long as `body` takes.
  static func run(_ body: @Sendable (RealServer) async throws -> Void) async throws {
    let folder = try temporaryFolder()
    defer { remove(folder) }
    let environment = SyncEnvironment(
      now: { 1_700_000_000_000 }, random: { UInt64.random(in: .min ... .max) })
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let state = ServerState(
      storage: try ServerDatabase(folder, environment: environment, policy: ServerPolicy()),
      environment: environment, rates: .generous, logger: logger)
    let administration = try ServerAdministration(
      folder, environment: environment, policy: ServerPolicy())
    let (ports, source) = AsyncStream.makeStream(of: Int.self)
    let application = Application(
      router: ServerRoutes.router(state),
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in
        source.yield(channel.localAddress?.port ?? 0)
        source.finish()
      }, logger: logger)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        defer { source.finish() }
        try? await application.runService(gracefulShutdownSignals: [])
      }
      guard let port = await ports.first(where: { _ in true }) else { throw StandIn.Failure() }
      let server = RealServer(
        url: "http://127.0.0.1:\(port)", state: state, administration: administration)
      let result: Result<Void, any Error>
      do { result = .success(try await body(server)) } catch { result = .failure(error) }
      state.news.close()
      group.cancelAll()
      try await group.waitForAll()
      try await administration.close()
      try await state.close()
      try result.get()
    }
  }

  /// How a new device of an account reaches the server.
  func device(of account: String, _ id: String = "device") async throws -> ServerAccess {
    let code = try await administration.invite(to: account).code
    let client = try SyncServerClient(.test(url, token: nil))
    let joined = try await client.join(code: code, as: Device(id: id, name: id))
    return try .test(url, token: joined.token)
  }

  /// A new account with a device.
  func person(_ name: String) async throws -> ServerAccess {
    try await device(of: administration.makeAccount(name).id, "\(name)-1")
  }

  private static func temporaryFolder() throws -> String {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/cloudsync-http-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw StandIn.Failure() }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func remove(_ folder: String) {
    guard let listing = opendir(folder) else { return }
    while let entry = readdir(listing) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { unlink("\(folder)/\(name)") }
    }
    closedir(listing)
    rmdir(folder)
  }
}

extension RequestRates {
  /// As many requests as a test likes.
  fileprivate static var generous: RequestRates {
    var rates = RequestRates()
    let much = Rate(perMinute: 1e9, burst: 1e9)
    (rates.token, rates.address, rates.failures, rates.joins) = (much, much, much, much)
    return rates
  }
}
