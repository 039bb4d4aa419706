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
  /// - Throws: ``SyncKit/SyncError`` `internal.bug` for keys of no device.
  public func encrypted(with keys: DeviceKeys, for store: SyncStore) throws -> Remote {
    Remote(
      name, location: location,
      transport: try EncryptedTransport(
        transport, keys: keys.vault, author: keys.author, memory: StoreMemory(store, remote: name),
        environment: store.environment))
  }
}
