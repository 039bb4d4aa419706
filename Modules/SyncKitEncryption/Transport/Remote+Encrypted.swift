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
  ///   - noteEntries: Keeps who takes part in shared zones, with ``DeviceKeys/noting(_:)``; needed where records are shared.
  /// - Returns: A remote of the same name and location.
  public func encrypted(
    with keys: DeviceKeys, for store: SyncStore,
    noteEntries: @escaping @Sendable ([SharedZoneName: [UInt8]]) async throws -> Void = { _ in }
  ) -> Remote {
    Remote(
      name, location: location,
      transport: EncryptedTransport(
        transport, keys: keys, memory: StoreMemory(store, remote: name),
        environment: store.environment, isTaken: { store.hasOwn($1, of: $0, on: name) },
        noteEntries: noteEntries))
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
  /// - Throws: ``SyncKit/SyncError`` `crypto.revoked` when this device was let go, `crypto.closed` when the owner of the
  ///   vault has moved the remote to plain, and of the transport.
  public func exchange(
    _ keys: DeviceKeys, for store: SyncStore, others: () throws -> [SyncStore] = { [] },
    isDryRun: Bool = false, save: (DeviceKeys) throws -> Void
  ) async throws -> DeviceKeys {
    let isKnown = try isKnown(to: store) || others().contains { try self.isKnown(to: $0) }
    var identity = RemoteIdentity(
      vault: try store.vault(), isKnown: isKnown,
      newVault: UUIDText.random(from: store.environment), mayWrite: !isDryRun)
    identity.remote = (name, location)
    identity.isFollowed = true
    let place = KeyPlace(transport)
    // A place that was moved to plain must not be marked as encrypted again by a device that does not know of it.
    if !isKnown { try await refuseClosed(place, keys) }
    do { try await place.attach(identity, keys.vault) } catch let error as SyncError
      where error.code == .remoteMarker
    {
      try await refuseClosed(place, keys)
      throw error
    }
    return try await place.exchange(
      keys, on: (name, location), as: isDryRun ? nil : (store.device.id, store.device.name),
      from: store.environment,
      having: { devices in
        var digests: [[UInt8]: Set<ContentHash>] = [:]
        for store in try [store] + others() {
          digests.merge(try store.objects(by: devices)) { $0.union($1) }
        }
        return digests
      }, save: save)
  }

  private func isKnown(to store: SyncStore) throws -> Bool {
    let known = try store.remote(name)
    return known.isAttached && known.location == location
  }

  /// - Throws: ``SyncKit/SyncError`` `crypto.closed` when the owner of the vault has moved the remote to plain.
  private func refuseClosed(_ place: KeyPlace, _ keys: DeviceKeys) async throws {
    do {
      if let closing = try await place.closing(keys).closing {
        throw closing.refusal(of: name, at: location)
      }
    } catch let error as SyncError where error.code == .remoteUnavailable {
      // Where there is nothing at all yet, nothing was said.
    }
  }
}

extension SyncStore {
  /// Whether a zone of a domain is the person's own here; what cannot be found out is.
  package func hasOwn(_ zone: ZoneID, of domain: String, on remote: String) -> Bool {
    guard domain == self.domain.name else { return false }
    return (try? isTaken(zone, on: remote)) ?? true
  }
}
