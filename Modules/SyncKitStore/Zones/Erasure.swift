import SyncKitModel

/// What a store knows of a withdrawn zone: no device may keep or send its content any more.
///
/// Each replica that has removed its copy says so by a marker on the remotes, so the markers relay.
package struct Erasure: Hashable, Sendable {
  /// The root that lived in the zone; nil when this device never had it.
  package var root: RootName?
  /// Whether this device took the content back, and waits for the others.
  package var isOwn = false
  /// When it was withdrawn or this device learned of it, in milliseconds since 1970.
  package var at: Int64
  /// The replicas that took part in the zone, with the names of their devices.
  package var members: [ReplicaID: DeviceName] = [:]
  /// The replicas that removed it, and what they keep.
  package var confirmations = Confirmations()
  /// The remotes that hold nothing of it any more.
  package var remotes: Set<String> = []

  package init(root: RootName?, at: Int64) {
    self.root = root
    self.at = at
  }

  private static let version: UInt8 = 1

  package var encoded: [UInt8] {
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
    writer.write(count: confirmations.vectors.count)
    for (replica, kept) in confirmations.vectors.sorted(by: { $0.key < $1.key }) {
      writer.write(replica)
      writer.write(kept)
    }
    writer.write(count: remotes.count)
    for name in remotes.sorted() { writer.write(text: name) }
    return writer.bytes
  }

  package init(decoding row: [UInt8]) throws {
    self = try row.reading { reader in
      guard try reader.byte() == Self.version else {
        throw SyncError(
          .storeNewer, "An erasure was written by a newer version of cloudsync.",
          hint: "Upgrade cloudsync on this device.")
      }
      let collection = CollectionName(try reader.text())
      let id = RecordID(try reader.text())
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
      for _ in 0..<(try reader.count(of: 17)) {
        erasure.confirmations[try reader.replica()] = try reader.vector()
      }
      for _ in 0..<(try reader.count(of: 1)) { erasure.remotes.insert(try reader.text()) }
      return erasure
    }
  }
}

extension StorageReader {
  package func erasures() throws -> [ZoneID: Erasure] {
    var erasures: [ZoneID: Erasure] = [:]
    for (key, row) in try entries(.meta, prefix: Keys.erasures) {
      let zone = ZoneID(String(decoding: key.dropFirst(Keys.erasures.count), as: UTF8.self))
      erasures[zone] = try Erasure(decoding: row)
    }
    return erasures
  }
}

/// Content that this device withdrew and that may still be on remotes and other devices.
public struct PendingErasure: Sendable {
  /// The root's collection.
  public var collection: CollectionName
  /// The root's id.
  public var id: RecordID
  /// When it was withdrawn, in milliseconds since 1970.
  public var at: Int64
  /// The remotes that may still hold it.
  public var remotes: [String]
  /// The devices that have not said yet that they removed it.
  public var devices: [DeviceName]
}

extension SyncStore {
  /// What ``SyncStore/pendingErasures(remotes:)`` does.
  func listErasures(remotes names: [String]) throws -> [PendingErasure] {
    try storage.read { try $0.erasures() }.sorted { $0.key < $1.key }.compactMap { _, erasure in
      guard erasure.isOwn, let root = erasure.root else { return nil }
      let remotes = names.filter { !erasure.remotes.contains($0) }
      let confirmed = Set(erasure.confirmations.replicas.compactMap { erasure.members[$0]?.id })
      let waiting = erasure.members.values.filter { !confirmed.contains($0.id) }
      let devices = Dictionary(waiting.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      guard !remotes.isEmpty || !devices.isEmpty else { return nil }
      return PendingErasure(
        collection: root.collection, id: root.id, at: erasure.at, remotes: remotes,
        devices: devices.values.sorted { $0.id < $1.id })
    }
  }

  // MARK: What the engine asks

  /// Records the zones that a remote lists as erased, and removes their content here.
  ///
  /// Changes that none of the withdrawing devices keeps stay here, as a local record under the same id. Until
  /// it is known what they keep, nothing is removed.
  /// Sentences about what was removed or kept, and the records, are added to the report.
  package func learn(
    _ erased: [ZoneID: Confirmations], on remote: String, _ report: inout SyncReport
  ) throws {
    guard !erased.isEmpty else { return }
    let (known, apart) = try storage.read { (try $0.erasures(), try $0.zonesApart(on: remote)) }
    let before = Set(try unsentEdits())
    var notes: [String] = []
    for (zone, confirmations) in erased.sorted(by: { $0.key < $1.key })
    where zone != .home && zone != .local && !confirmations.kept.heads.isEmpty
      && !apart.contains(zone)
    {
      if let erasure = known[zone], confirmations.isSubset(of: erasure.confirmations) { continue }
      let (note, touched) = try writeAs(.erased) { try $0.accept(zone, confirmations, on: remote) }
      report.note(touched, .erased)
      if let note { notes.append(note) }
    }
    guard !notes.isEmpty else { return }
    report.notes +=
      try notes
      + unsentEdits().filter { $0.reason == .erased && !before.contains($0) }.map(\.summary)
  }

  /// Sentences about zones that are in use here and marked as erased on a remote, without a mark that says
  /// what is kept: they do not sync until that is known.
  package func undecided(_ erased: [ZoneID: Confirmations], on remote: String) throws -> [String] {
    guard !erased.isEmpty else { return [] }
    return try read { reader in
      let known = try reader.storage.erasures()
      let apart = try reader.storage.zonesApart(on: remote)
      let zones = try reader.zones()
      return try erased.keys.sorted().compactMap { zone in
        guard zone != .home, zone != .local, known[zone] == nil, !apart.contains(zone),
          let state = zones[zone], state.isPublished, state.isInUse
        else { return nil }
        let root = try rules.root(of: zone, in: reader.storage, reader.symbols)
        let name = root.map { "\($0.collection)/\($0.id)" } ?? "the zone \(zone)"
        return
          "\(name) is marked as erased on '\(remote)', but the device that erased it has not said"
          + " yet what it keeps; until then it is not synced"
      }
    }
  }

  /// What is known of erased zones, and of those among them that a remote has to do with.
  package func erasures(
    on remote: String
  ) throws -> (all: [ZoneID: Erasure], there: [ZoneID: Erasure]) {
    try storage.read { reader in
      let all = try reader.erasures()
      guard !all.isEmpty else { return (all, all) }
      let apart = try reader.zonesApart(on: remote)
      return (all, all.filter { !apart.contains($0.key) })
    }
  }

  /// Changes erasures as they are now: another process may have written since they were read.
  package func update(_ zones: [ZoneID], _ body: (inout Erasure) -> Void) throws {
    try storage.write { writer in
      for zone in zones {
        guard let row = try writer.get(.meta, Keys.erasure(zone)) else { continue }
        var erasure = try Erasure(decoding: row)
        body(&erasure)
        try writer.put(.meta, Keys.erasure(zone), erasure.encoded)
      }
    }
  }

  /// The published zones that hold another generation of what lived in the given erased ones.
  ///
  /// A remote must not have them before it lists the erasure: a device that met both there would have the
  /// same root twice, and no way to know which of the two was withdrawn.
  package func generations(besides erased: [ZoneID]) throws -> Set<ZoneID> {
    try read { reader in
      let erasures = try reader.storage.erasures()
      let roots = Set(erased.compactMap { erasures[$0]?.root })
      guard !roots.isEmpty else { return [] }
      return Set(
        try reader.zones().filter { zone, state in
          guard state.isPublished,
            let root = try rules.root(of: zone, in: reader.storage, reader.symbols)
          else { return false }
          return roots.contains(root)
        }.keys)
    }
  }

  /// Records that a remote holds nothing of the given zones; writes only what is new.
  package func note(_ erasures: [ZoneID: Erasure], on remote: String) throws {
    let open = erasures.filter { !$0.value.remotes.contains(remote) }
    if !open.isEmpty { try update(open.keys.sorted()) { $0.remotes.insert(remote) } }
  }
}

extension StoreReader {
  /// The zones from which nothing is accepted: local and withdrawn ones; `zones` are those in question.
  package func closedZones(among zones: Set<ZoneID>) throws -> Set<ZoneID> {
    var closed = Set(try storage.erasures().keys)
    closed.insert(.local)
    for (id, state) in try self.zones() where !state.isPublished {
      closed.insert(id)
      guard !state.isClosed, id != .local, let root = try rules.root(of: id, in: storage, symbols),
        let generation = root.generation(of: id)
      else { continue }
      let later = generation + 1...generation + Self.watchedGenerations
      closed.formUnion(later.map(root.zone).filter(zones.contains))
    }
    return closed
  }

  /// How many later generations of a local root are considered.
  private static let watchedGenerations = 64
}
