import CommandFoundation
import SyncKit
import SyncKitEncryption

/// Moves an encrypted remote to plain, where it is.
///
/// The owner of the vault says so, sealed and signed, on the remote itself: from then on each device of the vault stores
/// nothing there until a person agrees on it. Then each takes in what lies there encrypted, stores everything in plain,
/// and removes what was encrypted. Whatever is cut off is repeated.
struct VaultDecryption {
  let remote: Configuration.Remote
  private let session: Session
  private let domains: [String]

  /// Names the remote, or takes the only one that is encrypted.
  ///
  /// - Throws: ``SyncError`` `usage`.
  init(_ session: Session, of name: String?) throws {
    remote = try session.remote(
      name, orOnlyOf: session.encryptedRemotes, none: "no remote of this device is encrypted",
      which: "are encrypted")
    self.session = session
    let name = remote.name
    domains = session.enabledDomains.filter { session.remoteNames(of: $0).contains(name) }
    guard !remote.location.isServer else {
      throw SyncError(
        .usage, "'\(name)' is a server, and an account that is encrypted stays so",
        hint:
          "invite yourself to a new account, add it with 'cloudsync remote add NAME URL --join LINK --unencrypted', and "
          + "remove '\(name)' when all devices use the new one")
    }
    if try session.keyring() == nil {
      guard remote.isEncrypted else { throw notEncrypted }
      throw SyncError.noKeys(name)
    }
  }

  private var notEncrypted: SyncError {
    SyncError(
      .usage, "'\(remote.name)' is not encrypted", hint: "see 'cloudsync remote list'")
  }

  /// Whether this device uses it in plain already, so that only what others have brought late is left to be done.
  var isPlain: Bool {
    get throws {
      try !remote.isEncrypted && session.keyring()?.remotes.contains(remote.name) != true
    }
  }

  /// The word of the vault's owner on the remote, if it is about this one.
  ///
  /// - Parameters:
  ///   - other: What the person says the remote is called on the device that moved it.
  ///   - isDryRun: Whether nothing is to be kept.
  /// - Returns: Nil where the owner has said nothing.
  /// - Throws: ``SyncError`` `crypto.closed` when it is about another remote, `usage` for a remote that is not encrypted,
  ///   and of the remote.
  func closing(knownAs other: String?, isDryRun: Bool) async throws -> VaultClosing? {
    let closing = try await session.closing(of: remote, isDryRun: isDryRun)
    guard let closing else {
      guard remote.isEncrypted else { throw notEncrypted }
      return nil
    }
    guard closing.names(remote.name, at: remote.location.url) || closing.remote == other else {
      throw closing.refusal(of: remote.name, at: remote.location.url)
    }
    return closing
  }

  /// What lies there encrypted; nothing is changed.
  func preview() async throws -> [VaultMove] {
    try await others()
    let keys = try session.keyring(for: remote).keys.vault
    var moves: [VaultMove] = []
    for domain in domains {
      let listed = try await session.plainRemains(
        of: EncryptedTransport.pseudonym(domain, keys), on: remote)
      moves.append(VaultMove(domain, removing: listed))
    }
    return moves
  }

  /// Has the owner say on the remote that it is encrypted no more.
  ///
  /// - Parameter code: The recovery code.
  /// - Throws: ``SyncError`` `crypto.wrong-code`, and of the remote; nothing was changed there then.
  func begin(by code: RecoveryCode) async throws {
    let owner = try await session.owner(by: code, on: [remote])
    try await others()
    // One that was cut off takes in the rest when it goes on.
    if try !session.keyring(for: remote).leaving.contains(remote.name) {
      try await session.takeIn(domains, from: remote)
    }
    // None of this device seals in the middle of it.
    let locks = try await session.lock(domains)
    defer { for lock in locks { lock.release() } }
    let place = KeyPlace(try session.transport(for: remote, creating: false))
    let learned = try await place.closing(session.keyring(for: remote).keys)
    try await place.close(
      learned.keys, remote: remote.name, at: remote.location.url, by: owner,
      from: session.environment)
  }

  /// Stores everything in plain and removes what lies there encrypted, once the owner has said so.
  ///
  /// - Returns: What was done with each domain.
  /// - Throws: ``SyncError`` of the remote; another run goes on where this one has ended.
  func finish() async throws -> [VaultMove] {
    let locks = try await session.lock(domains)
    defer { for lock in locks { lock.release() } }
    let (name, former) = (remote.name, "\(remote.name) encrypted")
    guard try await session.closing(of: remote) != nil else {
      throw SyncError(
        .remoteWaiting, "'\(name)' does not show what the owner of the vault has said",
        hint: "let the drive bring all files, then try again")
    }
    let keys = try session.keyring(for: remote).keys
    if try !isPlain {
      try await change { $0.leaving.insert(name) }
      for store in try session.stores(besides: "") where try store.remote(name).isAttached {
        // What is known of it is true of what lies there encrypted; that need not be fetched again.
        try StoreMemory(store, remote: former).note(
          StoreMemory(store, remote: name).objects(), forgetting: [])
        try store.forgetRemote(name)
      }
    }
    var moves: [VaultMove] = []
    for domain in domains {
      let store = try session.store(domain)
      let remains = SealedRemains(
        try session.transport(for: remote, creating: false), keys: keys,
        memory: StoreMemory(store, remote: former), environment: session.environment)
      let url = remote.location.url
      let plain = LeavingTransport(try session.transport(for: remote, creating: false))
      let progress = ProgressTask(session.context, store, domain: domain)
      do {
        let done = try await store.move(
          from: Remote(former, location: url, transport: remains),
          to: Remote(name, location: url, transport: plain),
          SyncRun(session, .usual).syncOptions(domain))
        await progress.end()
        let removed = await remains.removed
        moves.append(
          VaultMove(domain, removed: removed.objects, bytes: removed.bytes, left: done.left))
      } catch {
        await progress.end()
        throw error
      }
    }
    let place = KeyPlace(try session.transport(for: remote, creating: false))
    _ = try await place.closing(keys)
    try await place.unmark(keys.vault, isEmpty: try await isEmpty(keys.vault))
    try await configure()
    return moves
  }

  /// Whether nothing encrypted lies there, also of domains that this device does not sync.
  private func isEmpty(_ keys: VaultKeys) async throws -> Bool {
    for domain in DomainRegistry.names
    where try await session.hasPlainRemains(
      of: EncryptedTransport.pseudonym(domain, keys), on: remote)
    {
      return false
    }
    return true
  }

  /// Writes down that it is not encrypted; first where a person does, so that nothing takes it for encrypted again.
  private func configure() async throws {
    let name = remote.name
    if remote.isEncrypted {
      var file = try ConfigFile(session.context)
      try file.set(["remotes", name, "encrypted"], to: "false")
      try await file.save()
      guard try Session(session.context).configuration[remote: name]?.isEncrypted == false else {
        throw SyncError(
          .configInvalid, "'\(name)' is configured outside of the file of this device",
          hint:
            "set 'encrypted: false' where 'cloudsync config show --resolved' says, then run this again"
        )
      }
    }
    try await change { $0.note(name, isEncrypted: false) }
  }

  private func change(_ body: (inout VaultKeyring) -> Void) async throws {
    let lock = try await session.lock("vault-keys", wait: .seconds(10))
    defer { lock.release() }
    var ring = try session.keyring(for: remote)
    body(&ring)
    try ring.save(in: session.directories.data)
  }

  /// Refuses a place where something lies that this device does not sync and so cannot store in plain.
  private func others() async throws {
    let keys = try session.keyring(for: remote).keys.vault
    for domain in DomainRegistry.names where !domains.contains(domain) {
      guard
        try await session.hasPlainRemains(
          of: EncryptedTransport.pseudonym(domain, keys), on: remote)
      else { continue }
      throw SyncError.otherDomain(
        domain, on: remote, isEnabled: session.enabledDomains.contains(domain))
    }
  }
}
