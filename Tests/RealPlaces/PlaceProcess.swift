import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A real service on loopback: started for a test, ended with it or when this process is gone, and after 15 minutes
/// by itself.
public final class PlaceProcess: Sendable {
  /// Where the service listens; 0 for one that is not asked for a port.
  public let port: UInt16
  private let process: Mutex<pid_t>
  private let log: String

  /// Starts a program and waits until it listens on a port of 127.0.0.1.
  ///
  /// - Parameters:
  ///   - command: The program and its arguments; `peer(_:)` finds what `Tools/peers` has installed.
  ///   - port: The port that it is told to listen on; 0 when it listens on none.
  ///   - folder: Where it runs and where `NAME.log` with its output is put.
  ///   - variables: What its environment has besides the path and the home.
  /// - Throws: ``PlaceFailure`` when it does not start, with what it has written.
  public init(
    _ command: [String], listeningOn port: UInt16 = 0, in folder: String,
    variables: [String: String] = [:]
  ) throws {
    self.port = port
    log = "\(folder)/\(command[0].split(separator: "/").last ?? "service").log"
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A group of its own, so that what it starts ends with it.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    let words = ["timeout", "--kill-after=5", "900", "env", "-C", folder] + command
    let surroundings =
      ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=\(folder)", "LANG=C.UTF-8"]
      + variables.map { "\($0.key)=\($0.value)" }
    var arguments = words.map { strdup($0) } + [nil]
    var environment = surroundings.map { strdup($0) } + [nil]
    defer { for text in arguments + environment { free(text) } }
    var started = pid_t()
    let status = posix_spawn(
      &started, "/usr/bin/timeout", &actions, &attributes, &arguments, &environment)
    guard status == 0 else { throw PlaceFailure("\(command[0]) did not start: \(status)") }
    process = Mutex(started)
    PlaceGuard.add(group: started)
    guard port > 0 else { return }
    for _ in 0..<600 {
      if Self.answers(port) { return }
      var state: Int32 = 0
      if waitpid(started, &state, WNOHANG) == started {
        process.withLock { $0 = 0 }
        PlaceGuard.remove(group: started)
        break
      }
      usleep(50_000)
    }
    stop()
    throw PlaceFailure("\(command[0]) does not listen:\n\(output)")
  }

  deinit { stop() }

  /// What it has written.
  public var output: String {
    guard let file = fopen(log, "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  /// Whether it has not ended yet.
  public var isRunning: Bool {
    process.withLock { process in
      guard process > 0 else { return false }
      var state: Int32 = 0
      guard waitpid(process, &state, WNOHANG) == process else { return true }
      PlaceGuard.remove(group: process)
      process = 0
      return false
    }
  }

  /// Sends a signal to it and to all that it has started.
  public func send(_ signal: Int32) {
    let process = process.withLock { $0 }
    if process > 0 { kill(-process, signal) }
  }

  /// Sends a signal to the program alone, and not to what limits its time.
  public func sendToProgram(_ signal: Int32) {
    let process = process.withLock { $0 }
    guard process > 0 else { return }
    let children = (try? PlaceTools.read("/proc/\(process)/task/\(process)/children")) ?? ""
    for child in children.split(separator: " ").compactMap({ pid_t($0) }) { kill(child, signal) }
  }

  /// Ends it and waits for its end.
  public func stop() {
    let process = process.withLock { process in
      defer { process = 0 }
      return process
    }
    guard process > 0 else { return }
    defer { PlaceGuard.remove(group: process) }
    kill(-process, SIGTERM)
    var state: Int32 = 0
    for _ in 0..<60 {
      if waitpid(process, &state, WNOHANG) == process {
        kill(-process, SIGKILL)
        return
      }
      usleep(50_000)
    }
    kill(-process, SIGKILL)
    waitpid(process, &state, 0)
  }

  /// A port of 127.0.0.1 that is free now.
  public static func freePort() throws -> UInt16 {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(number) }
    var address = loopback(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, length) == 0 && getsockname(number, $0, &length) == 0
      }
    }
    guard isBound else { throw PlaceFailure("no port is free") }
    return UInt16(bigEndian: address.sin_port)
  }

  private static func answers(_ port: UInt16) -> Bool {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(number) }
    var address = loopback(port)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}

/// Why a service of a test is not there.
public struct PlaceFailure: Error, CustomStringConvertible {
  /// In words.
  public let description: String
  /// Says it.
  public init(_ description: String) { self.description = description }
}

/// The path of a program that `Tools/peers` installs, from Debian or from PyPI.
///
/// - Throws: ``PlaceFailure`` when it is missing.
public func peer(_ name: String) throws -> String {
  let source = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  let folders = ["/\(source)/.build/peers/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"]
  for folder in folders where access("\(folder)/\(name)", X_OK) == 0 { return "\(folder)/\(name)" }
  throw PlaceFailure("\(name) is not installed; Tools/peers installs what the tests speak to")
}

/// A new folder of a test, for all users, since services run as users of their own.
public func placeFolder() throws -> String {
  var template = Array(
    "\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/place-XXXXXX".utf8CString)
  guard let made = mkdtemp(&template) else { throw PlaceFailure("no folder could be made") }
  let folder = String(cString: made)
  chmod(folder, 0o777)
  return folder
}
