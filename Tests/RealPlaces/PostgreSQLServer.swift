import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A real PostgreSQL with a cluster of its own, behind a socket in the file system, that writes durably.
///
/// PostgreSQL refuses to run as root; then it runs as the user that its package has made.
public final class PostgreSQLServer: Sendable {
  /// The folder of its socket, by which libpq finds it.
  public let place: String
  let programs: String
  private let process: Mutex<PlaceProcess?>
  private let count = Atomic<Int>(0)
  /// The number in the name of its socket.
  static let port = 5432

  // MARK: One for many tests

  private static let common = Mutex<PostgreSQLServer?>(nil)

  /// The one of this process, which ends with it.
  public static func shared() throws -> PostgreSQLServer {
    try common.withLock { server in
      if let server { return server }
      let made = try PostgreSQLServer()
      server = made
      atexit { PostgreSQLServer.common.withLock { $0 }?.stop() }
      return made
    }
  }

  // MARK: Life

  /// Makes a cluster and starts it.
  ///
  /// - Throws: ``PlaceFailure`` when PostgreSQL is not installed or does not start.
  public init() throws {
    programs = try Self.programs()
    place = try placeFolder()
    PlaceGuard.add(folder: place)
    process = Mutex(nil)
    try PlaceTools.run(
      Self.asUser(
        ["\(programs)/initdb", "-D", "\(place)/data", "-A", "trust", "-U", "postgres"]
          + ["-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]))
    try start()
  }

  /// Makes a standby of another one and starts it.
  ///
  /// - Throws: ``PlaceFailure`` when it cannot be copied or does not start.
  public init(following primary: PostgreSQLServer) throws {
    programs = primary.programs
    place = try placeFolder()
    PlaceGuard.add(folder: place)
    process = Mutex(nil)
    try follow(primary)
  }

  deinit { stop() }

  /// Starts it again after ``stopAtOnce()`` or ``kill()``.
  public func start() throws {
    let command = Self.asUser(
      [
        "\(programs)/postgres", "-D", "\(place)/data", "-k", place, "-p", "\(Self.port)",
        "-c", "listen_addresses=", "-c", "max_connections=200", "-c", "shared_buffers=32MB",
        // A standby looks for its primary every five seconds otherwise.
        "-c", "wal_retrieve_retry_interval=200ms",
      ])
    for _ in 0..<100 {
      let started = try PlaceProcess(command, in: place)
      for _ in 0..<300 {
        if (try? PlaceTools.run(["\(programs)/pg_isready", "-q", "-h", place, "-p", "\(Self.port)"]))
          != nil
        {
          return process.withLock { $0 = started }
        }
        // What a killed one has left behind is gone a moment later.
        if !started.isRunning { break }
        usleep(20_000)
      }
      if started.output.contains("PANIC") { break }
      started.stop()
      usleep(50_000)
    }
    throw PlaceFailure("PostgreSQL did not start in \(place)")
  }

  /// Stops it as a loss of power does, without a last word to anyone.
  public func kill() {
    // Each of its processes is a group of its own.
    let lines = (try? PlaceTools.read("\(place)/data/postmaster.pid")) ?? ""
    guard let postmaster = pid_t(lines.split(separator: "\n").first.map(String.init) ?? "") else {
      return
    }
    let children = (try? PlaceTools.read("/proc/\(postmaster)/task/\(postmaster)/children")) ?? ""
    for process in [postmaster] + children.split(separator: " ").compactMap({ pid_t($0) }) {
      systemKill(process, SIGKILL)
    }
    end(SIGKILL)
  }

  /// Stops it without finishing anything, as `pg_ctl stop -m immediate` does.
  public func stopAtOnce() { end(SIGQUIT) }

  /// Stops it and removes its cluster.
  public func stop() {
    end(SIGINT)
    _ = try? PlaceTools.run(["rm", "-rf", place])
    PlaceGuard.remove(folder: place)
  }

  private func end(_ signal: Int32) {
    guard
      let ended = process.withLock({ process in
        defer { process = nil }
        return process
      })
    else { return }
    ended.send(signal)
    for _ in 0..<250 where ended.isRunning { usleep(20_000) }
    ended.stop()
  }

  // MARK: What is in it

  /// Makes an empty database.
  ///
  /// - Parameter standbys: Where it will be as well.
  /// - Returns: Its address, as libpq reads it.
  /// - Throws: ``PlaceFailure``.
  public func database(alsoAt standbys: [PostgreSQLServer] = []) throws -> String {
    let name = "test\(count.add(1, ordering: .relaxed).newValue)"
    try PlaceTools.run(
      ["\(programs)/createdb", "-h", place, "-p", "\(Self.port)", "-U", "postgres", name])
    let hosts = ([self] + standbys).map(\.place).joined(separator: ",")
    return "host=\(hosts) port=\(Self.port) user=postgres dbname=\(name)"
  }

  /// Runs statements in a database.
  ///
  /// - Returns: What they give, a line for each row, the columns apart by `|`.
  @discardableResult
  public func run(_ statements: String, in database: String) throws -> String {
    let file = "\(place)/statements-\(count.add(1, ordering: .relaxed).newValue)"
    try PlaceTools.write(statements, to: file)
    try PlaceTools.run(
      ["\(programs)/psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-f", file, "-o"]
        + ["\(file).out", database])
    defer {
      unlink(file)
      unlink("\(file).out")
    }
    return try PlaceTools.read("\(file).out")
  }

  /// Copies a database into a file, or puts such a copy into another one.
  public func dump(_ database: String, to file: String) throws {
    try PlaceTools.run([
      "\(programs)/pg_dump", "--format", "custom", "--file", file, "--dbname", database,
    ])
  }

  /// Puts a copy into an empty database.
  public func restore(_ file: String, into database: String) throws {
    try PlaceTools.run(["\(programs)/pg_restore", "--dbname", database, file])
  }

  // MARK: Programs

  private static func programs() throws -> String {
    let folder = "/usr/lib/postgresql"
    var versions: [Int] = []
    if let listing = opendir(folder) {
      defer { closedir(listing) }
      while let entry = readdir(listing) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if let version = Int(name) { versions.append(version) }
      }
    }
    for version in versions.sorted(by: >)
    where access("\(folder)/\(version)/bin/initdb", X_OK) == 0 {
      return "\(folder)/\(version)/bin"
    }
    throw PlaceFailure("PostgreSQL is not installed; Tools/peers installs what the tests speak to")
  }

  static func asUser(_ words: [String]) -> [String] {
    guard geteuid() == 0 else { return words }
    return ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] + words
  }
}

/// The system's `kill`, by a name that no method of ours hides.
func systemKill(_ process: pid_t, _ signal: Int32) { _ = kill(process, signal) }
