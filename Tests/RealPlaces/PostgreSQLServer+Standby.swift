#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A primary and its standby, and how one becomes the other.
extension PostgreSQLServer {
  /// Makes this one, which does not run, a standby of another one, and starts it: what it had is gone.
  public func follow(_ primary: PostgreSQLServer) throws {
    try PlaceTools.run(["rm", "-rf", "\(place)/data"])
    try PlaceTools.run(
      Self.asUser(
        ["\(programs)/pg_basebackup", "-h", primary.place, "-p", "\(Self.port)", "-U", "postgres"]
          + ["-D", "\(place)/data", "-R", "-X", "stream", "-c", "fast", "--no-sync"]))
    try start()
    try primary.wait("a standby that follows") { try followers(primary, "state='streaming'") > 0 }
  }

  /// Makes each commit wait until a standby has it on its disk, and waits until one follows so closely.
  ///
  /// It is not copied to standbys, so one that is promoted waits for none until it is told to.
  public func waitForStandbys() throws {
    try run(
      "ALTER SYSTEM SET synchronous_standby_names='*'; SELECT pg_reload_conf();", in: itself)
    try awaitSynchronousStandby()
  }

  /// Waits until all that was committed is on a synchronous standby: only such a one may be promoted.
  public func awaitSynchronousStandby() throws {
    try wait("a synchronous standby") {
      try followers(self, "state='streaming' AND sync_state='sync'") > 0
    }
  }

  /// Makes a standby whose primary is gone the primary, and waits until it writes.
  public func promote() throws {
    try PlaceTools.run(
      Self.asUser(["\(programs)/pg_ctl", "promote", "-s", "-w", "-t", "60", "-D", "\(place)/data"]))
  }

  /// Lets nothing reach the standbys any more, as a broken network does, until it is killed.
  public func cutOff() throws {
    for line in try run("SELECT pid FROM pg_stat_replication", in: itself).split(separator: "\n") {
      guard let sender = pid_t(line) else { continue }
      // It does not notice when its parent is gone.
      PlaceGuard.add(group: sender)
      systemKill(sender, SIGSTOP)
    }
  }

  /// The database that every cluster has.
  private var itself: String {
    "host=\(place) port=\(Self.port) user=postgres dbname=postgres"
  }

  private func followers(_ primary: PostgreSQLServer, _ condition: String) throws -> Int {
    let count = try primary.run(
      "SELECT count(*) FROM pg_stat_replication WHERE \(condition)", in: primary.itself)
    return Int(count.filter(\.isNumber)) ?? 0
  }

  private func wait(_ what: String, until condition: () throws -> Bool) throws {
    for _ in 0..<600 {
      if try condition() { return }
      usleep(50_000)
    }
    throw PlaceFailure("\(place) waits for \(what) in vain")
  }
}
