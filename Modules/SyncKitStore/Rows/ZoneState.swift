import SyncKitModel

/// A part of a series that went its own way: a second history under the same dots.
package struct Branch: Hashable, Sendable {
  /// The name its dots bear here.
  package var id: ReplicaID
  /// The name its author gave it; the one in segments.
  package var wire: ReplicaID
  /// The branch it left.
  package var parent: ReplicaID
  /// The number of its first change.
  package var start: UInt64
}

/// What a store knows of one zone, apart from its records: one small row.
package struct ZoneState: Hashable, Sendable {
  /// This device's replica in the zone.
  package var own: ReplicaID
  /// The number of the own last change, sealed or not.
  ///
  /// The row may have an earlier one while changes are not sealed: the last of those tells it, and an edit need not
  /// write the row; see ``StorageReader/zoneState(_:)``.
  var ownLast: UInt64 = 0
  /// The context of the own last change; the next one's is written as the difference.
  var ownContext = VersionVector()
  /// The context of the own last sealed change.
  var sealedContext = VersionVector()
  /// All sealed changes that are applied, the own ones included.
  package var vector = VersionVector()
  /// The forks that are known.
  package var branches: [Branch] = []
  /// Whether the zone may leave the device.
  package var isPublished = true
  /// Whether its records have moved elsewhere or are gone for good; what is left is history.
  package var isClosed = false
  /// The visible records by collection, ancestors left out of account.
  package var live: [CollectionName: Int] = [:]
  /// Operations of others on the domain's own records since the last own acknowledgement.
  var unacknowledged: UInt64 = 0
  /// Milliseconds of the last own acknowledgement; 0 before the first.
  var acknowledgedAt: Int64 = 0
  /// Whether some of its changes are known by their hashes alone; see ``LogRow/isHashIndex``.
  var hasHashIndexes = false

  package init(own: ReplicaID) { self.own = own }

  /// The own sealed head.
  package var sealed: Head? { vector[own] }

  /// The number of own changes that are sealed.
  var sealedLast: UInt64 { sealed?.seq ?? 0 }

  /// How far each series was applied by the name that its author gave it, whichever of its branches that was.
  var authored: VersionVector {
    var authored = vector
    for branch in branches {
      guard let head = vector[branch.id] else { continue }
      authored.formUnion(VersionVector([branch.wire: head]))
    }
    return authored
  }

  /// What a new own change has seen: everything applied, the own series left out.
  package var context: VersionVector {
    var context = vector
    context[own] = nil
    return context
  }
}

extension ZoneState {
  /// The version of a zone of which all changes are here.
  private static let version: UInt8 = 3
  private static let versionWithHashIndexes: UInt8 = 4
  /// The rows of 1 and 2 are alike, and always have the last number.
  private static let readable: ClosedRange<UInt8> = 1...4

  package var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.write(byte: hasHashIndexes ? Self.versionWithHashIndexes : Self.version)
    writer.write(own)
    writer.write(varint: ownLast)
    writer.write(ownContext)
    writer.write(sealedContext)
    writer.write(vector)
    writer.write(count: branches.count)
    for branch in branches {
      writer.write(branch.id)
      writer.write(branch.wire)
      writer.write(branch.parent)
      writer.write(varint: branch.start)
    }
    writer.write(byte: (isPublished ? 1 : 0) | (isClosed ? 2 : 0))
    writer.write(count: live.count)
    for (name, count) in live.sorted(by: { $0.key < $1.key }) {
      writer.write(text: name.text)
      writer.write(signed: Int64(count))
    }
    writer.write(varint: unacknowledged)
    writer.write(signed: acknowledgedAt)
    return writer.bytes
  }

  package init(decoding bytes: [UInt8]) throws {
    self = try bytes.reading { reader in
      let version = try reader.byte()
      guard Self.readable.contains(version) else {
        throw SyncError(
          .storeNewer, "A zone was written by a newer version of cloudsync.",
          hint: "Upgrade cloudsync on this device.")
      }
      var state = ZoneState(own: try reader.replica())
      state.ownLast = try reader.varint()
      state.ownContext = try reader.vector()
      state.sealedContext = try reader.vector()
      state.vector = try reader.vector()
      for _ in 0..<(try reader.count(of: 49)) {
        state.branches.append(
          Branch(
            id: try reader.replica(), wire: try reader.replica(), parent: try reader.replica(),
            start: try reader.varint()))
      }
      let flags = try reader.byte()
      state.isPublished = flags == 1
      state.isClosed = flags & 2 != 0
      for _ in 0..<(try reader.count(of: 2)) {
        let name = CollectionName(try reader.text())
        state.live[name] = Int(try reader.signed())
      }
      state.unacknowledged = try reader.varint()
      state.acknowledgedAt = try reader.signed()
      state.hasHashIndexes = version.isMultiple(of: 2)
      return state
    }
  }
}

extension StorageReader {
  /// What is known of a zone; nil when nothing is.
  package func zoneState(_ id: ZoneID) throws -> ZoneState? {
    try get(.meta, Keys.zone(id)).map { try zoneState(id, row: $0) }
  }

  /// All zones of which anything is known, for reading: a damaged change keeps no record from being shown, and
  /// is met by whoever needs that change.
  package func zoneStates() throws -> [ZoneID: ZoneState] {
    var zones: [ZoneID: ZoneState] = [:]
    for (key, row) in try entries(.meta, prefix: Keys.zones) {
      let id = ZoneID(String(decoding: key.dropFirst(Keys.zones.count), as: UTF8.self))
      do {
        zones[id] = try zoneState(id, row: row)
      } catch let error as SyncError where error.code == .storeDamaged {
        var state = try ZoneState(decoding: row)
        state.ownLast = max(state.ownLast, state.sealedLast + 1)
        zones[id] = state
      }
    }
    return zones
  }

  private func zoneState(_ id: ZoneID, row: [UInt8]) throws -> ZoneState {
    var state = try ZoneState(decoding: row)
    if let last = try lastUnsealed(id) { state.ownLast = max(state.ownLast, last.seq) }
    return state
  }

  /// The last own change of a zone that is not sealed.
  func lastUnsealed(_ id: ZoneID) throws -> UnsealedChange? {
    try last(.change, prefix: Keys.prefix(id)).map(UnsealedChange.init(key:row:))
  }
}
