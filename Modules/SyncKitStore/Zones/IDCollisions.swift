import SyncKitModel

// The id of a zone follows from what its root is called, so two people may have a zone of one id without
// knowing of each other. Where one of them shares it with the other, the two must not become one.
extension StorageReader {
  /// The own zones that have the ids of other people's zones on a remote, with what it says of those.
  package func idCollisions(on remote: String) throws -> [ZoneID: SharedZone] {
    let prefix = Keys.idCollisions(on: remote)
    var zones: [ZoneID: SharedZone] = [:]
    for (key, row) in try entries(.meta, prefix: prefix) {
      let zone = ZoneID(String(decoding: key.dropFirst(prefix.count), as: UTF8.self))
      zones[zone] = try SharedZone(decoding: row)
    }
    return zones
  }

  /// The zones that are not the same here and on a remote, whatever it says of them: other people's that
  /// came from elsewhere, and own ones that bear the id of another person's there.
  func zonesApart(on remote: String) throws -> Set<ZoneID> {
    let foreign = try sharedZones().filter { $1.access.role.isGuest && $1.remote != remote }
    return try Set(foreign.keys).union(idCollisions(on: remote).keys)
  }
}

extension ZoneState {
  /// Whether something was written or applied here, also if it has gone elsewhere since.
  var isInUse: Bool { ownLast > 0 || !vector.heads.isEmpty || isClosed }
}

extension StoreTransaction {
  /// Writes down which own zones bear the ids of other people's on a remote.
  func setIDCollisions(_ advertised: [ZoneID: SharedZone], on remote: String) throws {
    let known = try storage.idCollisions(on: remote)
    for (zone, row) in advertised.sorted(by: { $0.key < $1.key }) where known[zone] != row {
      try storage.put(.meta, Keys.idCollision(zone, on: remote), row.encoded)
    }
    let ended = known.keys.filter { advertised[$0] == nil }
    for zone in ended { try storage.delete(.meta, Keys.idCollision(zone, on: remote)) }
    // The remote has to list again what was skipped there.
    if !ended.isEmpty { try forgetPositions() }
  }
}

extension SyncStore {
  /// Says that an own zone and another person's zone on a remote have one id, and what to do; nil when there
  /// is none that a person has to know of.
  package func idCollisionProblem(on remote: String) throws -> SyncError? {
    try read { reader in
      let idCollisions = try reader.storage.idCollisions(on: remote)
      for (zone, theirs) in idCollisions.sorted(by: { $0.key < $1.key }) {
        let isOver = theirs.access.role == .removed || theirs.access.role == .left
        // Where nothing comes from there any more, all is well once the own one goes on elsewhere.
        if try isOver && !reader.zone(zone).isPublished { continue }
        let owner = theirs.access.owner.isEmpty ? "the owner" : theirs.access.owner
        return SyncError(
          .shareIDCollision, try reader.sentence(on: zone, theirs),
          hint: isOver
            ? "Make yours local and publish it again; then the two are separate there."
            : "Leave the share, then make yours local and publish it again; or ask \(owner) to share it"
              + " under another id.")
      }
      return nil
    }
  }

  /// Sentences about own zones that bear the ids of other people's on a remote.
  package func sentences(on idCollisions: [ZoneID: SharedZone]) throws -> [String] {
    guard !idCollisions.isEmpty else { return [] }
    return try read { reader in
      try idCollisions.sorted { $0.key < $1.key }.map { try reader.sentence(on: $0, $1) }
    }
  }
}

extension StoreReader {
  fileprivate func sentence(on zone: ZoneID, _ theirs: SharedZone) throws -> String {
    let root =
      try rules.root(of: zone, in: storage, symbols)
      ?? storage.get(.meta, Keys.erasure(zone)).flatMap { try Erasure(decoding: $0).root }
    let name = root.map { "\($0.collection)/\($0.id)" } ?? "A record"
    let owner = theirs.access.owner.isEmpty ? "another person" : theirs.access.owner
    return "\(name) is yours on this device and \(owner)'s on '\(theirs.remote)';"
      + " the two are kept apart."
  }
}

extension SyncError.Code {
  /// A shared record has the id of a record of the person's own.
  public static let shareIDCollision = Self("share.namesake", exit: 77)
}
