import SyncKitModel

// How a zone ends: as history, or as nothing.
extension StoreTransaction {
  /// Leaves of a zone nothing but its history.
  package func close(_ id: ZoneID) throws {
    var zone = try zone(id)
    zone.isPublished = false
    zone.isClosed = true
    setZone(id, zone)
  }

  /// Whether a zone accepts changes of others: not when it is local, withdrawn or left.
  func takesIn(_ id: ZoneID) throws -> Bool {
    guard id != .local, try storage.get(.meta, Keys.erasure(id)) == nil else { return false }
    if try isKnown(id), try !zone(id).isPublished { return false }
    switch try sharedZone(id)?.access.role {
    case .removed, .left: return false
    case .owner, .writer, .reader, nil: return true
    }
  }

  /// Moves the history of a zone that has never left the device aside, so that it can start again.
  package func archive(_ id: ZoneID) throws {
    let archive = ZoneID(Base32.encode(ReplicaID(from: environment).bytes))
    for table in [Table.change, .series] {
      for (key, row) in try storage.entries(table, prefix: Keys.prefix(id)) {
        let rest = key.dropFirst(Keys.prefix(id).count)
        try storage.put(table, Keys.prefix(archive) + rest, row)
        try storage.delete(table, key)
      }
    }
    setZone(archive, try zone(id))
    try close(archive)
    setZone(id, ZoneState(own: ReplicaID(from: environment)))
  }

  /// Removes everything of a zone; it starts again, with another replica, when it comes back.
  func removeEntirely(_ id: ZoneID) throws {
    try removeContent(of: id)
    setZone(id, ZoneState(own: ReplicaID(from: environment)))
  }

  private func removeContent(of id: ZoneID) throws {
    try noteRemoval(of: id)
    try removeRecords(in: id)
    for row in try logRows(id) + baseRows(id) {
      try storage.delete(.segment, Keys.segment(row.arrival))
      if row.isHashIndex { try storage.delete(.meta, Keys.hashIndex(row.arrival)) }
    }
    for prefix in [Keys.bases(id), Keys.snapshots + Keys.prefix(id), Keys.ends(id)] {
      for (key, _) in try storage.entries(.meta, prefix: prefix) { try storage.delete(.meta, key) }
    }
    chains.ends = [:]
    try storage.delete(.meta, Keys.history(id))
    for table in [Table.change, .series] {
      for (key, _) in try storage.entries(table, prefix: Keys.prefix(id)) {
        try storage.delete(table, key)
      }
    }
  }

  /// Remembers what the store had, so that it still matches its witness.
  private func noteRemoval(of id: ZoneID) throws {
    var vector = try storage.removedVector(id)
    vector.formUnion(try zone(id).authored)
    guard !vector.heads.isEmpty else { return }
    var writer = ByteWriter()
    writer.write(vector)
    try storage.put(.meta, Keys.removed(id), writer.bytes)
  }

  /// Removes everything of a zone but the fact that it was there.
  func purge(_ id: ZoneID) throws {
    try removeContent(of: id)
    setZone(id, ZoneState(own: try zone(id).own))
    try close(id)
  }

  /// The past participants of a zone, without this device.
  package func members(of id: ZoneID, _ view: RecordView) throws -> [ReplicaID: DeviceName] {
    let zone = try zone(id)
    var members: [ReplicaID: DeviceName] = [:]
    for (row, _) in try storage.entries(
      .record, prefix: Keys.prefix(id, DeviceRecord.collection))
    {
      guard let replica = ReplicaID(try Keys.record(parsing: row).id.text), replica != zone.own
      else { continue }
      members[replica] = try view.device(id, replica)
    }
    return members
  }
}

extension StorageReader {
  /// Whether the content of a zone may leave at all, as things are now.
  package func publishes(_ id: ZoneID) throws -> Bool {
    guard try zoneState(id)?.isPublished == true else { return false }
    return try sharedZone(id)?.access.role.mayWrite ?? true
  }

  /// What was applied of a zone whenever its content was removed.
  func removedVector(_ id: ZoneID) throws -> VersionVector {
    try get(.meta, Keys.removed(id)).map { try $0.reading { try $0.vector() } } ?? VersionVector()
  }
}
