import SyncKitModel

extension ZoneID {
  /// The zone of a root record: the same on every device that makes a root with this id.
  ///
  /// The generation counts how often it was withdrawn and its zone erased.
  package static func root(
    _ collection: CollectionName, _ id: RecordID, generation: Int = 0
  ) -> ZoneID {
    // Two 64-bit FNV-1a sums with different starts: names must be short and safe, not secret.
    let suffix = generation == 0 ? "" : "\u{0}\(generation)"
    let bytes = Array("\(collection.text)\u{0}\(id.text)\(suffix)".utf8)
    func sum(_ start: UInt64) -> UInt64 {
      bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
    let halves = [sum(0xCBF2_9CE4_8422_2325), sum(0x8422_2325_CBF2_9CE4)]
    return ZoneID(Base32.encode(halves.flatMap(\.bigEndianBytes)))
  }
}

/// A root record, wherever it lives.
package struct RootName: Hashable, Sendable {
  package var collection: CollectionName
  package var id: RecordID

  /// How often a root can be withdrawn.
  static let maximumGeneration = 4_096

  /// The zone of one of its generations.
  package func zone(_ generation: Int) -> ZoneID { .root(collection, id, generation: generation) }

  /// Which of its generations a zone is; nil for a zone that is none of them.
  package func generation(of zone: ZoneID) -> Int? {
    (0...Self.maximumGeneration).first { self.zone($0) == zone }
  }
}

extension RecordKey {
  /// The key that a root record has on every device, whether its record is there or not.
  ///
  /// For drafts of its children: a store finds the root even if it lives in another zone now.
  public static func root(_ collection: CollectionName, _ id: RecordID) -> RecordKey {
    RecordKey(zone: .root(collection, id), collection: collection, id: id)
  }
}

extension StoreTransaction {
  /// The zone in which a root lives or would be made.
  func currentZone(of collection: CollectionName, _ id: RecordID) throws -> ZoneID {
    let root = RootName(collection: collection, id: id)
    let zone = try currentZone(of: root.zone(0))
    return try isGone(zone) ? nextZone(of: root, after: zone) : zone
  }

  /// The zone in which the children of a record are, whatever zone of its root the key names.
  func currentZone(of parent: RecordKey) throws -> ZoneID {
    if rules.placement(parent.collection) == .root {
      return try currentZone(of: parent.collection, parent.id)
    }
    let zone = try currentZone(of: parent.zone)
    guard try isGone(zone) else { return zone }
    guard let row = try storage.get(.meta, Keys.erasure(zone)),
      let root = try Erasure(decoding: row).root
    else { throw SyncError.noRecord(parent) }
    return try currentZone(of: root.collection, root.id)
  }

  private func currentZone(of originalZone: ZoneID) throws -> ZoneID {
    if let known = currentZones[originalZone] { return known }
    let row = try storage.get(.meta, Keys.currentZone(originalZone))
    let zone = row.map { ZoneID(String(decoding: $0, as: UTF8.self)) } ?? originalZone
    currentZones[originalZone] = zone
    return zone
  }

  /// The first generation after a zone that is not erased.
  func nextZone(of root: RootName, after zone: ZoneID) throws -> ZoneID {
    var next = (root.generation(of: zone) ?? 0) + 1
    while next < RootName.maximumGeneration, try isGone(root.zone(next)) { next += 1 }
    return root.zone(next)
  }

  private func isGone(_ id: ZoneID) throws -> Bool {
    if try isKnown(id) {
      let zone = try zone(id)
      if zone.isClosed { return true }
      // A local tree stays, even if another device has erased a zone of this name.
      if !zone.isPublished { return false }
    }
    return try storage.get(.meta, Keys.erasure(id)) != nil
  }

  /// Writes down where a root lives that is not in the zone it would be born in.
  func noteCurrentZone(of key: RecordKey) throws {
    guard rules.placement(key.collection) == .root else { return }
    let originalZone = ZoneID.root(key.collection, key.id)
    guard key.zone != originalZone, try currentZone(of: originalZone) != key.zone else { return }
    currentZones[originalZone] = key.zone
    try storage.put(.meta, Keys.currentZone(originalZone), Array(key.zone.text.utf8))
  }
}

extension Rules {
  /// The root of a zone, deleted or not; nil for a zone without one.
  ///
  /// Children may be here without their root. Then their references identify it, if the zone is that root's.
  package func root(
    of zone: ZoneID, in storage: any StorageReader, _ symbols: SymbolTable
  ) throws -> RootName? {
    for type in schema.collections where type.placement == .root {
      var found: RootName?
      try storage.scan(.record, prefix: Keys.prefix(zone, type.name), after: nil) { row, _ in
        found = RootName(collection: type.name, id: try Keys.record(parsing: row).id)
        return false
      }
      if let found { return found }
    }
    guard zone != .home, zone != .local else { return nil }
    var found: RootName?
    var others: Set<RootName> = []
    try storage.scan(.record, prefix: Keys.prefix(zone), after: nil) { row, packed in
      let key = try Keys.record(parsing: row)
      guard let parent = parent(of: try RecordState(packed: packed, symbols), key),
        placement(parent.collection) == .root,
        case let root = RootName(collection: parent.collection, id: parent.id),
        others.insert(root).inserted, root.generation(of: zone) != nil
      else { return true }
      found = root
      return false
    }
    return found
  }
}
