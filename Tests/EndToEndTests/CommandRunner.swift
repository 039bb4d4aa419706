import SyncKitFormats

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Runs the built program as a process.
enum CommandRunner {
  /// The outcome of a process.
  struct Outcome: Sendable {
    /// Its exit status; 128 and the number of the signal that ended it.
    var status: Int32
    var output: String
    var error: String

    /// Standard output as JSON, null if it is not JSON.
    var document: JSON { (try? JSON(parsing: output)) ?? .null }
    /// Standard error as JSON, null if it is not JSON.
    var failure: JSON { (try? JSON(parsing: error)) ?? .null }
    /// The lines of standard output.
    var lines: [String] { output.split(whereSeparator: \.isNewline).map(String.init) }
  }

  /// The reason why a process could not run.
  struct Failure: Error {
    var what: String
  }

  /// The program: that of `CLOUDSYNC_BINARY`, or the one next to the tests.
  static let program: String = {
    if let named = getenv("CLOUDSYNC_BINARY") { return String(cString: named) }
    let root = "\(folder(of: folder(of: folder(of: #filePath))))/.build/debug"
    let places = [folder(of: CommandLine.arguments[0]), root].map { "\($0)/cloudsync" }
    return places.first { access($0, X_OK) == 0 } ?? places[0]
  }()

  /// Runs the program to its end.
  ///
  /// Its streams are files, so that no pipe can fill up and block it.
  ///
  /// - Parameters:
  ///   - arguments: The words after the program's name.
  ///   - program: Another program than ours, by its path.
  ///   - environment: All of its variables.
  ///   - input: The bytes of standard input.
  ///   - folder: The folder for the files of its streams.
  ///   - seconds: The time limit; a process that exceeds it is ended, which is a failure.
  /// - Returns: Its outcome.
  /// - Throws: ``Failure`` if it cannot be started or takes too long.
  static func run(
    _ arguments: [String], program: String = program, environment: [String: String],
    input: [UInt8] = [], folder: String, seconds: Int = 600
  ) async throws -> Outcome {
    let streams = "\(folder)/run-\(UInt64.random(in: .min ... .max))"
    let names = ["\(streams).in", "\(streams).out", "\(streams).err"]
    defer { for name in names { unlink(name) } }
    try Files.write(input, to: names[0])
    let child = try start([program] + arguments, environment, names)
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: .seconds(seconds))
    var status: Int32 = 0
    var pause = Duration.milliseconds(2)
    while waitpid(child, &status, WNOHANG) == 0 {
      guard clock.now < end else {
        kill(child, SIGKILL)
        waitpid(child, &status, 0)
        throw Failure(what: "\(arguments) took more than \(seconds) s")
      }
      try await clock.sleep(for: pause)
      pause = min(pause * 2, .milliseconds(20))
    }
    let signal = status & 0x7F
    return Outcome(
      status: signal == 0 ? status >> 8 & 0xFF : 128 + signal,
      output: String(decoding: try Files.read(names[1]), as: UTF8.self),
      error: String(decoding: try Files.read(names[2]), as: UTF8.self))
  }

  static func start(
    _ words: [String], _ environment: [String: String], _ streams: [String]
  ) throws -> pid_t {
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    #else
    var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let writes = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, streams[0], O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, streams[1], writes, 0o600)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, streams[2], writes, 0o600)
    var texts = words.map { strdup($0) }
    var variables = environment.merging(measured) { said, _ in said }
      .map { strdup("\($0.key)=\($0.value)") }
    defer { for text in texts + variables { free(text) } }
    texts.append(nil)
    variables.append(nil)
    // The threads of tests block signals, and a program that inherits this cannot be ended by one.
    #if canImport(Darwin)
    var attributes: posix_spawnattr_t?
    #else
    var attributes = posix_spawnattr_t()
    #endif
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // Nor one that inherits that they are ignored, as whoever runs the tests in the background wants it.
    var ends = sigset_t()
    sigemptyset(&ends)
    for signal in [SIGINT, SIGQUIT, SIGTERM, SIGHUP] { sigaddset(&ends, signal) }
    posix_spawnattr_setsigdefault(&attributes, &ends)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    var child: pid_t = 0
    let number = posix_spawn(&child, words[0], &actions, &attributes, texts, variables)
    guard number == 0 else { throw Failure(what: "cannot run \(words[0]): error \(number)") }
    return child
  }

  /// The path of the program's coverage profile, if coverage is measured.
  private static let measured: [String: String] = {
    let name = "LLVM_PROFILE_FILE"
    return getenv(name).map { [name: String(cString: $0)] } ?? [:]
  }()

  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }
}
