import CommandFoundation
import SyncKit
import SyncKitEncryption
import SyncKitFormats

/// Encrypts again what lies on the encrypted remotes, with the key of the newest epoch.
struct VaultReencryption {
  /// What was done on a remote.
  struct Done {
    let remote: String
    var done = Reencryption()
  }

  private let session: Session
  private let remotes: [Configuration.Remote]
  /// Servers, which keep each object as it was stored.
  private let servers: [String]
  /// Whether it was begun before and cut off: it goes on with the key that it had.
  let isUnfinished: Bool

  /// Finds the remotes: all encrypted ones, or those that were left when it was cut off.
  ///
  /// - Throws: ``SyncError`` `usage` where each is a server, `crypto.no-keys` where none is encrypted.
  init(_ session: Session) throws {
    let encrypted = session.encryptedRemotes
    let possible = encrypted.filter { !$0.location.isServer }
    servers = encrypted.filter(\.location.isServer).map(\.name)
    guard !possible.isEmpty || encrypted.isEmpty else {
      throw SyncError(
        .usage,
        "'\(servers[0])' is a server, which keeps what devices have stored there as it is",
        hint:
          "'cloudsync vault rotate' encrypts what comes; to have nothing there under the former key, use a new account"
      )
    }
    let unfinished = try session.keyring()?.reencrypting ?? []
    let left = possible.filter { unfinished.contains($0.name) }
    (isUnfinished, remotes) = (!left.isEmpty, left.isEmpty ? possible : left)
    self.session = session
  }

  /// The names of the remotes.
  var names: Set<String> { Set(remotes.map(\.name)) }

  /// Does it, remote by remote, and notes each that is done.
  ///
  /// - Throws: ``SyncError`` of a remote; another run goes on where this one has ended.
  func perform() async throws -> [Done] {
    var all: [Done] = []
    let domain = session.enabledDomains.first ?? DomainRegistry.names[0]
    for remote in remotes {
      // What the epoch begins with may not have reached it when the last run was cut off.
      try await session.exchangeStatements(on: remote, for: domain)
      var done = Done(remote: remote.name)
      for domain in DomainRegistry.names { done.done += try await perform(domain, on: remote) }
      if done.done.left == 0 { try await noteEnd(remote) }
      all.append(done)
    }
    return all
  }

  private func perform(
    _ domain: String, on remote: Configuration.Remote
  ) async throws -> Reencryption {
    // So that no run of this device merges and removes what is put in place at this moment.
    let lock = try await session.lock(domain, wait: .seconds(10))
    defer { lock.release() }
    let transport = EncryptedTransport(
      try session.transport(for: remote, creating: false), keys: try session.keys(for: remote),
      memory: NoMemory(), environment: session.environment)
    let line = ProgressLine(session.context)
    defer { line.clear() }
    return try await transport.reencrypt(domain) { done, total in
      line.show(
        "\(domain): encrypting again on \(remote.name)", done: done, of: total, .count("files"))
    }
  }

  private func noteEnd(_ remote: Configuration.Remote) async throws {
    let lock = try await session.lock("vault-keys", wait: .seconds(10))
    defer { lock.release() }
    var ring = try session.keyring(for: remote)
    ring.reencrypting.remove(remote.name)
    try ring.save(in: session.directories.data)
  }

  /// Tells a person what was done, and what was not.
  func tell(_ done: [Done]) {
    let context = session.context
    for one in done {
      context.note(
        "\(one.remote): encrypted \(Plural(one.done.objects, "segment")) again (\(one.done.bytes) bytes)"
      )
      if one.done.left > 0 {
        context.warn(
          "\(one.remote): \(Plural(one.done.left, "segment")) \(one.done.left == 1 ? "has" : "have") not arrived and "
            + "stay under the former key; let the drive bring all files, then run 'cloudsync vault rotate --reencrypt' again"
        )
      }
      if one.done.refused > 0 {
        context.warn(
          "\(one.remote): left \(Plural(one.done.refused, "object")) that no device of the vault has stored so"
        )
      }
    }
    for server in servers {
      context.warn(
        "\(server) is a server, which keeps what devices have stored there as it is; only what comes has the new key"
      )
    }
  }
}

/// Objects that are looked at once.
private struct NoMemory: ObjectMemory {
  func objects() throws -> [ContentHash: KnownObject] { [:] }
  func note(_ found: [ContentHash: KnownObject], forgetting gone: [ContentHash]) throws {}
}
