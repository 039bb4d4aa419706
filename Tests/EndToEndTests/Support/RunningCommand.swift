import SyncKitFormats
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The program as a process that runs until the test ends it.
final class RunningCommand: Sendable {
  private let child: pid_t
  private let streams: String
  private let clock = ContinuousClock()
  /// Its end, once the test has waited for it: then another process may have its id.
  private let ending = Mutex<Int32?>(nil)

  /// Starts `cloudsync` on a device.
  convenience init(_ arguments: String..., on device: TestDevice) throws {
    try self.init(arguments, on: device)
  }

  /// Starts `cloudsync`, or another program, on a device, with further variables.
  init(
    _ arguments: [String], program: String = CommandRunner.program, on device: TestDevice,
    variables: [String: String] = [:]
  ) throws {
    streams = device.path("running-\(UInt64.random(in: .min ... .max))")
    try Files.write([], to: "\(streams).in")
    child = try CommandRunner.start(
      [program] + arguments, device.environment.merging(variables) { $1 },
      ["\(streams).in", "\(streams).out", "\(streams).err"])
  }

  deinit {
    guard ended() == nil else { return }
    kill(child, SIGKILL)
    var status: Int32 = 0
    waitpid(child, &status, 0)
  }

  /// Its process id.
  var pid: pid_t { child }

  var output: String { (try? Files.text("\(streams).out")) ?? "" }
  var error: String { (try? Files.text("\(streams).err")) ?? "" }

  /// The lines so far that are objects.
  var documents: [JSON] {
    output.split(separator: "\n").compactMap { try? JSON(parsing: String($0)) }
  }

  /// Waits until a condition holds.
  ///
  /// - Throws: ``CommandRunner/Failure`` if that takes more than three minutes, or the process ends before.
  func wait(
    for what: String, _ isSo: @Sendable (RunningCommand) async throws -> Bool
  ) async throws {
    let end = clock.now.advanced(by: .seconds(180))
    while try await !isSo(self) {
      let isOver = ended() != nil
      if isOver, try await isSo(self) { return }
      guard clock.now < end, !isOver else {
        throw CommandRunner.Failure(what: "\(what) never came: \(output)\(error)")
      }
      try await clock.sleep(for: .milliseconds(10))
    }
  }

  /// The first line that it prints, such as its address.
  func firstLine() async throws -> String {
    try await wait(for: "the first line") { $0.output.contains("\n") }
    return String(output.prefix { $0 != "\n" })
  }

  /// Sends a signal.
  func signal(_ number: Int32) { if ended() == nil { kill(child, number) } }

  /// Sends a signal and waits for the end.
  ///
  /// - Returns: The exit status; 128 and the number of the signal that ended it.
  @discardableResult
  func stop(_ number: Int32 = SIGTERM) async throws -> Int32 {
    signal(number)
    return try await end()
  }

  /// Waits for the end.
  func end() async throws -> Int32 {
    let end = clock.now.advanced(by: .seconds(180))
    while true {
      if let status = ended() { return status }
      guard clock.now < end else {
        signal(SIGKILL)
        throw CommandRunner.Failure(what: "it did not end: \(output)\(error)")
      }
      try await clock.sleep(for: .milliseconds(10))
    }
  }

  /// Its exit; nil while it runs.
  private func ended() -> Int32? {
    ending.withLock { ending in
      var status: Int32 = 0
      if ending == nil, waitpid(child, &status, WNOHANG) == child {
        let number = status & 0x7F
        ending = number == 0 ? status >> 8 & 0xFF : 128 + number
      }
      return ending
    }
  }
}
