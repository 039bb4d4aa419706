import SyncKitModel

/// What a store remembers of a shared zone.
package struct SharedZone: Hashable, Sendable {
  /// The remote that said so; a guest's zone goes to no other one.
  package var remote: String
  /// What this person may do there.
  package var access: ZoneAccess
  /// The last own change that the remote had when this person could write no longer; nil while that is not
  /// known, or may be written.
  package var sent: Dot?

  private static let version: UInt8 = 2

  package init(remote: String, access: ZoneAccess) {
    self.remote = remote
    self.access = access
  }

  /// Where its data may be, and its other participants.
  package var scope: (Record.Scope, ZoneAccess?) {
    (access.role == .owner && access.participants == 0 ? .synced : .shared, access)
  }

  /// How a sentence calls the owner.
  package var ownerName: String { access.owner.isEmpty ? "The owner" : access.owner }

  /// The same zone with another part in it.
  package func with(_ role: ZoneAccess.Role) -> SharedZone {
    var shared = self
    shared.access.role = role
    return shared
  }

  package var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.write(byte: Self.version)
    writer.write(text: remote)
    writer.write(text: access.role.rawValue)
    writer.write(text: access.owner)
    writer.write(count: access.participants)
    writer.write(byte: sent == nil ? 0 : 1)
    if let sent {
      writer.write(sent.replica)
      writer.write(varint: sent.seq)
    }
    return writer.bytes
  }

  package init(decoding row: [UInt8]) throws {
    self = try row.reading { reader in
      let version = try reader.byte()
      guard (1...Self.version).contains(version) else {
        throw SyncError(
          .storeNewer, "A share was written by a newer version of cloudsync.",
          hint: "Upgrade cloudsync on this device.")
      }
      let remote = try reader.text()
      guard let role = ZoneAccess.Role(rawValue: try reader.text()) else {
        throw Keys.damaged("a share")
      }
      let owner = try reader.text()
      let participants = Int(clamping: try reader.varint())
      var shared = SharedZone(
        remote: remote, access: ZoneAccess(role: role, owner: owner, participants: participants))
      if version >= 2, try reader.byte() == 1 {
        shared.sent = Dot(try reader.replica(), try reader.varint())
      }
      return shared
    }
  }
}

extension StorageReader {
  /// Where a zone's data may be, and its other participants.
  package func scope(of id: ZoneID, _ zone: ZoneState) throws -> (Record.Scope, ZoneAccess?) {
    guard zone.isPublished else { return (.local, nil) }
    return try sharedZone(id)?.scope ?? (.synced, nil)
  }

  package func sharedZone(_ id: ZoneID) throws -> SharedZone? {
    try get(.meta, Keys.shared(id)).map { try SharedZone(decoding: $0) }
  }

  package func sharedZones() throws -> [ZoneID: SharedZone] {
    var zones: [ZoneID: SharedZone] = [:]
    for (key, row) in try entries(.meta, prefix: Keys.sharedZones) {
      let zone = ZoneID(String(decoding: key.dropFirst(Keys.sharedZones.count), as: UTF8.self))
      zones[zone] = try SharedZone(decoding: row)
    }
    return zones
  }
}

extension SyncStore {
  /// What ``SyncStore/leave(_:)`` does.
  func leaveZone(_ zone: ZoneID, discardingUnsent isForced: Bool) throws {
    try transaction { transaction in
      guard var shared = try transaction.sharedZone(zone), shared.access.role.isGuest else {
        throw SyncError(.inputInvalid, "The zone \(zone) does not belong to another person.")
      }
      let unsent =
        try isForced
        ? 0
        : UnsentChanges(of: domain, coding: coding, remotes: [shared.remote])
          .count(in: transaction.storage, zone: zone)
      guard unsent == 0 else {
        throw SyncError(
          .storeUnsent, "Edits of this device in what is left were never sent, and would be lost.",
          hint: "Sync first, or agree that they go.")
      }
      shared.access.role = .left
      try transaction.setShared(zone, shared)
    }
    hub.send(.reload([.local]))
  }

  // MARK: What the engine asks

  /// Records the participants of zones; writes only what is new.
  ///
  /// A guest's role that is no longer listed has ended: the copy stays here, read-only. A record of the
  /// person's own does not become another person's because both have the same id. A tree that the person has
  /// left on another device is removed, unless it has edits of this device that were never sent.
  /// - Returns: Sentences about roles that have ended, about edits that cannot be sent because of that, and
  ///   about different records with one id.
  package func learn(_ access: [ZoneID: ZoneAccess]?, on remote: String) throws -> [String] {
    guard let access else { return [] }
    let acknowledged = try self.remote(remote).acknowledged
    let (known, former, advertised, idCollisions) = try read { reader in
      let known = try reader.storage.sharedZones()
      let former = try reader.storage.idCollisions(on: remote)
      let advertised = try reader.advertised(
        access, on: remote, known: known, acknowledged: acknowledged)
      return (
        known, former, advertised,
        try advertised.filter { zone, row in
          guard row.access.role.isGuest, known[zone]?.access.role.isGuest != true else {
            return false
          }
          return try former[zone] != nil || reader.zone(zone).isInUse
        }
      )
    }
    var news: [ZoneID: SharedZone] = [:]
    var gone: [ZoneID] = []
    for (zone, row) in advertised where idCollisions[zone] == nil {
      // Of what this device never had, nothing needs to be said.
      let isOver = row.access.role == .removed || row.access.role == .left
      if known[zone] != row, known[zone] != nil || !isOver { news[zone] = row }
    }
    for (zone, row) in known where row.remote == remote && access[zone] == nil {
      guard row.access.role == .owner else { continue }
      gone.append(zone)
    }
    guard !news.isEmpty || !gone.isEmpty || idCollisions != former else { return [] }
    try transaction { transaction in
      for (zone, row) in news.sorted(by: { $0.key < $1.key }) {
        try transaction.setShared(zone, row)
      }
      for zone in gone { try transaction.removeShared(zone) }
      try transaction.setIDCollisions(idCollisions, on: remote)
    }
    hub.send(.reload([.remote]))
    return try ended(news, known, access)
      + sentences(on: idCollisions.filter { former[$0.key] == nil })
  }

  /// Sentences about parts that have ended, or are less than they were, and about what is not sent for that.
  private func ended(
    _ news: [ZoneID: SharedZone], _ known: [ZoneID: SharedZone], _ access: [ZoneID: ZoneAccess]
  ) throws -> [String] {
    var sentences: [String] = []
    var zones: Set<ZoneID> = []
    for (zone, row) in news.sorted(by: { $0.key < $1.key }) {
      let before = known[zone]?.access.role
      switch row.access.role {
      case .removed where before != .removed && access[zone]?.role == .left:
        sentences.append(
          "What \(row.ownerName) shared with you was left or withdrawn;"
            + " it stays here read-only, for the edits in it.")
      case .removed where before != .removed:
        sentences.append(
          "\(row.ownerName) no longer shares a record with you; your copy stays, read-only.")
      case .reader where before == .writer:
        sentences.append(
          "\(row.ownerName) now shares a record with you read-only.")
      default: continue
      }
      zones.insert(zone)
    }
    guard !zones.isEmpty else { return [] }
    return try sentences
      + unsentEdits().filter { $0.root.map { zones.contains($0.zone) } ?? false }
      .map(\.summary)
  }

  /// Whether there is a zone of that name that is not the one that another person shares on a remote.
  package func isTaken(_ zone: ZoneID, on remote: String) throws -> Bool {
    try read { reader in
      if let shared = try reader.storage.sharedZone(zone), shared.access.role.isGuest {
        return shared.remote != remote
      }
      return try reader.zone(zone).isInUse
    }
  }

  /// What ``StorageReader/foreignZones(on:)`` says now.
  package func foreignZones(
    on remote: String
  ) throws -> (unread: Set<ZoneID>, unwritten: Set<ZoneID>) {
    try storage.read { try $0.foreignZones(on: remote) }
  }
}

extension StorageReader {
  /// The zones of which nothing is taken from a remote, and those of which nothing is sent to it:
  /// those that are not the same there, or in which this person has no such part any more.
  package func foreignZones(
    on remote: String
  ) throws -> (unread: Set<ZoneID>, unwritten: Set<ZoneID>) {
    let apart = try zonesApart(on: remote)
    let unwritten = try sharedZones().filter { !$1.access.role.mayWrite }
    let unread = unwritten.filter { $1.access.role != .reader }
    return (apart.union(unread.keys), apart.union(unwritten.keys))
  }
}

extension StoreReader {
  /// What a remote says of shared zones, together with what is known here.
  fileprivate func advertised(
    _ access: [ZoneID: ZoneAccess], on remote: String, known: [ZoneID: SharedZone],
    acknowledged: [ZoneID: VersionVector]
  ) throws -> [ZoneID: SharedZone] {
    var advertised = access.filter { $0.key != .home && $0.key != .local }
      .mapValues { SharedZone(remote: remote, access: $0) }
    for (zone, row) in known where row.remote == remote && access[zone] == nil {
      guard row.access.role == .reader || row.access.role == .writer else { continue }
      advertised[zone] = row.with(.removed)
    }
    for (zone, row) in advertised where !row.access.role.mayWrite {
      let state = try self.zone(zone)
      let before = known[zone].flatMap { $0.access.role.mayWrite ? nil : $0.sent }
      let sent = before ?? Dot(state.own, acknowledged[zone]?[state.own]?.seq ?? 0)
      advertised[zone]?.sent = sent
      guard row.access.role == .left, let guest = known[zone], guest.access.role != .left,
        try !records(notSentIn: zone, state, beyond: sent).isEmpty
      else { continue }
      // Left on another device, which knew nothing of the edits here.
      advertised[zone]?.access.role = .removed
    }
    return advertised
  }
}

extension StoreTransaction {
  /// Records the participants of a zone; nothing stays of a zone that the person has left.
  func setShared(_ id: ZoneID, _ shared: SharedZone) throws {
    if shared.access.role == .left { try removeEntirely(id) }
    sharedZones[id] = shared
    try storage.put(.meta, Keys.shared(id), shared.encoded)
  }

  /// Records that a zone is no longer shared.
  func removeShared(_ id: ZoneID) throws {
    sharedZones[id] = .some(nil)
    try storage.delete(.meta, Keys.shared(id))
  }

  /// The participants of a zone; nil for a zone that is not shared.
  package func sharedZone(_ id: ZoneID) throws -> SharedZone? {
    if let known = sharedZones[id] { return known }
    let shared = try storage.sharedZone(id)
    sharedZones[id] = .some(shared)
    return shared
  }

  /// Where a zone's data may be, and its other participants.
  package func scope(of id: ZoneID) throws -> (Record.Scope, ZoneAccess?) {
    guard try zone(id).isPublished else { return (.local, nil) }
    return try sharedZone(id)?.scope ?? (.synced, nil)
  }

  /// Whether a zone takes edits of this person.
  func isWritable(_ id: ZoneID) throws -> Bool {
    try sharedZone(id)?.access.role.mayWrite ?? true
  }

  /// Refuses an edit in a zone that this person may not write.
  func checkWritable(_ id: ZoneID) throws {
    guard let shared = try sharedZone(id), !shared.access.role.mayWrite else { return }
    let owner = shared.ownerName
    throw SyncError(
      .shareReadOnly,
      shared.access.role == .removed
        ? "\(owner) no longer shares this record with you: an edit would not be sent, so none was made."
        : "\(owner) shares this record with you read-only: an edit would not be sent, so none was made.",
      hint: "Ask the owner to make you a writer, or keep a copy of your own with"
        + " 'cloudsync \(rules.schema.name) export FILE'.")
  }
}

extension SyncError.Code {
  /// Edits that exist nowhere else would be lost or set aside.
  public static let storeUnsent = Self("store.unsent", exit: 77)
  /// An edit of a record that another person shares read-only.
  public static let shareReadOnly = Self("share.read-only", exit: 77)
}
