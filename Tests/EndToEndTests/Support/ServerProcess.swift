import Formats

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// `cloudsync serve` as a process of its own, until a test ends.
final class ServerProcess: Sendable {
  let pid: pid_t
  /// The first line that it has printed.
  let url: String
  private let errors: String

  /// Starts one and waits for its first line.
  static func start(
    _ device: TestDevice, data: String = "server", _ arguments: [String] = []
  ) async throws -> ServerProcess {
    let name = "serve-\(UInt64.random(in: .min ... .max))"
    let names = ["in", "out", "err"].map { device.path("\(name).\($0)") }
    try Files.write([], to: names[0])
    let words =
      [CommandRunner.program, "serve", "--listen", "127.0.0.1:0", "--data", device.path(data)]
      + arguments
    let pid = try CommandRunner.start(words, device.environment, names)
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: .seconds(180))
    while clock.now < end {
      let text = (try? Files.text(names[1])) ?? ""
      if text.hasSuffix("\n"), let line = text.split(separator: "\n").first {
        return ServerProcess(pid: pid, url: String(line), errors: names[2])
      }
      var status: Int32 = 0
      if waitpid(pid, &status, WNOHANG) == pid {
        throw CommandRunner.Failure(what: "serve ended: \((try? Files.text(names[2])) ?? "")")
      }
      try await clock.sleep(for: .milliseconds(5))
    }
    kill(pid, SIGKILL)
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    throw CommandRunner.Failure(what: "serve does not say where it listens")
  }

  private init(pid: pid_t, url: String, errors: String) {
    self.pid = pid
    self.url = url
    self.errors = errors
  }

  /// What it has said on standard error.
  var log: String { (try? Files.text(errors)) ?? "" }

  /// Its port.
  var port: Int { Int(url.split(separator: ":").last ?? "") ?? 0 }

  /// Sends a signal and waits for the end.
  ///
  /// - Returns: The exit status; 128 and the number of the signal that has ended it.
  @discardableResult
  func end(_ signal: Int32 = SIGTERM) async throws -> Int32 {
    kill(pid, signal)
    return try await wait()
  }

  /// Waits for the end, for half a minute.
  func wait() async throws -> Int32 {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: .seconds(30))
    var status: Int32 = 0
    while waitpid(pid, &status, WNOHANG) == 0 {
      guard clock.now < end else {
        kill(pid, SIGKILL)
        waitpid(pid, &status, 0)
        throw CommandRunner.Failure(what: "serve did not end")
      }
      try await clock.sleep(for: .milliseconds(5))
    }
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }

  /// Runs a test with a server that ends with it.
  static func run(
    _ device: TestDevice, _ arguments: [String] = [], data: String = "server",
    _ body: (ServerProcess) async throws -> Void
  ) async throws {
    let server = try await start(device, data: data, arguments)
    do {
      try await body(server)
    } catch {
      kill(server.pid, SIGKILL)
      _ = try? await server.wait()
      throw error
    }
    // A test may have ended it already; then the number may be somebody else's.
    var status: Int32 = 0
    if waitpid(server.pid, &status, WNOHANG) == 0 { try await server.end() }
  }
}

extension TestDevice {
  /// The variables of its commands.
  var environment: [String: String] { ["HOME": home, "PATH": "/usr/bin:/bin", "TMPDIR": home] }
}

/// An answer of a server, by curl: another client than our own.
struct CurlAnswer: Sendable {
  var status: Int
  var body: String
  var document: JSON { (try? JSON(parsing: body)) ?? .null }

  /// Asks once; the status is 0 when there is no answer.
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
