import SyncKitFormats

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// `cloudsync serve` as a process, until a test ends.
final class ServerProcess: Sendable {
  private let process: RunningCommand
  /// The first line that it has printed.
  let url: String

  /// Starts one over a folder, or over a database if its address is given, and waits for its first line.
  static func start(
    _ device: TestDevice, data: String = "server", store: String? = nil, _ arguments: [String] = []
  ) async throws -> ServerProcess {
    let place = store.map { ["--store", $0] } ?? ["--data", device.path(data)]
    let process = try RunningCommand(
      ["serve", "--listen", "127.0.0.1:0"] + place + arguments, on: device)
    return ServerProcess(process: process, url: try await process.firstLine())
  }

  private init(process: RunningCommand, url: String) {
    self.process = process
    self.url = url
  }

  var pid: pid_t { process.pid }

  /// Its standard error so far.
  var log: String { process.error }

  /// Its port.
  var port: Int { Int(url.split(separator: ":").last ?? "") ?? 0 }

  /// Sends a signal and waits for the end.
  ///
  /// - Returns: The exit status; 128 and the number of the signal that has ended it.
  @discardableResult
  func end(_ signal: Int32 = SIGTERM) async throws -> Int32 { try await process.stop(signal) }

  /// Waits for the end.
  func wait() async throws -> Int32 { try await process.end() }

  /// Runs a test with a server that ends with it.
  static func run(
    _ device: TestDevice, _ arguments: [String] = [], data: String = "server",
    _ body: (ServerProcess) async throws -> Void
  ) async throws {
    let server = try await start(device, data: data, arguments)
    do {
      try await body(server)
    } catch {
      _ = try? await server.end(SIGKILL)
      throw error
    }
    try await server.end()
  }
}

extension TestDevice {
  /// The variables of its commands.
  var environment: [String: String] { ["HOME": home, "PATH": "/usr/bin:/bin", "TMPDIR": home] }
}

/// An answer of a server, through curl: a client other than our own.
struct CurlAnswer: Sendable {
  var status: Int
  var body: String
  var document: JSON { (try? JSON(parsing: body)) ?? .null }

  /// Sends one request; the status is 0 without an answer.
  static func ask(
    _ device: TestDevice, _ url: String, token: String? = nil, _ more: String...
  ) async throws -> CurlAnswer {
    var words = ["--silent", "--show-error", "--max-time", "20", "--write-out", "\n%{http_code}"]
    if let token { words += ["--header", "Authorization: Bearer \(token)"] }
    let outcome = try await CommandRunner.run(
      words + more + [url], program: "/usr/bin/curl", environment: device.environment,
      folder: device.home)
    var lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
    let status = Int(lines.popLast() ?? "") ?? 0
    return CurlAnswer(status: status, body: lines.joined(separator: "\n"))
  }
}
