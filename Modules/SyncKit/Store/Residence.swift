extension ZoneID {
  /// The zone of a root record: the same on every device that makes a root with this id.
  ///
  /// The generation counts how often its content was taken back and the zone erased.
  static func root(_ collection: Name, _ id: Name, generation: Int = 0) -> ZoneID {
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
struct RootName: Hashable, Sendable {
  var collection: Name
  var id: Name

  /// So often a root can be taken back.
  static let maximumGeneration = 4_096

  /// The zone of one of its generations.
  func zone(_ generation: Int) -> ZoneID { .root(collection, id, generation: generation) }

  /// Which of its generations a zone is; nil for a zone that is none of them.
  func generation(of zone: ZoneID) -> Int? {
    (0...Self.maximumGeneration).first { self.zone($0) == zone }
  }
}

extension StoreTransaction {
  /// The zone in which a root lives or would be made.
  func residence(of collection: Name, _ id: Name) throws -> ZoneID {
    let root = RootName(collection: collection, id: id)
    let known = try storage.get(.meta, Keys.residence(collection, id)).map {
      ZoneID(String(decoding: $0, as: UTF8.self))
    }
    let zone = known ?? root.zone(0)
    return try isGone(zone) ? nextZone(of: root, after: zone) : zone
  }

  /// The first generation behind a zone that nobody has erased.
  func nextZone(of root: RootName, after zone: ZoneID) throws -> ZoneID {
    var next = (root.generation(of: zone) ?? 0) + 1
    while next < RootName.maximumGeneration, try isGone(root.zone(next)) { next += 1 }
    return root.zone(next)
  }

  private func isGone(_ zone: ZoneID) throws -> Bool {
    if try storage.get(.meta, Keys.erasure(zone)) != nil { return true }
    return try storage.get(.meta, Keys.zone(zone)) != nil && self.zone(zone).isClosed
  }

  /// Writes down where a root lives that is not in the zone it would be born in.
  func noteResidence(of key: RecordKey) throws {
    guard rules[key.collection]?.placement == .root, key.zone != .root(key.collection, key.id)
    else { return }
    let row = Keys.residence(key.collection, key.id)
    let text = Array(key.zone.text.utf8)
    if try storage.get(.meta, row) != text { try storage.put(.meta, row, text) }
  }
}

extension Rules {
  /// The root of a zone, deleted or not; nil for a zone without one.
  func root(of zone: ZoneID, in storage: any StorageReader) throws -> RootName? {
    for type in schema.collections where type.placement == .root {
      var found: RootName?
      try storage.scan(.record, prefix: Keys.prefix(zone, type.name), after: nil) { row, _ in
        found = RootName(collection: type.name, id: try Keys.record(parsing: row).id)
        return false
      }
      if let found { return found }
    }
    return nil
  }
}
