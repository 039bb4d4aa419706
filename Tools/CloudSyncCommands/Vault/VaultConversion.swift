import CommandFoundation
import SyncKit
import SyncKitEncryption

/// Encrypts a remote that holds records in plain.
///
/// It syncs as before, and marks the remote as encrypted: a device that would store in plain is refused from then on. Then
/// it takes in what the others have stored so far, stores everything encrypted, and removes the plain segments. An
/// interrupted conversion is repeated.
struct VaultConversion {
  /// What was done with a domain.
  struct Move {
    let domain: String
    let done: RemoteMove
  }

  let remote: Configuration.Remote
  private let session: Session
  private let domains: [String]

  /// Names the remote, or takes the only one that is not encrypted.
  ///
  /// - Throws: ``SyncError`` `usage`, and `remote.layout` where a document lies there.
  init(_ session: Session, to name: String?) throws {
    let remotes = session.configuration.remotes
    if let name {
      guard let known = session.configuration[remote: name] else {
        throw SyncError.unknownName("remote", name, among: remotes.map(\.name))
      }
      remote = known
    } else {
      let plain = remotes.filter { !$0.isEncrypted }
      guard plain.count == 1 else {
        throw SyncError(
          .usage,
          plain.isEmpty
            ? "every remote of this device is encrypted"
            : "which one? \(plain.map(\.name).joined(separator: ", ")) are not encrypted",
          hint: "name the remote")
      }
      remote = plain[0]
    }
    self.session = session
    let name = remote.name
    domains = session.enabledDomains.filter { session.remoteNames(of: $0).contains(name) }
    guard !remote.location.isServer else {
      throw SyncError(
        .usage, "'\(name)' is a server, and an account that is not encrypted stays so",
        hint:
          "invite yourself to a new account, add it with 'cloudsync remote add', and remove '\(name)' when all "
          + "devices use the new one")
    }
    for domain in domains {
      let layout = session.configuration[domain: domain]?.layout ?? .segments
      guard layout == .segments else { throw SyncError.noDocuments(on: name, of: domain) }
    }
  }

  /// Whether it was encrypted before, so that whoever can write there may have put there what lies there in plain.
  var isRepeated: Bool {
    get throws {
      guard let ring = try session.keyring() else { return false }
      return ring.remotes.contains(remote.name) && !ring.unfinished.contains(remote.name)
    }
  }

  /// What lies there in plain; nothing is changed.
  func preview() async throws -> [Move] {
    if !remote.isEncrypted { try await others() }
    var moves: [Move] = []
    for domain in domains {
      let listed = try await session.plainRemains(of: domain, on: remote).segments
      var move = RemoteMove()
      (move.removed, move.bytes) = (listed.count, listed.reduce(0) { $0 + ($1.size ?? 0) })
      moves.append(Move(domain: domain, done: move))
    }
    return moves
  }

  /// Makes or opens its vault, so that nothing is stored there in plain any more.
  ///
  /// - Parameter opening: What opens the keys, where another device was first.
  /// - Returns: The recovery code of a new vault, of which there is no other copy.
  /// - Throws: ``SyncError`` of the remote, before anything is changed there; `crypto.*`.
  func begin(by opening: VaultOpening?) async throws -> RecoveryCode? {
    // A run that was cut off may have come to the keys, and not yet to the place.
    let isBegun = try session.keyring()?.remotes.contains(remote.name) == true
    if !remote.isEncrypted, !isBegun, try await !session.isEncryptedPlace(remote) {
      try await others()
      try await session.takeIn(domains, from: remote)
    }
    let locks = try await session.lock(domains)
    defer { for lock in locks { lock.release() } }
    return try await session.openVault(on: remote, by: opening)
  }

  /// Writes down that it is encrypted.
  func configure() async throws {
    guard !remote.isEncrypted else { return }
    var file = try ConfigFile(session.context)
    try file.set(["remotes", remote.name, "encrypted"], to: "true")
    try await file.save()
  }

  /// Stores everything encrypted and removes what lies there in plain.
  ///
  /// - Returns: What was done with each domain.
  /// - Throws: ``SyncError`` of the remote; another run goes on where this one has ended.
  func finish() async throws -> [Move] {
    let locks = try await session.lock(domains)
    defer { for lock in locks { lock.release() } }
    let session = try Session(session.context)
    let name = self.remote.name
    guard let remote = session.configuration[remote: name], remote.isEncrypted else {
      throw SyncError(
        .configInvalid, "'\(name)' is configured outside of the file of this device",
        hint:
          "set 'encrypted: true' where 'cloudsync config show --resolved' says, then run this again"
      )
    }
    var moves: [Move] = []
    for domain in domains {
      try await session.exchangeStatements(on: remote, for: domain)
      let store = try session.store(domain)
      let former = Remote(
        "\(name) in plain", location: remote.location.url,
        transport: try session.plainRemains(on: remote))
      let done = try await store.move(
        from: former, to: session.remote(remote, for: domain),
        SyncRun(session, .usual).syncOptions(domain))
      moves.append(Move(domain: domain, done: done))
    }
    if moves.allSatisfy({ $0.done.left == 0 }) { try await noteEnd() }
    return moves
  }

  private func noteEnd() async throws {
    let lock = try await session.lock("vault-keys", wait: .seconds(10))
    defer { lock.release() }
    var ring = try session.keyring(for: remote)
    ring.unfinished.remove(remote.name)
    try ring.save(in: session.directories.data)
  }

  /// Refuses a place where something lies that this device does not sync and so cannot encrypt.
  private func others() async throws {
    for domain in DomainRegistry.names where !domains.contains(domain) {
      guard try await session.hasPlainRemains(of: domain, on: remote) else { continue }
      throw SyncError.otherDomain(
        domain, on: remote, isEnabled: session.enabledDomains.contains(domain))
    }
  }
}

extension Session {
  /// What lies in plain on a remote, whether or not it is encrypted.
  func plainRemains(on configured: Configuration.Remote) throws -> PlainRemains {
    PlainRemains(try transport(for: configured, creating: false))
  }

  /// What lies there in plain of a domain.
  func plainRemains(
    of domain: String, on configured: Configuration.Remote
  ) async throws -> Inventory {
    let plain = try plainRemains(on: configured)
    // As a device that knows nothing yet: to which vault the domain belongs elsewhere does not matter.
    let identity = RemoteIdentity(vault: [], isKnown: false, newVault: "", mayWrite: false)
    _ = try await plain.attach(identity, domain: domain)
    return try await plain.inventory(of: domain)
  }

  /// Whether anything of a domain lies there in plain, be it as a document or as a mark of what was withdrawn.
  func hasPlainRemains(
    of domain: String, on configured: Configuration.Remote
  ) async throws -> Bool {
    do {
      let remains = try await plainRemains(of: domain, on: configured)
      return !remains.segments.isEmpty || !remains.erased.isEmpty
    } catch let error as SyncError where error.code == .remoteLayout {
      return true
    }
  }
}
