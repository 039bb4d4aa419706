import CommandFoundation
import SyncKit
import SyncKitEncryption

extension Session {
  /// The keys of the vault, for a remote that is encrypted.
  ///
  /// - Throws: ``SyncError`` `crypto.no-keys`.
  func keyring(for configured: Configuration.Remote) throws -> VaultKeyring {
    guard let ring = try keyring() else { throw SyncError.noKeys(configured.name) }
    return ring
  }

  /// The keys of this device for an encrypted remote, as the last exchange of this session left them.
  func keys(for configured: Configuration.Remote) throws -> DeviceKeys {
    if let learned = learnedKeys { return learned }
    return try keyring(for: configured).keys
  }

  /// Learns what the devices of the vault have stated on an encrypted remote, and states there what it lacks; once in a
  /// while, so that a run over several domains does so once.
  ///
  /// - Throws: ``SyncError`` `crypto.revoked`, and of the transport.
  func exchangeStatements(
    on configured: Configuration.Remote, for domain: String, isDryRun: Bool = false
  ) async throws {
    guard configured.isEncrypted, isExchangeDue(configured.name) else { return }
    let lock = isDryRun ? nil : try await lock("vault-keys", wait: .seconds(10))
    defer { lock?.release() }
    // The others are told the id that stays.
    if !isDryRun { try keepDevice() }
    if try keyring() == nil, !isDryRun { try await joinByConfiguration(configured) }
    var ring = try keyring(for: configured)
    // Also where the place does not show the owner's word any more.
    guard !ring.leaving.contains(configured.name) else { throw SyncError.leaving(configured.name) }
    if !isDryRun, !ring.remotes.contains(configured.name) {
      try begin(configured.name, &ring)
      try ring.save(in: directories.data)
    }
    let remote = Remote(
      configured.name, location: configured.location.url,
      transport: try transport(for: configured, creating: false))
    let keys = try await remote.exchange(
      ring.keys, for: store(domain), others: { try stores(besides: domain) }, isDryRun: isDryRun,
      save: { keys in
        guard !isDryRun else { return }
        ring.keys = keys
        try ring.save(in: directories.data)
      })
    noteExchange(configured.name, keys)
  }

  /// Notes that a remote is encrypted from now on.
  private func begin(_ remote: String, _ ring: inout VaultKeyring) throws {
    guard !ring.remotes.contains(remote) else { return }
    // What is known of it in plain is true of it no more.
    for store in try stores(besides: "") where try store.remote(remote).isAttached {
      ring.unfinished.insert(remote)
      try store.forgetRemote(remote)
    }
    ring.note(remote, isEncrypted: true)
  }

  /// The stores that are there, but for one.
  func stores(besides domain: String) throws -> [SyncStore] {
    try DomainRegistry.names.filter { $0 != domain && isMade($0) }.map { try store($0) }
  }

  /// What this device has taken in of some devices, on whichever remote.
  func objects(by authors: Set<[UInt8]>) throws -> [[UInt8]: Set<ContentHash>] {
    var digests: [[UInt8]: Set<ContentHash>] = [:]
    for store in try stores(besides: "") {
      digests.merge(try store.objects(by: authors)) { $0.union($1) }
    }
    return digests
  }

  /// A transport to an encrypted remote, around one that stores.
  ///
  /// - Throws: ``SyncError`` `crypto.no-keys`.
  func sealing(
    _ transport: any Transport, of configured: Configuration.Remote, for domain: String
  ) throws -> any Transport {
    try encrypted(configured, for: domain, over: transport)
  }

  /// The encrypting transport of a remote.
  ///
  /// - Throws: ``SyncError`` `crypto.no-keys`.
  func encrypted(
    _ configured: Configuration.Remote, for domain: String, over transport: (any Transport)? = nil
  ) throws -> EncryptedTransport {
    let store = try store(domain)
    return EncryptedTransport(
      try transport ?? self.transport(for: configured, creating: false),
      keys: try keys(for: configured), memory: StoreMemory(store, remote: configured.name),
      environment: environment,
      isTaken: { store.hasOwn($1, of: $0, on: configured.name) },
      noteEntries: { try await self.note($0) })
  }

  /// Refuses to use a remote without encryption that this device knows as encrypted, and a new one of which nobody has
  /// said whether it is.
  ///
  /// - Throws: ``SyncError`` `crypto.turned-off`, `crypto.undecided`.
  func checkEncryption(of configured: Configuration.Remote, for domain: String) throws {
    guard !configured.isEncrypted else { return }
    let name = configured.name
    guard try keyring()?.remotes.contains(name) != true else {
      if try keyring()?.leaving.contains(name) == true { throw SyncError.leaving(name) }
      throw SyncError(
        .turnedOff, "'\(name)' is encrypted, and the configuration does not say so",
        hint:
          "run 'cloudsync vault encrypt \(name)'; for another place, remove "
          + "the remote with 'cloudsync remote rm \(name)' and add it again")
    }
    guard configured.encryption == nil,
      TransportRegistry.registration(configured.location.type)?.encryptsNewVaults == true,
      try !store(domain).remote(name).isAttached
    else { return }
    throw SyncError(
      .undecided, "it is not decided whether '\(name)' is encrypted",
      hint: "run 'cloudsync init', which encrypts a new vault, or 'cloudsync init --unencrypted'")
  }

  /// What domains are called on a remote.
  func placeNames(
    of domains: [String], on configured: Configuration.Remote
  ) throws -> [String] {
    guard configured.isEncrypted, let keys = try keyring()?.keys.vault else { return domains }
    return domains.map { EncryptedTransport.pseudonym($0, keys) }
  }

  // MARK: Setting up

  /// Finds out whether everything on a remote is encrypted, or is to be: an encrypted vault stays one and a plain one
  /// too, and a new one is encrypted unless a person says otherwise.
  ///
  /// - Throws: ``SyncError`` of the transport, and `usage` for a wish that the remote does not fit.
  func decideEncryption(
    of configured: Configuration.Remote, _ wish: EncryptionWish?
  ) async throws -> Bool {
    let name = configured.name
    if try keyring()?.remotes.contains(name) == true, wish != .unencrypted { return true }
    let content = try await content(of: configured)
    if content.isEncrypted {
      guard wish != .unencrypted else {
        throw SyncError(
          .usage,
          "'\(name)' belongs to an encrypted vault, so it cannot be used without encryption",
          hint: "leave out --unencrypted, and pass the code of 'cloudsync device pair' with --code")
      }
      return true
    }
    if content.isNew {
      let kind = TransportRegistry.registration(configured.location.type)
      return wish.map { $0 == .encrypted } ?? kind?.encryptsNewVaults ?? true
    }
    guard wish != .encrypted else {
      throw SyncError(
        .usage, "'\(name)' belongs to a vault that is not encrypted",
        hint: "choose an empty place for an encrypted one")
    }
    return false
  }

  /// The slots on a remote.
  func slots(on configured: Configuration.Remote) async throws -> [KeySlot] {
    try await content(of: configured).slots
  }

  /// Whether a remote is encrypted, whatever the configuration says.
  func isEncryptedPlace(_ configured: Configuration.Remote) async throws -> Bool {
    try await content(of: configured).isEncrypted
  }

  private func content(of configured: Configuration.Remote) async throws -> KeyPlace.Content {
    do {
      return try await KeyPlace(transport(for: configured, creating: false)).content()
    } catch let error as SyncError
      where error.code == .remoteUnavailable && !configured.location.isServer
    {
      // It is made when the stores attach to it.
      return KeyPlace.Content()
    }
  }

  /// Makes a new vault on an encrypted remote, or opens the one that is there.
  ///
  /// - Parameters:
  ///   - configured: The remote.
  ///   - opening: What opens it: a code, or a passphrase, with which a new vault can be opened too; asked for when it is
  ///     nil and needed.
  ///   - consent: What the person allows, as for a sync.
  /// - Returns: The recovery code of a new vault, which is to be written down; nil for one that was opened.
  /// - Throws: ``SyncError`` `crypto.*`.
  func openVault(
    on configured: Configuration.Remote, by opening: VaultOpening?,
    _ consent: RemoteIdentity.Consent = .none
  ) async throws -> RecoveryCode? {
    if opening != nil, try keyring() != nil { try await learnWhetherLetGo(configured) }
    let content = try await content(of: configured)
    if var ring = try keyring(), !ring.keys.isLeftOut {
      let slots = content.slots
      guard slots.isEmpty || slots.contains(where: { $0.vault == ring.keys.vault.id }) else {
        throw SyncError(
          .otherVault, "'\(configured.name)' belongs to another vault than this device",
          hint: "choose another remote, or a profile of its own with --profile")
      }
      try await refuseClosed(configured)
      try begin(configured.name, &ring)
      try ring.save(in: directories.data)
      try await publish(ring, on: configured, that: slots, consent)
      return nil
    }
    guard content.slots.isEmpty else {
      try await enter(content.slots, try opening ?? ask(for: configured), configured)
      return nil
    }
    guard !content.isEncrypted else {
      throw SyncError(
        .noKeys, "the keys of '\(configured.name)' are not there",
        hint: "let the drive bring all files, then try again")
    }
    if case .code = opening {
      throw SyncError(
        .wrongCode, "there is no vault on '\(configured.name)' that a code could open",
        hint:
          "check that it is the place that the other device syncs with, and that all of it is here")
    }
    let owner = VaultOwner(from: environment)
    let keys = VaultKeys(of: owner, from: environment)
    let recovery = RecoveryCode(from: environment)
    var slots = [KeySlot(keys, owner: owner, recovery: recovery, from: environment)]
    if case .passphrase(let text) = opening {
      slots.append(try KeySlot(keys, passphrase: text, from: environment))
    }
    var ring = VaultKeyring(DeviceKeys(of: keys, by: owner, from: environment), slots: slots)
    try begin(configured.name, &ring)
    // Before anything is sealed with them.
    try ring.save(in: directories.data)
    try await publish(ring, on: configured, that: [], consent)
    return recovery
  }

  /// Finds out whether this device was let go, and so needs the keys that a code opens.
  private func learnWhetherLetGo(_ configured: Configuration.Remote) async throws {
    do {
      try await exchangeStatements(
        on: configured, for: enabledDomains.first ?? DomainRegistry.names[0])
    } catch let error as SyncError where error.code == .revoked {
      // That is what it wants to end.
    }
  }

  private func enter(
    _ slots: [KeySlot], _ opening: VaultOpening, _ configured: Configuration.Remote
  ) async throws {
    for slot in slots {
      let now = environment.now()
      guard let keys = opening.open(slot, now: now) else { continue }
      let frontier = opening.frontier(slot, now: now)
      let lasting = slots.filter { $0.vault == keys.id && $0.kind != .invitation }
      let former = try keyring()
      // A device that was let go is another one from now on; its data stays.
      let kept = former.flatMap { $0.keys.isLetGo ? nil : $0.keys.with(keys, after: frontier) }
      var ring = VaultKeyring(
        kept ?? DeviceKeys(of: keys, after: frontier, from: environment), slots: lasting)
      for name in former?.remotes ?? [] { ring.note(name, isEncrypted: true) }
      ring.unfinished = former?.unfinished ?? []
      try begin(configured.name, &ring)
      try ring.save(in: directories.data)
      for domain in enabledDomains { try frontier.expect(in: store(domain), from: configured.name) }
      if slot.kind == .invitation, case .code(let code) = opening {
        let place = KeyPlace(try transport(for: configured, creating: false))
        try await place.attach(identity(), keys)
        try await place.remove { $0.kind == .invitation && $0.open(code: code, now: 0) != nil }
      }
      return
    }
    if case .passphrase = opening {
      let hasOne = slots.contains { $0.kind == .passphrase }
      throw SyncError(
        .wrongCode,
        hasOne
          ? "the passphrase does not open '\(configured.name)'"
          : "'\(configured.name)' is not opened by a passphrase",
        hint: hasOne
          ? "type it again, or use a key of 'cloudsync device pair'"
          : "'cloudsync vault passphrase' on a device that has the keys sets one")
    }
    throw SyncError(
      .wrongCode, "the code opens nothing on '\(configured.name)'",
      hint: "an invitation is valid for ten minutes and one device; "
        + "'cloudsync device pair' makes a new one")
  }

  /// The passphrase of the vault that the configuration names; nil without one.
  func configuredPassphrase() throws -> String? {
    try configuration.passphrases["vault"]?.read(environment: context.terminal.environment)
  }

  /// Joins the vault of a remote by the passphrase of the configuration, on a device that has lost its keys or never had
  /// any, such as a container.
  private func joinByConfiguration(_ configured: Configuration.Remote) async throws {
    guard let passphrase = try configuredPassphrase() else { return }
    let slots = try await content(of: configured).slots
    // Where nothing is there yet, a person makes the vault, and gets its recovery code.
    if !slots.isEmpty { try await enter(slots, .passphrase(passphrase), configured) }
  }

  /// Stores what opens the keys on a remote that lacks it, so that one recovery code is good for each.
  @discardableResult
  private func publish(
    _ ring: VaultKeyring, on configured: Configuration.Remote, that slots: [KeySlot],
    _ consent: RemoteIdentity.Consent = .none
  ) async throws -> KeyPlace {
    let place = KeyPlace(try transport(for: configured, creating: true))
    try await place.attach(identity(consent), ring.keys.vault)
    // What is there may be newer than what this device has seen.
    if !slots.contains(where: { $0.kind != .invitation }) {
      for slot in ring.slots { try await place.store(slot) }
    }
    return place
  }

  // MARK: Other devices

  /// Makes a code with which one device can join within ten minutes.
  func invite(
    to configured: Configuration.Remote
  ) async throws -> (code: RecoveryCode, expires: Int64) {
    // A device that was let go invites nobody, and who comes gets the newest key.
    try await exchangeStatements(
      on: configured, for: enabledDomains.first ?? DomainRegistry.names[0])
    let ring = try keyring(for: configured)
    let code = RecoveryCode(from: environment)
    let now = environment.now()
    let expires = now + 10 * 60_000
    let slots = try await content(of: configured).slots
    let place = try await publish(ring, on: configured, that: slots)
    // Those that nobody used are of no use to anybody.
    if slots.contains(where: { $0.hasExpired(at: now) }) {
      try await place.remove { $0.hasExpired(at: now) }
    }
    let frontier = try Frontier(of: ring.keys, stores: stores(besides: ""), on: configured.name)
    try await place.store(
      KeySlot(
        ring.keys.vault, invitation: code, until: expires, telling: frontier, from: environment))
    return (code, expires)
  }

  private func ask(for configured: Configuration.Remote) throws -> VaultOpening {
    if let passphrase = try configuredPassphrase() { return .passphrase(passphrase) }
    guard context.mayAsk, !context.assumesYes else {
      throw SyncError.noKeys(configured.name, again: true)
    }
    let code = try context.ask(
      "key that 'cloudsync device pair' prints on another device, or your recovery code; empty for a passphrase",
      fallback: ""
    ) { answer throws(SyncError) in answer.isEmpty ? nil : try RecoveryCode(typed: answer) }
    if let code { return .code(code) }
    guard let passphrase = try context.askSecret("Passphrase of the vault") else {
      throw SyncError.noKeys(configured.name, again: true)
    }
    return .passphrase(passphrase)
  }

  /// What the stores of this device belong to, before a remote does.
  func identity(_ consent: RemoteIdentity.Consent = .none) throws -> RemoteIdentity {
    var vault: Set<String> = []
    for domain in enabledDomains { vault.formUnion(try store(domain).vault()) }
    return RemoteIdentity(
      vault: vault, isKnown: false, newVault: UUIDText.random(from: environment), consent: consent)
  }
}

extension SyncError {
  /// The device lacks the keys of a remote.
  ///
  /// - Parameters:
  ///   - remote: Its name.
  ///   - again: Whether the command that was given opens a remote, so that the person can give it again with a key.
  /// - Returns: The error `crypto.no-keys`.
  static func noKeys(_ remote: String, again: Bool = false) -> SyncError {
    SyncError(
      .noKeys, "'\(remote)' is encrypted, and this device has no keys of its vault",
      hint: "run 'cloudsync device pair' on a device that has them; then run "
        + (again ? "the same command again with --code KEY" : "'cloudsync init --code KEY'")
        + " here, where KEY is the key that it prints or the recovery code")
  }
}
