import SyncKitModel
import SyncKitStore

// What the store makes of the inventory of a remote.

extension SyncStore {
  /// An inventory without the zones that this device must not take anything of: erased ones, ones
  /// that are local here, later generations of roots that are, and other people's from elsewhere.
  func admissible(_ inventory: Inventory, from remote: String) throws -> Inventory {
    let zones = Set(inventory.segments.map(\.zone))
    let refused = try read { reader in
      try reader.closedZones(among: zones).union(inventory.erased.keys)
        .union(reader.storage.foreignZones(on: remote).unread)
    }
    guard !refused.isDisjoint(with: zones) else { return inventory }
    var inventory = inventory
    inventory.segments.removeAll { refused.contains($0.zone) }
    return inventory
  }

  /// That the home zone, which no device erases, is marked as erased on a remote; nil when it is not.
  func homeProblem(_ inventory: Inventory, _ remote: String) -> SyncError? {
    guard inventory.erased[.home] != nil else { return nil }
    let name = domain.name
    return SyncError(
      .remoteErased,
      "'\(remote)' says that '\(name)' was erased, which no device does; its home zone is"
        + " not synced there.",
      hint:
        "All data here stay. A server removes the mark when it restarts; in a folder,"
        + " delete '\(name)/home/erased-*'; or give the domain another remote. Then sync.")
  }

  /// Adds to own erasures the replicas whose segments lie on a remote and were never seen here; their
  /// devices are not known by name.
  func noteMembers(of erasures: [ZoneID: Erasure], _ inventory: Inventory) throws {
    for (zone, erasure) in erasures where erasure.isOwn {
      let known = try read { try $0.zone(zone).vector }
      let strangers = Set(inventory.segments.filter { $0.zone == zone }.map(\.series))
        .filter { known[$0] == nil && erasure.members[$0] == nil }
      guard !strangers.isEmpty else { continue }
      try update([zone]) { erasure in
        for replica in strangers where erasure.members[replica] == nil {
          erasure.members[replica] = DeviceName(id: replica.description, name: nil)
        }
      }
    }
  }

  /// The erasures that a remote does not show completely, with what is to be said there.
  func unconfirmed(
    _ erasures: [ZoneID: Erasure], _ inventory: Inventory
  ) -> [(zone: ZoneID, confirmations: Confirmations)] {
    guard !erasures.isEmpty else { return [] }
    let present = Set(inventory.segments.map(\.zone))
    return erasures.sorted { $0.key < $1.key }.compactMap { zone, erasure in
      let isShown = inventory.erased[zone].map(erasure.confirmations.isSubset) ?? false
      return isShown && !present.contains(zone) ? nil : (zone, erasure.confirmations)
    }
  }
}
