import SyncKit
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The real server as a process, to kill, pause, restart and measure.
public final class ServerProcess: Sendable {
  private struct State {
    var process: pid_t = 0
    var port: UInt16 = 0
    var starts = 0
  }

  /// The path of the command.
  public let program: String
  private let folder: String
  /// Where its data are, as its commands are told.
  private let place: [String]
  private let options: [String]
  private let state = Mutex(State())

  /// The port it listens on; 0 while it does not run.
  public var port: UInt16 { state.withLock(\.port) }
  /// The number of starts.
  public var starts: Int { state.withLock(\.starts) }

  /// Its process; 0 while it does not run.
  public var process: Int32 { state.withLock(\.process) }

  /// Prepares a server of the given program with its data in a folder.
  ///
  /// - Parameters:
  ///   - program: The path of the command.
  ///   - folder: The data folder; the log is next to it.
  ///   - store: The address of a database in place of the folder.
  ///   - options: More options of `serve`.
  public init(program: String, folder: String, store: String? = nil, options: [String] = []) {
    self.program = program
    self.folder = folder
    place = store.map { ["--store", $0] } ?? ["--data", folder]
    self.options = options
  }

  /// Starts it and waits until it listens.
  ///
  /// - Throws: ``SyncError`` `failure` if it does not.
  public func start() throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw SyncError(.failure, "Could not create a pipe.") }
    defer { close(ends[0]) }
    let process = try spawn(
      ["serve", "--listen", "127.0.0.1:0", "-q"] + place + options, output: ends[1],
      log: folder + ".log")
    close(ends[1])
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(ends[0], &byte, 1) == 1, byte != 10 { line.append(byte) }
    let text = String(decoding: line, as: UTF8.self)
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...])
    else {
      deliver(process, SIGKILL)
      throw SyncError(.failure, "The server did not start.", cause: text)
    }
    state.withLock { $0 = State(process: process, port: port, starts: $0.starts + 1) }
  }

  /// Kills it like a power cut, and starts it again.
  public func restart() throws {
    stop(SIGKILL)
    try start()
  }

  /// Pauses it for a moment, without its noticing.
  public func pause(milliseconds: UInt32) {
    let process = state.withLock(\.process)
    guard process > 0 else { return }
    deliver(process, SIGSTOP)
    usleep(milliseconds * 1_000)
    deliver(process, SIGCONT)
  }

  /// Ends it with a signal and waits for its end.
  public func stop(_ signal: Int32 = SIGTERM) {
    let process = state.withLock { state in
      defer { state.process = 0 }
      state.port = 0
      return state.process
    }
    guard process > 0 else { return }
    deliver(process, signal)
    var status: Int32 = 0
    waitpid(process, &status, 0)
  }

  /// Creates a token for an account, in the data folder.
  public func token(for account: String) throws -> String {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw SyncError(.failure, "Could not create a pipe.") }
    defer { close(ends[0]) }
    let process = try spawn(
      ["token", "create", "clients", "--scope", "manage", "--account", account, "-q"] + place,
      output: ends[1], log: folder + ".log")
    close(ends[1])
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while case let count = read(ends[0], &buffer, buffer.count), count > 0 {
      text += buffer[..<count]
    }
    var status: Int32 = 0
    waitpid(process, &status, 0)
    guard status == 0 else { throw SyncError(.failure, "Could not create a token for \(account).") }
    return String(decoding: text, as: UTF8.self).filter { !$0.isWhitespace }
  }

  /// Runs a command to its end.
  ///
  /// - Returns: Whether it exits with 0.
  public static func run(_ words: [String]) throws -> Bool {
    let process = try spawn(words, output: 2, log: "/dev/null", home: "/nonexistent")
    var status: Int32 = 0
    waitpid(process, &status, 0)
    return status == 0
  }

  private func spawn(_ words: [String], output: Int32, log: String) throws -> pid_t {
    try Self.spawn([program] + words, output: output, log: log, home: "\(folder).home")
  }

  private static func spawn(
    _ words: [String], output: Int32, log: String, home: String
  ) throws -> pid_t {
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    #else
    var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    let host = ["HOME=\(home)", "PATH=/usr/bin:/bin"]
    let environment: [UnsafeMutablePointer<CChar>?] = host.map { strdup($0) } + [nil]
    defer { for text in arguments + environment { free(text) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, words[0], &actions, nil, arguments, environment)
    guard code == 0 else {
      throw SyncError(.failure, "Cannot run '\(words[0])'.", cause: String(cString: strerror(code)))
    }
    return child
  }
}

/// Sends a signal to one process, by its id.
private func deliver(_ process: pid_t, _ signal: Int32) { _ = kill(process, signal) }
