/// What a store knows of a zone whose content was taken back: nobody may keep or send it any more.
///
/// Each replica that has removed its copy says so by a marker on the remotes, so the markers relay.
struct Erasure: Hashable, Sendable {
  /// The root that lived in the zone; nil when this device never had it.
  var root: RootName?
  /// Whether this device took the content back, and waits for the others.
  var isOwn = false
  /// Milliseconds since 1970 when it was taken back or learned of.
  var at: Int64
  /// The replicas that took part in the zone, with the names of their devices.
  var members: [ReplicaID: DeviceName] = [:]
  /// The replicas that have removed their copies.
  var confirmed: Set<ReplicaID> = []
  /// The remotes that hold nothing of it any more.
  var remotes: Set<String> = []

  init(root: RootName?, at: Int64) {
    self.root = root
    self.at = at
  }

  private static let version: UInt8 = 1

  var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.write(byte: Self.version)
    writer.write(text: root?.collection.text ?? "")
    writer.write(text: root?.id.text ?? "")
    writer.write(byte: isOwn ? 1 : 0)
    writer.write(signed: at)
    writer.write(count: members.count)
    for (replica, device) in members.sorted(by: { $0.key < $1.key }) {
      writer.write(replica)
      writer.write(text: device.id)
      writer.write(text: device.name ?? "")
    }
    writer.write(count: confirmed.count)
    for replica in confirmed.sorted() { writer.write(replica) }
    writer.write(count: remotes.count)
    for name in remotes.sorted() { writer.write(text: name) }
    return writer.bytes
  }

  init(decoding row: [UInt8]) throws {
    self = try row.reading { reader in
      guard try reader.byte() == Self.version else {
        throw SyncError(
          .storeNewer, "An erasure was written down by a newer version of cloudsync.",
          hint: "Upgrade cloudsync on this device.")
      }
      let collection = Name(try reader.text())
      let id = Name(try reader.text())
      var erasure = Erasure(
        root: id.text.isEmpty ? nil : RootName(collection: collection, id: id), at: 0)
      erasure.isOwn = try reader.byte() == 1
      erasure.at = try reader.signed()
      for _ in 0..<(try reader.count(of: 18)) {
        let replica = try reader.replica()
        let device = try reader.text()
        let name = try reader.text()
        erasure.members[replica] = DeviceName(id: device, name: name.isEmpty ? nil : name)
      }
      for _ in 0..<(try reader.count(of: 16)) { erasure.confirmed.insert(try reader.replica()) }
      for _ in 0..<(try reader.count(of: 1)) { erasure.remotes.insert(try reader.text()) }
      return erasure
    }
  }
}

extension StorageReader {
  func erasures() throws -> [ZoneID: Erasure] {
    var erasures: [ZoneID: Erasure] = [:]
    for (key, row) in try entries(.meta, prefix: Keys.erasures) {
      let zone = ZoneID(String(decoding: key.dropFirst(Keys.erasures.count), as: UTF8.self))
      erasures[zone] = try Erasure(decoding: row)
    }
    return erasures
  }
}

/// Content that this device took back and that may still be elsewhere.
public struct PendingErasure: Sendable {
  /// The root's collection.
  public var collection: Name
  /// The root's id.
  public var id: Name
  /// Milliseconds since 1970 when it was taken back.
  public var at: Int64
  /// The remotes that may still hold it.
  public var remotes: [String]
  /// The devices that have not said yet that they removed it.
  public var devices: [DeviceName]
}

extension SyncStore {
  /// What was taken back and is not confirmed everywhere, as far as this device knows.
  public func pendingErasures(remotes names: [String]) throws -> [PendingErasure] {
    try storage.read { try $0.erasures() }.sorted { $0.key < $1.key }.compactMap { _, erasure in
      guard erasure.isOwn, let root = erasure.root else { return nil }
      let remotes = names.filter { !erasure.remotes.contains($0) }
      let confirmed = Set(erasure.confirmed.compactMap { erasure.members[$0]?.id })
      let waiting = erasure.members.values.filter { !confirmed.contains($0.id) }
      let devices = Dictionary(waiting.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      guard !remotes.isEmpty || !devices.isEmpty else { return nil }
      return PendingErasure(
        collection: root.collection, id: root.id, at: erasure.at, remotes: remotes,
        devices: devices.values.sorted { $0.id < $1.id })
    }
  }

  // MARK: What the engine asks

  /// Takes note of the zones that a remote says are erased, and removes what is here of them.
  ///
  /// Edits that have never left this device are kept: as a local record under the same id.
  /// - Returns: Sentences about what was removed or kept.
  func learn(_ erased: [ZoneID: Set<ReplicaID>]) throws -> [String] {
    guard !erased.isEmpty else { return [] }
    let known = try storage.read { try $0.erasures() }
    var notes: [String] = []
    for (zone, replicas) in erased.sorted(by: { $0.key < $1.key })
    where zone != .home && zone != .local {
      if let erasure = known[zone], replicas.isSubset(of: erasure.confirmed) { continue }
      let (note, _) = try write { try $0.accept(zone, confirmedBy: replicas) }
      if let note { notes.append(note) }
    }
    return notes
  }

  /// The erasures that a remote does not show completely, with the replicas to name there.
  func owedErasures(
    _ inventory: Inventory
  ) throws -> [(zone: ZoneID, confirmed: Set<ReplicaID>)] {
    let erasures = try storage.read { try $0.erasures() }
    guard !erasures.isEmpty else { return [] }
    let present = Set(inventory.segments.map(\.zone))
    return erasures.sorted { $0.key < $1.key }.compactMap { zone, erasure in
      let isShown = erasure.confirmed.isSubset(of: inventory.erased[zone] ?? [])
      return isShown && !present.contains(zone) ? nil : (zone, erasure.confirmed)
    }
  }

  /// Notes that a remote holds nothing of any erased zone; writes only what is new.
  func noteErasures(on remote: String) throws {
    let erasures = try storage.read { try $0.erasures() }
    guard erasures.values.contains(where: { !$0.remotes.contains(remote) }) else { return }
    try storage.write { writer in
      for (zone, var erasure) in erasures where erasure.remotes.insert(remote).inserted {
        try writer.put(.meta, Keys.erasure(zone), erasure.encoded)
      }
    }
  }

  /// An inventory without the zones that this device must not take anything of: erased ones, ones
  /// that are local here, and later generations of roots that are.
  func admissible(_ inventory: Inventory) throws -> Inventory {
    let zones = Set(inventory.segments.map(\.zone))
    let refused: Set<ZoneID> = try read { reader in
      var refused = Set(try reader.storage.erasures().keys).union([.local])
      for (id, state) in try reader.zones() where !state.isPublished {
        refused.insert(id)
        guard !state.isClosed, id != .local,
          let root = try rules.root(of: id, in: reader.storage),
          let generation = root.generation(of: id)
        else { continue }
        let later = generation + 1...generation + Self.watchedGenerations
        refused.formUnion(later.map(root.zone).filter(zones.contains))
      }
      return refused
    }
    guard !refused.isDisjoint(with: zones) else { return inventory }
    var inventory = inventory
    inventory.segments.removeAll { refused.contains($0.zone) }
    return inventory
  }

  /// So many later generations of a root that is local here are looked out for.
  private static let watchedGenerations = 64
}
