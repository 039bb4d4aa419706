import SyncKit

/// What a client of SSH means by its last words and its exit status.
struct SSHFailure: Equatable {
  /// The kinds of failures that a person handles in different ways.
  enum Kind: Equatable {
    /// The server shows another key than before.
    case changedKey
    /// The server's key is not known here.
    case unknownKey
    /// The server takes none of the user's keys.
    case denied
    /// There is no server, or no way to it.
    case unreachable
    /// The server has cut the connection while it was being made, as busy ones do.
    case turnedAway
    /// The server does not offer SFTP.
    case noSubsystem
    /// The client does not understand its command line or its configuration.
    case misused
    /// Anything else.
    case other

    /// Whether another try may have another outcome, once a connection has stood.
    var isPassing: Bool { [.unreachable, .turnedAway, .other].contains(self) }
  }

  /// What kind it is.
  let kind: Kind
  /// What the client has said, in a line.
  let said: String
  /// Its exit status; nil when it had to be ended.
  let status: Int32?

  /// Judges.
  init(_ said: [UInt8], status: Int32?, hasSpoken: Bool) {
    self.said = SSHWords.line(said)
    self.status = status
    let text = String(decoding: said, as: UTF8.self).lowercased()
    let signs: [(Kind, [String])] = [
      (.changedKey, ["remote host identification has changed", "revoked host key"]),
      (
        .unknownKey,
        [
          "host key verification failed", "host key is known for",
          "fingerprint could not be verified",
        ]
      ),
      (
        .denied,
        ["permission denied", "too many authentication failures", "no supported authentication"]
      ),
      (
        .noSubsystem,
        ["subsystem request failed", "this service allows sftp", "exec request failed"]
      ),
      (
        .misused,
        ["bad configuration option", "usage: ssh", "unknown option", "terminating, ", "bad port"]
      ),
      (
        .turnedAway,
        [
          "kex_exchange_identification", "ssh_exchange_identification", "connection reset",
          "connection closed by", "exceeded maxstartups",
        ]
      ),
      (
        .unreachable,
        [
          "could not resolve", "connection refused", "timed out", "no route to host",
          "network is unreachable", "host is down", "not responding", "broken pipe",
          "temporary failure in name resolution",
        ]
      ),
    ]
    kind = signs.first { $0.1.contains { text.contains($0) } }?.0 ?? .other
  }

  /// The error for a connection that has ended by this.
  func error(_ access: SFTPAccess) -> SyncError {
    let place = access.place
    let cause = said.isEmpty ? status.map { "ssh ended with \($0)" } : said
    switch kind {
    case .changedKey:
      return SyncError(
        .remoteHostKey, "The server at \(place) shows another host key than before.",
        hint: "Another machine may be in between. Ask its operator whether the key has changed; "
          + "only then remove the old one with 'ssh-keygen -R' and connect once with '\(access.trial)'.",
        cause: cause)
    case .unknownKey:
      return SyncError(
        .remoteHostKey, "The host key of \(place) is not known on this device.",
        hint: "Get its fingerprint from the operator, connect once with '\(access.trial)', and "
          + "accept the key if it has that fingerprint.",
        cause: cause)
    case .denied:
      return SyncError(
        .remoteDenied, "The server at \(place) does not let this device in.",
        hint: "cloudsync never asks for a password. Make sure that '\(access.trial)' works without "
          + "one: add the public key there, and the private one to the agent or to ~/.ssh/config.",
        cause: cause)
    case .unreachable, .turnedAway:
      return SyncError(
        .remoteUnavailable, "The server at \(place) cannot be reached.",
        hint: "Check the address and the network; '\(access.trial)' tries the same by hand.",
        cause: cause)
    case .noSubsystem:
      return SyncError(
        .remoteUnavailable, "The server at \(place) does not offer SFTP to this account.",
        hint: "Ask its operator to turn on SFTP, the subsystem 'sftp' of the SSH server.",
        cause: cause)
    case .misused:
      return SyncError(
        .configInvalid, "The command that reaches \(place) does not work.",
        hint: "Correct the remote's ssh-command, or ~/.ssh/config.", cause: cause)
    case .other:
      return SyncError(
        .remoteUnavailable, "The connection to \(place) ended.",
        hint: "'\(access.trial)' tries the same by hand.", cause: cause)
    }
  }

  /// The error for a server that has left a request without an answer.
  static func silent(_ said: [UInt8], _ access: SFTPAccess) -> SyncError {
    let words = SSHWords.line(said)
    return SyncError(
      .remoteUnavailable,
      "The server at \(access.place) did not answer for \(access.silence.components.seconds) s.",
      hint: "Local work goes on; the next sync tries again.", cause: words.isEmpty ? nil : words)
  }

  /// The error for a server that breaks the protocol.
  static func broken(_ breach: SFTPBreach, _ access: SFTPAccess) -> SyncError {
    if let text = breach.text {
      let words = SSHWords.line(text.utf8)
      return SyncError(
        .remoteProtocol, "What answers at \(access.place) prints text before it speaks SFTP.",
        hint: "Let the login scripts of the account print nothing when no terminal is there.",
        cause: words.isEmpty ? nil : words)
    }
    return SyncError(
      .remoteProtocol, "The server at \(access.place) breaks the protocol SFTP.",
      hint: "Check that the remote's host is an SSH server.", cause: "it sent \(breach.what)")
  }
}
