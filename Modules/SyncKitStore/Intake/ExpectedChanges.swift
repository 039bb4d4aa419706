import SyncKitModel

extension SyncStore {
  /// What this device knows and, as far as it knows, a remote has: by zone, and without what belongs to other people.
  ///
  /// Zones with branches of a replica are left out, since other devices may know these by other names.
  package func confirmed(on remote: String) throws -> [ZoneID: VersionVector] {
    let state = try self.remote(remote)
    guard state.isAttached else { return [:] }
    return try read { reader in
      let shared = try reader.storage.sharedZones()
      let erased = try reader.storage.erasures()
      var confirmed: [ZoneID: VersionVector] = [:]
      for (id, zone) in try reader.zones()
      where zone.isPublished && zone.branches.isEmpty && erased[id] == nil
        && shared[id]?.access.role.isGuest != true
      {
        let there = state.acknowledged[id] ?? VersionVector()
        var vector = VersionVector()
        for (series, head) in zone.vector.heads {
          guard let end = there[series], end.seq > 0 else { continue }
          vector[series] = end.seq < head.seq ? end : head
        }
        if !vector.heads.isEmpty { confirmed[id] = vector }
      }
      return confirmed
    }
  }

  /// Notes what a remote has, as another device says: what has not come yet counts as awaited there, so that a remote
  /// cannot show an older state unnoticed.
  package func expect(_ vectors: [ZoneID: VersionVector], from remote: String) throws {
    try updateRemote(remote) { state in
      for (zone, vector) in vectors {
        state.expected[zone, default: VersionVector()].formUnion(vector)
      }
    }
  }

  /// How many changes have not come that another device has seen on a remote; forgets what has, unless it is a dry run.
  package func countExpected(on remote: String, isDryRun: Bool = false) throws -> Int {
    let expected = try self.remote(remote).expected
    guard !expected.isEmpty else { return 0 }
    let missing = try read { reader in
      let erased = try reader.storage.erasures()
      return try expected.reduce(into: [ZoneID: UInt64]()) { missing, entry in
        let (id, vector) = entry
        guard erased[id] == nil else { return }
        let count = try reader.countUnknown(vector, in: id)
        if count > 0 { missing[id] = count }
      }
    }
    if missing.count < expected.count, !isDryRun {
      try updateRemote(remote) { state in
        for id in expected.keys where missing[id] == nil && state.expected[id] == expected[id] {
          state.expected[id] = nil
        }
      }
    }
    return missing.values.reduce(0) { $0 + Int(clamping: $1) }
  }
}

extension StoreReader {
  /// How many of the changes that lead to a vector are not known here, in whatever names; one at least for a series of
  /// which another history is known.
  fileprivate func countUnknown(_ vector: VersionVector, in id: ZoneID) throws -> UInt64 {
    let known = try zone(id).vector
    return try vector.heads.reduce(0) { count, entry in
      let (series, head) = entry
      guard try locate(id, series, at: head.seq, head.hash) == nil,
        try !isPruned(id, series, at: head.seq)
      else { return count }
      let last = known[series]?.seq ?? 0
      return count + (last < head.seq ? head.seq - last : 1)
    }
  }
}
