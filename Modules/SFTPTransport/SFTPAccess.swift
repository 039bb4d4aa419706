public import SyncKit

/// How an SSH server is reached: where it is, through which program, and what that may cost.
///
/// Time, chance and waiting come in from outside.
public struct SFTPAccess: Sendable {
  /// The server's name, its address, or what `~/.ssh/config` calls it.
  public var host: String
  /// The account there; nil for what `ssh` takes by itself.
  public var user: String?
  /// The port; nil for what `ssh` takes by itself.
  public var port: UInt16?
  /// The client of SSH and arguments that it gets before all others.
  public var command: [String]
  /// The environment of the client, in which it finds its agent and its home.
  public var variables: [String: String]
  /// The clock and the source of chance.
  public var environment: SyncEnvironment
  /// Waits.
  public var wait: @Sendable (Duration) async throws -> Void
  /// How long the server may leave a request without an answer.
  public var silence = Duration.seconds(45)
  /// How often a call is tried whose connection breaks.
  public var tries = 3

  /// Describes a server.
  ///
  /// - Parameters:
  ///   - host: Its name, its address, or what `~/.ssh/config` calls it.
  ///   - user: The account there; nil for what `ssh` takes by itself.
  ///   - port: The port; nil for what `ssh` takes by itself.
  ///   - command: The client of SSH and arguments that it gets before all others.
  ///   - variables: The environment of the client.
  ///   - environment: The clock and the source of chance.
  ///   - wait: Waits.
  public init(
    host: String, user: String? = nil, port: UInt16? = nil, command: [String] = ["ssh"],
    variables: [String: String], environment: SyncEnvironment,
    wait: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.host = host
    self.user = user
    self.port = port
    self.command = command
    self.variables = variables
    self.environment = environment
    self.wait = wait
  }

  /// The server for messages, such as `ada@nas.example.org:2222`.
  var place: String {
    let isAddress = host.utf8.contains(UInt8(ascii: ":"))
    return (user.map { "\($0)@" } ?? "") + (isAddress ? "[\(host)]" : host)
      + (port.map { ":\($0)" } ?? "")
  }

  /// How a person tries the same by hand.
  var trial: String {
    let words = command + (port.map { ["-p", "\($0)"] } ?? []) + (user.map { ["-l", $0] } ?? [])
    return (words + [host]).joined(separator: " ")
  }

  /// The client's whole command line.
  ///
  /// It never asks anybody, and it gives up on a server that is gone.
  ///
  /// - Throws: ``SyncError`` `config.invalid` for a server that would be taken for an option.
  func words() throws(SyncError) -> [String] {
    for word in [host, user ?? "x"]
    where word.isEmpty || word.hasPrefix("-") || word.utf8.contains(0) {
      throw SyncError(
        .configInvalid, "'\(SSHWords.line(word.utf8))' cannot be the name of a server or a user.",
        hint: "Correct the remote's host and user.")
    }
    guard !command.isEmpty else {
      throw SyncError(
        .configInvalid, "The command that reaches \(place) is empty.",
        hint: "Leave it out to use 'ssh', or name a program.")
    }
    var words = command
    for option in [
      "BatchMode=yes", "ConnectTimeout=20", "ServerAliveInterval=15", "ServerAliveCountMax=3",
      "LogLevel=ERROR", "ForwardX11=no", "ForwardAgent=no", "ClearAllForwardings=yes",
      "PermitLocalCommand=no", "RemoteCommand=none", "RequestTTY=no",
    ] {
      words += ["-o", option]
    }
    if let port { words += ["-p", "\(port)"] }
    if let user { words += ["-l", user] }
    return words + ["-s", "--", host, "sftp"]
  }

  /// The pause before another try: half a second, then four times as long each, between half and all of it.
  func pause(afterTry number: Int) -> Duration {
    let share = Double(environment.random() >> 11) / Double(1 << 53)
    var pause = Duration.milliseconds(500)
    for _ in 1..<max(1, number) where pause < .seconds(20) { pause *= 4 }
    return pause * (0.5 + share / 2)
  }
}
