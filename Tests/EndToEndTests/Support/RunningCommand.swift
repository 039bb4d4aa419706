import Formats

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The program as a process that goes on until the test ends it.
final class RunningCommand: Sendable {
  private let child: pid_t
  private let streams: String
  private let clock = ContinuousClock()

  /// Starts `cloudsync` on a device.
  init(_ arguments: String..., on device: TestDevice) throws {
    streams = device.path("running-\(UInt64.random(in: .min ... .max))")
    try Files.write([], to: "\(streams).in")
    child = try CommandRunner.start(
      [CommandRunner.program] + arguments,
      ["HOME": device.home, "PATH": "/usr/bin:/bin", "TMPDIR": device.home],
      ["\(streams).in", "\(streams).out", "\(streams).err"])
  }

  deinit { kill(child, SIGKILL) }

  var output: String { (try? Files.text("\(streams).out")) ?? "" }
  var error: String { (try? Files.text("\(streams).err")) ?? "" }

  /// The lines so far that are objects.
  var documents: [JSON] {
    output.split(separator: "\n").compactMap { try? JSON(parsing: String($0)) }
  }

  /// Waits until something is so.
  ///
  /// - Throws: ``CommandRunner/Failure`` when it is not within three minutes.
  func wait(
    for what: String, _ isSo: @Sendable (RunningCommand) async throws -> Bool
  ) async throws {
    let end = clock.now.advanced(by: .seconds(180))
    while try await !isSo(self) {
      guard clock.now < end else {
        throw CommandRunner.Failure(what: "\(what) never came: \(output)\(error)")
      }
      try await clock.sleep(for: .milliseconds(20))
    }
  }

  /// Sends a signal and waits for the end.
  ///
  /// - Returns: The exit status; 128 and the number of the signal that ended it.
  @discardableResult
  func stop(_ signal: Int32 = SIGTERM) async throws -> Int32 {
    kill(child, signal)
    let end = clock.now.advanced(by: .seconds(180))
    var status: Int32 = 0
    while waitpid(child, &status, WNOHANG) == 0 {
      guard clock.now < end else {
        kill(child, SIGKILL)
        waitpid(child, &status, 0)
        throw CommandRunner.Failure(what: "it did not end: \(output)\(error)")
      }
      try await clock.sleep(for: .milliseconds(10))
    }
    let number = status & 0x7F
    return number == 0 ? status >> 8 & 0xFF : 128 + number
  }
}

/// A machine that hosts a server for a test, and the people who have accounts there.
final class ServerHost: Sendable {
  let machine: TestDevice
  let process: RunningCommand
  let url: String

  init() async throws {
    machine = try TestDevice()
    process = try RunningCommand("serve", "--listen", "127.0.0.1:0", on: machine)
    try await process.wait(for: "the address") { $0.output.contains("\n") }
    url = String(process.output.prefix { $0 != "\n" })
  }

  /// The link with which the first device of a person joins.
  func invite(_ name: String) async throws -> String {
    let made = try await machine.json("server", "invite", name, "--url", url)
    return made["link"]?.string ?? ""
  }

  /// A device of a new account.
  func device(of name: String) async throws -> TestDevice {
    let device = try TestDevice()
    let link = try await invite(name)
    let outcome = try await device.run("init", "--yes", "--device", name, "--join", link)
    guard outcome.status == 0 else { throw CommandRunner.Failure(what: outcome.error) }
    return device
  }

  /// One more device of somebody's account, let in by a code.
  func device(beside other: TestDevice, _ name: String) async throws -> TestDevice {
    let pairing = try await other.json("device", "pair")
    let device = try TestDevice()
    let outcome = try await device.run(
      "init", "--yes", "--device", name, "--join", pairing["code"]?.string ?? "", "--remote",
      "home=\(url)")
    guard outcome.status == 0 else { throw CommandRunner.Failure(what: outcome.error) }
    return device
  }
}
