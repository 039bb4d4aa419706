import CommandFoundation
import SyncKit
import SyncKitEncryption

// What only the owner of a vault can do, by the recovery code.
extension Session {
  /// The encrypted remotes.
  var encryptedRemotes: [Configuration.Remote] { configuration.remotes.filter(\.isEncrypted) }

  /// Whether a recovery code opens a remote.
  func opens(_ configured: Configuration.Remote, _ code: RecoveryCode) async throws -> Bool {
    let ring = try keyring(for: configured)
    return try await slots(on: configured).contains {
      $0.kind == .recovery && $0.open(code: code, now: environment.now())?.id == ring.keys.vault.id
    }
  }

  /// Puts a new recovery code in the place of the one before, on each encrypted remote.
  ///
  /// - Parameter former: The code before. Without it the new one opens all data and lets no device go.
  /// - Returns: The new code.
  /// - Throws: ``SyncError`` `crypto.no-keys`, `crypto.wrong-code`, and of a remote that cannot be reached; it gets the new
  ///   code with the next sync.
  func renewRecovery(from former: RecoveryCode?) async throws -> RecoveryCode {
    let code = RecoveryCode(from: environment)
    if let former {
      try await beginEpoch(by: former, next: code, lettingGo: [])
      return code
    }
    try await replace(.recovery) {
      KeySlot($0, owner: nil, recovery: code, from: environment)
    }
    return code
  }

  /// Sets a passphrase that opens the keys, on each encrypted remote, in the place of the one before; nil for none.
  ///
  /// - Throws: ``SyncError`` `crypto.no-keys`, and of a remote that cannot be reached; it follows with the next sync.
  func setPassphrase(_ passphrase: String?) async throws {
    try await replace(.passphrase) { keys in
      try passphrase.map { try KeySlot(keys, passphrase: $0, from: environment) }
    }
  }

  /// Puts another slot in the place of those of its kind, on each encrypted remote.
  private func replace(
    _ kind: KeySlot.Kind, with slot: (VaultKeys) throws -> KeySlot?
  ) async throws {
    let remotes = try encryptedRemotesOrThrow()
    try await exchangeStatements(on: remotes)
    var ring = try keyring(for: remotes[0])
    ring.replace(kind, with: try slot(ring.keys.vault), from: environment)
    try ring.save(in: directories.data)
    forgetExchanges()
    try await exchangeStatements(on: remotes)
  }

  /// Begins a new epoch: from now on everything is encrypted with a key that only the devices have that stay.
  ///
  /// - Parameters:
  ///   - code: The recovery code.
  ///   - next: The recovery code from then on; nil for the same.
  ///   - gone: The devices that are let go.
  ///   - reencrypting: The remotes on which what is there is to be encrypted again.
  /// - Throws: ``SyncError`` `crypto.wrong-code`, `crypto.no-keys`, and of a remote that cannot be reached. Once the first
  ///   remote has the new epoch it holds, and the others get it with their next sync.
  func beginEpoch(
    by code: RecoveryCode, next: RecoveryCode? = nil, lettingGo gone: [VaultDevice],
    reencrypting: Set<String> = []
  ) async throws {
    let remotes = try encryptedRemotesOrThrow()
    let owner = try await owner(by: code, on: remotes)
    // Under the lock of every run: none seals with the former key in the middle of it, and what this device has taken
    // in is what counts.
    var locks: [StoreLock] = []
    defer { for lock in locks { lock.release() } }
    for domain in enabledDomains { locks.append(try await lock(domain, wait: .seconds(10))) }
    try await exchangeStatements(on: remotes)
    var ring = try keyring(for: remotes[0])
    let passphrase = try configuredPassphrase()
    if passphrase == nil, ring.slots.contains(where: { $0.kind == .passphrase }) {
      context.warn(
        "the passphrase opens nothing from now on: set it again with 'cloudsync vault passphrase'")
    }
    try ring.keys.beginEpoch(
      by: owner, lettingGo: gone, objects: objects(by: Set(gone.map(\.key))),
      slots: { keys in
        try [KeySlot(keys, owner: owner, recovery: next ?? code, from: environment)]
          + (passphrase.map { [try KeySlot(keys, passphrase: $0, from: environment)] } ?? [])
      }, from: environment)
    ring.reencrypting.formUnion(reencrypting)
    try ring.save(in: directories.data)
    forgetExchanges()
    try await exchangeStatements(on: remotes)
  }

  private func exchangeStatements(
    on remotes: [Configuration.Remote], isDryRun: Bool = false
  ) async throws {
    let domain = enabledDomains.first ?? DomainRegistry.names[0]
    for remote in remotes {
      try await exchangeStatements(on: remote, for: domain, isDryRun: isDryRun)
    }
  }

  /// Finds a device of the vault by its id, its name or its words, among those that have introduced themselves by now.
  ///
  /// - Throws: ``SyncError`` `record.not-found`, `crypto.no-keys`, and of the remotes.
  func vaultDevice(_ text: String, isDryRun: Bool) async throws -> VaultDevice {
    let remotes = try encryptedRemotesOrThrow()
    try await exchangeStatements(on: remotes, isDryRun: isDryRun)
    let members = try keys(for: remotes[0]).membership.members
    if let one = members.first(where: { $0.fingerprint == text || $0.id == text }) { return one }
    let devices = NameResolver<VaultDevice>(
      id: \.id, name: \.name, plural: "devices", list: "cloudsync vault")
    return try devices.one(text, of: members) { "the vault has no device '\($0)'" }
  }

  /// The devices of the vault with one of these ids, after asking the remotes for new ones; empty if nothing is
  /// encrypted.
  ///
  /// - Throws: ``SyncError`` `crypto.keys-damaged`, and of the remotes.
  func vaultDevices(_ ids: Set<String>, isDryRun: Bool) async throws -> [VaultDevice] {
    let remotes = encryptedRemotes
    guard !remotes.isEmpty, try keyring() != nil else { return [] }
    try await exchangeStatements(on: remotes, isDryRun: isDryRun)
    return try keys(for: remotes[0]).membership.members.filter { ids.contains($0.id) }
  }

  private func encryptedRemotesOrThrow() throws -> [Configuration.Remote] {
    let remotes = encryptedRemotes
    guard !remotes.isEmpty else {
      throw SyncError(.noKeys, "no remote of this device is encrypted")
    }
    return remotes
  }

  func owner(
    by code: RecoveryCode, on remotes: [Configuration.Remote]
  ) async throws -> VaultOwner {
    var opens = false
    for remote in remotes {
      for slot in try await slots(on: remote) {
        if let owner = slot.owner(code: code) { return owner }
        opens = opens || slot.open(code: code, now: environment.now()) != nil
      }
    }
    guard opens else {
      throw SyncError(
        .wrongCode, "this is not the recovery code of your vault",
        hint: "'cloudsync vault recovery test' says whether a code is the one; nothing was changed")
    }
    throw SyncError(
      .wrongCode, "this code opens your data, and lets no device go",
      hint:
        "it was made without the code before it. Start anew: 'cloudsync init' with an empty place makes a vault with a "
        + "code that does")
  }
}
