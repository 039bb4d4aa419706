#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The SSH server of Debian on loopback, with keys of its own, for the account that runs the test.
public final class OpenSSHServer: Sendable {
  /// What it lets the account do.
  public enum Variant: Sendable, Hashable, CaseIterable {
    /// SFTP by the server's own code.
    case inside
    /// SFTP by the program `sftp-server`.
    case outside
    /// SFTP without any extension that changes files, as other makers' servers have it.
    case plain
    /// SFTP that only reads.
    case readOnly
    /// Nothing but SFTP, in a folder that is all the account sees; needs root.
    case locked
    /// No SFTP at all.
    case none
  }

  /// A new folder that a device may use as a remote, by its path on this machine.
  public let folder: String
  /// The path of that folder as the server takes it.
  public let path: String
  /// The client with a configuration that knows the server and has the right key.
  public let command: [String]
  /// Where keys and configurations are.
  public let place: String
  /// Where it listens.
  public var port: UInt16 { process.port }

  private let process: PlaceProcess
  private let top: String

  /// Starts it.
  ///
  /// - Parameters:
  ///   - variant: What it lets the account do.
  ///   - medium: The folder that is to hold the remote's folder; one of its own unless given.
  /// - Throws: ``PlaceFailure``.
  public init(_ variant: Variant = .inside, on medium: String? = nil) throws {
    guard variant != .locked || geteuid() == 0 else {
      throw PlaceFailure("a server that locks an account into a folder has to be started as root")
    }
    place = try placeFolder()
    // The server trusts no folder that others can write to.
    chmod(place, 0o755)
    // And it locks an account only into a folder on whose whole path nobody else can write.
    let top = try medium ?? (variant == .locked ? Self.rootsFolder() : "\(place)/top")
    self.top = top
    folder = "\(top)/remote"
    for made in [top, folder] { mkdir(made, 0o755) }
    path = variant == .locked ? "/remote" : folder
    for key in ["host", "client", "stranger"] {
      try PlaceTools.run([
        "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", key, "-f", "\(place)/\(key)",
      ])
    }
    let port = try PlaceProcess.freePort()
    try PlaceTools.write(
      Self.configuration(variant, place, top, port), to: "\(place)/sshd_config")
    try PlaceTools.write(
      PlaceTools.read("\(place)/client.pub"), to: "\(place)/authorized_keys")
    try PlaceTools.write("", to: "\(place)/known_hosts")
    try PlaceTools.write(
      """
      Host *
        IdentityFile \(place)/client
        IdentitiesOnly yes
        IdentityAgent none
        UserKnownHostsFile \(place)/known_hosts
        GlobalKnownHostsFile /dev/null

      """, to: "\(place)/ssh_config")
    command = ["ssh", "-F", "\(place)/ssh_config"]
    // It leaves its privileges in an empty folder that the package makes when the service starts.
    if geteuid() == 0 { mkdir("/run/sshd", 0o755) }
    process = try PlaceProcess(
      [peer("sshd"), "-D", "-e", "-f", "\(place)/sshd_config"], listeningOn: port, in: place)
    try know(key: "host")
  }

  deinit { stop() }

  /// Ends it with all connections, and removes its folder.
  public func stop() {
    process.stop()
    _ = try? PlaceTools.run(["rm", "-rf", place, folder])
    // That of a test stays.
    rmdir(top)
  }

  /// Ends the connections and keeps listening.
  public func cut() throws {
    // The processes of sessions, not the one that listens.
    for session in try Self.children(of: Self.listener(on: place)) { kill(session, SIGKILL) }
  }

  /// Makes the client know a key as the server's.
  public func know(key: String) throws {
    let text = try PlaceTools.read("\(place)/\(key).pub")
    try PlaceTools.write("[127.0.0.1]:\(port) \(text)", to: "\(place)/known_hosts")
  }

  /// Makes the client know no server.
  public func forget() throws { try PlaceTools.write("", to: "\(place)/known_hosts") }

  /// The client with a key that the server does not take.
  public var strangersCommand: [String] {
    get throws {
      let text = try PlaceTools.read("\(place)/ssh_config")
      let path = "\(place)/strangers_config"
      try PlaceTools.write(
        text.split(separator: "\n").map { line in
          line.contains("IdentityFile") ? "  IdentityFile \(place)/stranger" : String(line)
        }.joined(separator: "\n") + "\n", to: path)
      return ["ssh", "-F", path]
    }
  }

  /// What it has written.
  public var output: String { process.output }

  private static func configuration(
    _ variant: Variant, _ place: String, _ top: String, _ port: UInt16
  ) -> String {
    let requests = "posix-rename,hardlink,fsync,statvfs,fstatvfs,limits,lsetstat,expand-path"
    let subsystem =
      switch variant {
      case .inside, .locked: "internal-sftp"
      case .outside: "/usr/lib/openssh/sftp-server"
      case .plain: "internal-sftp -P \(requests)"
      case .readOnly: "internal-sftp -R"
      case .none: ""
      }
    return """
      ListenAddress 127.0.0.1
      Port \(port)
      HostKey \(place)/host
      PidFile \(place)/sshd.pid
      AuthorizedKeysFile \(place)/authorized_keys
      PasswordAuthentication no
      KbdInteractiveAuthentication no
      UsePAM no
      StrictModes no
      PermitRootLogin yes
      MaxStartups 100
      MaxSessions 100
      \(subsystem.isEmpty ? "" : "Subsystem sftp \(subsystem)")
      \(variant == .locked ? "ChrootDirectory \(top)\nForceCommand internal-sftp" : "")

      """
  }

  private static func rootsFolder() throws -> String {
    var template = Array("/run/place-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw PlaceFailure("no folder could be made") }
    let folder = String(cString: made)
    chmod(folder, 0o755)
    return folder
  }

  private static func listener(on place: String) throws -> pid_t {
    let text = try PlaceTools.read("\(place)/sshd.pid")
    guard let process = pid_t(text.split(separator: "\n").first.map(String.init) ?? "") else {
      throw PlaceFailure("the server has not written its number")
    }
    return process
  }

  private static func children(of process: pid_t) throws -> [pid_t] {
    let found = try PlaceTools.read("/proc/\(process)/task/\(process)/children")
      .split(separator: " ").compactMap { pid_t($0) }
    return try found.flatMap { try children(of: $0) + [$0] }
  }
}
