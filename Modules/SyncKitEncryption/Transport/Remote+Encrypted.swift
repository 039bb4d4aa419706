public import SyncKit

extension Remote {
  /// The same remote with everything on it encrypted.
  ///
  /// All devices need the keys of one vault. A remote that belongs to other keys is refused.
  /// What opens the keys on another device can lie on the remote too, see ``KeyPlace``.
  ///
  /// - Parameters:
  ///   - keys: The keys of this device.
  ///   - store: The store that syncs with the remote; it remembers what the objects there hold.
  /// - Returns: A remote of the same name and location.
  public func encrypted(with keys: DeviceKeys, for store: SyncStore) -> Remote {
    Remote(
      name, location: location,
      transport: EncryptedTransport(
        transport, keys: keys, memory: StoreMemory(store, remote: name),
        environment: store.environment))
  }

  /// Brings a device's keys up to date with what the devices of its vault have stated on this remote, and states there
  /// what it lacks: that this device belongs to the vault, and what has come over other remotes.
  ///
  /// A device does so before it syncs with a remote, which must not be an encrypted one itself: use the remote from which
  /// ``encrypted(with:for:)`` makes one.
  ///
  /// - Parameters:
  ///   - keys: The keys of this device.
  ///   - store: A store that syncs with the remote.
  ///   - others: The device's other stores; asked for when a device was let go, so that what had come of it counts.
  ///   - isDryRun: Whether nothing is to be stored.
  ///   - save: Keeps the keys; called when they have changed, before anything is stored on the remote.
  /// - Returns: The keys.
  /// - Throws: ``SyncKit/SyncError`` `crypto.revoked` when this device was let go, and of the transport.
  public func exchange(
    _ keys: DeviceKeys, for store: SyncStore, others: () throws -> [SyncStore] = { [] },
    isDryRun: Bool = false, save: (DeviceKeys) throws -> Void
  ) async throws -> DeviceKeys {
    let known = try store.remote(name)
    var identity = RemoteIdentity(
      vault: try store.vault(), isKnown: known.isAttached && known.location == location,
      newVault: UUIDText.random(from: store.environment), mayWrite: !isDryRun)
    identity.remote = (name, location)
    identity.isFollowed = true
    let place = KeyPlace(transport)
    try await place.attach(identity, keys.vault)
    return try await place.exchange(
      keys, as: isDryRun ? nil : (store.device.id, store.device.name), from: store.environment,
      having: { devices in
        var heads: [[UInt8]: Set<ContentHash>] = [:]
        for store in try [store] + others() {
          heads.merge(try store.objects(by: devices)) { $0.union($1) }
        }
        return heads
      }, save: save)
  }
}
