import CommandFoundation
import SyncKit
import SyncKitEncryption

/// Encrypts a remote that holds records in plain.
///
/// It syncs as before, and marks the remote as encrypted: a device that would store in plain is refused from then on. Then
/// it takes in what the others have stored so far, stores everything encrypted, and removes the plain segments. An
/// interrupted conversion is repeated.
struct VaultConversion {
  let remote: Configuration.Remote
  private let session: Session
  private let domains: [String]

  /// Names the remote, or takes the only one that is not encrypted.
  ///
  /// - Throws: ``SyncError`` `usage`, and `remote.layout` where a document lies there.
  init(_ session: Session, to name: String?) throws {
    remote = try session.remote(
      name, orOnlyOf: session.configuration.remotes.filter { !$0.isEncrypted },
      none: "every remote of this device is encrypted", which: "are not encrypted")
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
  func preview() async throws -> [VaultMove] {
    if !remote.isEncrypted { try await others() }
    var moves: [VaultMove] = []
    for domain in domains {
      moves.append(
        VaultMove(domain, removing: try await session.plainRemains(of: domain, on: remote)))
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
  func finish() async throws -> [VaultMove] {
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
    var moves: [VaultMove] = []
    for domain in domains {
      try await session.exchangeStatements(on: remote, for: domain)
      let store = try session.store(domain)
      let former = Remote(
        "\(name) in plain", location: remote.location.url,
        transport: try session.plainRemains(on: remote))
      let done = try await store.move(
        from: former, to: session.remote(remote, for: domain),
        SyncRun(session, .usual).syncOptions(domain))
      moves.append(
        VaultMove(domain, removed: done.removed, bytes: done.bytes, left: done.left))
    }
    if moves.allSatisfy({ $0.left == 0 }) { try await noteEnd() }
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
  /// Finds the remote of a name, or the only one of those that can be meant.
  ///
  /// - Parameters:
  ///   - name: What the person has named, if anything.
  ///   - candidates: Those that can be meant where no name is given.
  ///   - none: What to say if there are none.
  ///   - which: What to say behind the names of several.
  /// - Returns: The remote as it is configured.
  /// - Throws: ``SyncError`` `usage`.
  func remote(
    _ name: String?, orOnlyOf candidates: [Configuration.Remote], none: String, which: String
  ) throws -> Configuration.Remote {
    if let name {
      guard let known = configuration[remote: name] else {
        throw SyncError.unknownName("remote", name, among: configuration.remotes.map(\.name))
      }
      return known
    }
    guard candidates.count == 1 else {
      let names = candidates.map(\.name).joined(separator: ", ")
      throw SyncError(
        .usage, candidates.isEmpty ? none : "which one? \(names) \(which)",
        hint: "name the remote")
    }
    return candidates[0]
  }

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
