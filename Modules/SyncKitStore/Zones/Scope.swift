import SyncKitModel

extension SyncStore {
  /// What ``SyncStore/setScope(_:of:)`` does.
  @discardableResult
  func changeScope(_ scope: Record.Scope, of key: RecordKey) throws -> BatchSummary {
    guard rules.placement(key.collection) == .root, scope != .shared else {
      throw SyncError(
        .inputInvalid, "\(key) has no scope of its own.",
        hint: "Only a whole tree can be local or synced; name the record at its root.")
    }
    return try write { try $0.setScope(scope, of: key) }.summary
  }
}

extension WriteTransaction {
  package func setScope(_ scope: Record.Scope, of key: RecordKey) throws {
    guard let root = try record(key), !root.isDeleted else { throw SyncError.noRecord(key) }
    if let access = root.access, access.role.isGuest {
      throw SyncError(
        .inputInvalid,
        "\(key.collection)/\(key.id) belongs to \(access.owner), who sets its scope.",
        hint: "To remove it here, leave the share.")
    }
    let zone = try inner.zone(key.zone)
    let wasKept = try inner.storage.retainedTree(key.zone) != nil
    if wasKept { try inner.storage.delete(.meta, Keys.kept(key.zone)) }
    guard zone.isPublished != (scope == .synced) else {
      // That it is local here, because others wanted it local, is now the choice of this device too.
      return count(wasKept ? .changed : .unchanged)
    }
    let name = RootName(collection: key.collection, id: key.id)
    if scope == .synced {
      guard !inner.rules.keepsBack(name) else {
        throw inner.rules.refusal(
          of: RecordOperation(.edit, name.collection, name.id),
          "is kept on this device by its configuration.")
      }
      try publish(key.zone, of: name)
    } else if zone.vector.heads.isEmpty {
      // Nothing of it has ever been sealed, so nothing can have left.
      var zone = zone
      zone.isPublished = false
      inner.setZone(key.zone, zone)
      try inner.forgetPositions()
      count(.changed)
    } else {
      try withdraw(key.zone, of: name)
    }
  }

  /// Starts the zone again with the current values; earlier ones stay here as history.
  private func publish(_ id: ZoneID, of root: RootName) throws {
    let carried = try carried(from: id)
    let isErased = try inner.storage.get(.meta, Keys.erasure(id)) != nil
    let target = isErased ? try inner.nextZone(of: root, after: id) : id
    try inner.removeRecords(in: id)
    if target == id { try inner.archive(id) } else { try inner.close(id) }
    try settle(carried, in: target, isPublished: true)
  }

  /// Moves the tree to the next zone, a local one, and has the former one erased everywhere.
  private func withdraw(_ id: ZoneID, of root: RootName) throws {
    let carried = try carried(from: id)
    var erasure = Erasure(root: root, at: inner.environment.now())
    erasure.isOwn = true
    erasure.members = try inner.members(of: id, view)
    let zone = try inner.zone(id)
    erasure.confirmations[zone.own] = zone.vector
    let target = try inner.nextZone(of: root, after: id)
    try inner.removeRecords(in: id)
    try inner.close(id)
    try inner.storage.put(.meta, Keys.erasure(id), erasure.encoded)
    try settle(carried, in: target, isPublished: false)
  }

  /// Removes the content of a zone that another device erased; a local zone is left alone.
  ///
  /// - Returns: A sentence when something was removed or kept.
  package func accept(
    _ id: ZoneID, _ confirmations: Confirmations, on remote: String
  ) throws -> String? {
    if let row = try inner.storage.get(.meta, Keys.erasure(id)) {
      var erasure = try Erasure(decoding: row)
      erasure.confirmations.formUnion(confirmations)
      try inner.storage.put(.meta, Keys.erasure(id), erasure.encoded)
      return nil
    }
    var erasure = Erasure(root: nil, at: inner.environment.now())
    erasure.confirmations = confirmations
    guard try inner.isKnown(id), case let zone = try inner.zone(id), zone.isPublished
    else {
      try inner.storage.put(.meta, Keys.erasure(id), erasure.encoded)
      return nil
    }
    let root = try inner.rules.root(of: id, in: inner.storage, inner.symbols)
    erasure.root = root
    erasure.confirmations[zone.own] = VersionVector()
    try inner.storage.put(.meta, Keys.erasure(id), erasure.encoded)
    try inner.forgetPositions()
    let kept = try unkept(in: id, of: root, by: confirmations.kept)
    let target = try kept.isEmpty ? nil : successor(of: id, root)
    try inner.removeRecords(in: id)
    try inner.purge(id)
    let name = root.map { "\($0.collection)/\($0.id)" }
    guard let target else {
      return name.map { "\($0) was made local on another device and is removed here." }
    }
    // It may have been published again, and this device may know that already.
    let isOpen = try inner.isKnown(target) && inner.zone(target).isPublished
    let news = kept.filter { $0.news?.isEmpty == false }
      .map { RootName(collection: $0.key.collection, id: $0.key.id) }
    try settle(kept, in: target, isPublished: isOpen)
    if !isOpen { try noteKept(Set(news), in: target, on: remote) }
    let place =
      isOpen ? "continue in it, since it was published again." : "are kept here as a local record."
    return "\(name ?? "A record") was made local on another device; edits that had not"
      + " reached that device \(place)"
  }

  /// Remembers that edits continue in a local zone because another device erased the tree, and not by choice.
  private func noteKept(_ records: Set<RootName>, in zone: ZoneID, on remote: String) throws {
    guard let batch = summary.batch else { return }
    var kept = RetainedTree(remote: remote, batch: batch, records: records)
    if let before = try inner.storage.retainedTree(zone) {
      kept.batches.formUnion(before.batches)
      kept.records.formUnion(before.records)
    }
    try inner.storage.put(.meta, Keys.kept(zone), kept.encoded)
  }

  /// The zone in which the kept records of an erased zone continue.
  private func successor(of id: ZoneID, _ root: RootName?) throws -> ZoneID {
    if let root { return try inner.nextZone(of: root, after: id) }
    // Its root is unknown, so it gets a zone that no other device has.
    return ZoneID(Base32.encode(ReplicaID(from: inner.environment).bytes))
  }

  // MARK: Moving

  /// A record as it is carried into another zone.
  struct Carried {
    package var key: RecordKey
    package var created: UInt64
    package var modified: UInt64
    package var writes: [FieldWrite]
    package var local: [UInt8]?
    /// How many ancestors it has; children go first, so that their parents are not edited again.
    package var depth: Int
    /// What counts of it where the record is already; nil for all.
    package var news: Set<FieldName>?
  }

  /// The records of a zone that exist, as far as `wants` takes them; of concurrent values those count
  /// that `kept` does not cover, if there are any.
  private func carried(
    from zone: ZoneID, unkeptBy kept: VersionVector = VersionVector(),
    where wants: (RecordKey) -> Bool = { _ in true }
  ) throws -> [Carried] {
    try inner.flushRecords()
    var carried: [Carried] = []
    for (row, _) in try inner.storage.entries(.record, prefix: Keys.prefix(zone)) {
      let key = try Keys.record(parsing: row)
      guard !Rules.isSystem(key.collection), wants(key) else { continue }
      let state = try inner.record(key)
      guard try view.isVisible(key, state) else { continue }
      let stamps =
        state.alive.map(\.stamp.time) + state.registers.flatMap(\.siblings).map(\.stamp.time)
      let created = state.alive.filter { $0.kind == .created }.map(\.stamp.time).min()
      carried.append(
        Carried(
          key: key, created: created ?? stamps.min() ?? 0, modified: stamps.max() ?? 0,
          writes: state.registers.compactMap { register in
            let current = state.current(register.name)
            let news = current?.siblings.filter { !kept.covers($0.dot) } ?? []
            let value = inner.rules.single(
              news.isEmpty ? current : Register(name: register.name, siblings: news),
              in: key.collection)
            return value.isNull ? nil : FieldWrite(name: register.name, value: value)
          },
          local: try inner.storage.get(.local, row), depth: try ancestors(of: key).count))
    }
    return carried.sorted { ($0.depth, $1.key) > ($1.depth, $0.key) }
  }

  private func ancestors(of key: RecordKey) throws -> [RecordKey] {
    var line: [RecordKey] = []
    var next = try inner.rules.parent(of: inner.record(key), key)
    while let ancestor = next, !line.contains(ancestor), ancestor != key {
      line.append(ancestor)
      next = try inner.rules.parent(of: inner.record(ancestor), ancestor)
    }
    return line
  }

  /// Writes carried records into a zone; what is there already gets only what is new of them.
  private func settle(_ records: [Carried], in zone: ZoneID, isPublished: Bool) throws {
    try inner.forgetPositions()
    var state = try inner.zone(zone)
    state.isPublished = isPublished
    inner.setZone(zone, state)
    for record in records {
      let key = RecordKey(zone: zone, collection: record.key.collection, id: record.key.id)
      let isNew = try inner.record(key).isEmpty
      let writes = record.writes.sorted { $0.name < $1.name }
        .filter { isNew || record.news?.contains($0.name) ?? true }
      if isNew {
        try append(
          RecordOperation(.create, key.collection, key.id, stamp: record.created), key)
      }
      if !writes.isEmpty {
        try append(
          RecordOperation(.edit, key.collection, key.id, writes, stamp: record.modified), key,
          hasAnySize: true)
      }
      if let local = record.local { try inner.storage.put(.local, Keys.record(key), local) }
      count(.changed)
    }
    if let batch = summary.batch { try inner.storage.put(.meta, Keys.move(batch), []) }
  }

  /// The records of a tree that hold something outside a vector, with their ancestors and the root, if it is
  /// known.
  ///
  /// Derived from their states: changes may have been pruned, or have arrived as state.
  private func unkept(
    in zone: ZoneID, of root: RootName?, by kept: VersionVector
  ) throws -> [Carried] {
    try inner.flushRecords()
    var wanted: [RecordKey: Set<FieldName>] = [:]
    for (row, _) in try inner.storage.entries(.record, prefix: Keys.prefix(zone)) {
      let key = try Keys.record(parsing: row)
      guard !Rules.isSystem(key.collection) else { continue }
      let state = try inner.record(key)
      let news = state.registers.filter { register in
        register.siblings.contains { !kept.covers($0.dot) }
      }
      let isEdited = state.alive.contains { $0.kind.isVisible && !kept.covers($0.dot) }
      guard isEdited || !news.isEmpty else { continue }
      wanted[key, default: []].formUnion(news.map(\.name))
      for ancestor in try ancestors(of: key) { wanted[ancestor, default: []].formUnion([]) }
    }
    guard !wanted.isEmpty else { return [] }
    if let root {
      wanted[RecordKey(zone: zone, collection: root.collection, id: root.id), default: []]
        .formUnion([])
    }
    return try carried(from: zone, unkeptBy: kept) { wanted[$0] != nil }.map { record in
      var record = record
      record.news = wanted[record.key]
      return record
    }
  }
}
