import SyncKitModel

// How things are named in the tables of a local store. Documented in Documentation/Formats/Store.md.

package enum Keys {
  package static let identity = text("identity")
  package static let clock = text("clock")
  package static let vault = text("vault")
  package static let arrival = text("arrival")
  package static let symbols = text("symbols")
  /// How the names of the schema were read so far.
  package static let schema = text("schema")
  /// Which indexes the rows of the index table are of.
  static let indexes = text("indexes")
  package static let zones = text("zone/")
  package static let remotes = text("remote/")
  package static let erasures = text("erasure/")
  package static let sharedZones = text("shared/")
  package static let idCollisions = text("namesake/")
  static let retainedTrees = text("kept/")
  package static let moves = text("move/")
  package static let snapshots = text("snapshot/")
  package static let hashIndexes = text("outline/")
  /// The encrypted objects on all remotes whose content is known.
  static let allObjects = text("object/")
  /// When the store has looked last for history that is old enough to go.
  static let lookedBack = text("looked-back")

  package static func zone(_ zone: ZoneID) -> [UInt8] { text("zone/\(zone.text)") }
  package static func remote(_ name: String) -> [UInt8] { text("remote/\(name)") }

  package static func shared(_ zone: ZoneID) -> [UInt8] { text("shared/\(zone.text)") }

  /// `idCollision/remote NUL`: the prefix of the own zones that bear the ids of other people's on a remote.
  package static func idCollisions(on remote: String) -> [UInt8] { text("namesake/\(remote)\u{0}") }

  package static func idCollision(_ zone: ZoneID, on remote: String) -> [UInt8] {
    idCollisions(on: remote) + Array(zone.text.utf8)
  }

  /// Marks a local zone that continues edits which had not arrived when the tree was erased on another device.
  package static func kept(_ zone: ZoneID) -> [UInt8] { text("kept/\(zone.text)") }

  package static func erasure(_ zone: ZoneID) -> [UInt8] { text("erasure/\(zone.text)") }

  /// Where a root lives that has left the zone it would be born in.
  static func currentZone(_ originalZone: ZoneID) -> [UInt8] { text("root/\(originalZone.text)") }

  /// `piece/remote NUL`: the prefix of the merged segments that this device has stored on a remote.
  package static func pieces(on remote: String) -> [UInt8] { text("piece/\(remote)\u{0}") }

  package static func piece(_ reference: SegmentReference, on remote: String) -> [UInt8] {
    pieces(on: remote) + prefix(reference.zone) + reference.series.bytes
      + reference.first.bigEndianBytes + reference.last.bigEndianBytes + reference.head.bytes
  }

  /// `object/remote NUL`: the prefix of the encrypted objects on a remote whose content is known.
  package static func objects(on remote: String) -> [UInt8] { text("object/\(remote)\u{0}") }

  /// `snapshot/zone NUL series`: what is known of a snapshot on a remote.
  package static func snapshot(_ zone: ZoneID, _ series: ReplicaID) -> [UInt8] {
    snapshots + prefix(zone) + series.bytes
  }

  /// `base/zone NUL series last`: a part of a snapshot that this store has begun with.
  package static func base(_ zone: ZoneID, _ series: ReplicaID, _ last: UInt64) -> [UInt8] {
    bases(zone) + series.bytes + last.bigEndianBytes
  }

  package static func bases(_ zone: ZoneID) -> [UInt8] { text("base/") + prefix(zone) }

  /// The hashes of a row without a segment.
  package static func hashIndex(_ arrival: UInt64) -> [UInt8] {
    hashIndexes + arrival.bigEndianBytes
  }

  /// `ends/zone NUL series number`: where segments ended that are not kept; several numbers a row.
  package static func ends(_ zone: ZoneID, _ series: ReplicaID, _ block: UInt64) -> [UInt8] {
    ends(zone, series) + block.bigEndianBytes
  }

  package static func ends(_ zone: ZoneID, _ series: ReplicaID) -> [UInt8] {
    ends(zone) + series.bytes
  }

  package static func ends(_ zone: ZoneID) -> [UInt8] { text("ends/") + prefix(zone) }

  /// Since when all changes of a zone are here that are not known as state only.
  package static func history(_ zone: ZoneID) -> [UInt8] { text("history/\(zone.text)") }

  /// `prunable/remote NUL`: how much lay in a zone when a snapshot of it was last tried.
  package static func prunable(_ remote: String) -> [UInt8] { text("condensed/\(remote)\u{0}") }

  package static func prunable(_ remote: String, _ zone: ZoneID) -> [UInt8] {
    prunable(remote) + Array(zone.text.utf8)
  }

  /// `met/remote NUL`: the prefix of what a remote was known to hold at some times.
  package static func marks(on remote: String) -> [UInt8] { text("met/\(remote)\u{0}") }

  package static func marks(on remote: String, _ zone: ZoneID) -> [UInt8] {
    marks(on: remote) + prefix(zone)
  }

  package static func mark(on remote: String, _ zone: ZoneID, _ time: Int64) -> [UInt8] {
    marks(on: remote, zone) + UInt64(bitPattern: time).bigEndianBytes
  }

  /// When a store last looked for expired records in a zone.
  static func forgot(_ zone: ZoneID) -> [UInt8] { text("forgot/\(zone.text)") }

  /// What was applied of a zone when its content was removed.
  package static func removed(_ zone: ZoneID) -> [UInt8] { text("removed/\(zone.text)") }

  /// Marks a batch that has moved a root; undoing it would take the root away.
  package static func move(_ batch: BatchID) -> [UInt8] { text("move/\(batch)") }

  /// `zone NUL`: the prefix of everything in a zone.
  package static func prefix(_ zone: ZoneID) -> [UInt8] { joined(zone.name, Name("")) }

  /// `zone NUL collection NUL`: the prefix of a collection.
  package static func prefix(_ zone: ZoneID, _ collection: CollectionName) -> [UInt8] {
    joined(zone.name, collection.name, Name(""))
  }

  /// `zone NUL collection NUL id`.
  package static func record(_ key: RecordKey) -> [UInt8] {
    joined(key.zone.name, key.collection.name, key.id.name)
  }

  package static func record(parsing key: [UInt8]) throws -> RecordKey {
    guard let first = key.firstIndex(of: 0), let second = key[(first + 1)...].firstIndex(of: 0)
    else { throw damaged("a record's key") }
    return try key.withUnsafeBytes { bytes in
      func name(_ range: Range<Int>) throws -> Name {
        guard let text = String(exactly: UnsafeRawBufferPointer(rebasing: bytes[range])) else {
          throw damaged("a record's key")
        }
        return Name(text)
      }
      return RecordKey(
        zone: ZoneID(try name(0..<first)), collection: CollectionName(try name(first + 1..<second)),
        id: RecordID(try name(second + 1..<key.count)))
    }
  }

  /// `zone NUL number`.
  package static func change(_ zone: ZoneID, _ seq: UInt64) -> [UInt8] {
    prefix(zone) + seq.bigEndianBytes
  }

  /// `zone NUL series last`: the segment that holds a number is the first at or behind it.
  package static func series(_ zone: ZoneID, _ series: ReplicaID, _ last: UInt64) -> [UInt8] {
    logPrefix(zone, series) + last.bigEndianBytes
  }

  static func logPrefix(_ zone: ZoneID, _ series: ReplicaID) -> [UInt8] {
    prefix(zone) + series.bytes
  }

  package static func segment(_ arrival: UInt64) -> [UInt8] { arrival.bigEndianBytes }

  /// `zone NUL series first hash`: two branches may wait under one number.
  package static func waiting(_ info: SegmentInfo) -> [UInt8] {
    prefix(info.zone) + info.series.bytes + info.first.bigEndianBytes + info.head.bytes
  }

  package static func name(_ number: Int) -> [UInt8] { [0] + UInt64(number).bigEndianBytes }
  package static func replica(_ number: Int) -> [UInt8] { [1] + UInt64(number).bigEndianBytes }

  package static func damaged(_ what: String) -> SyncError {
    SyncError(.storeDamaged, "The local store is damaged: \(what) cannot be read.")
  }

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// The bytes of names with a NUL between them.
  private static func joined(_ first: Name, _ names: Name...) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(names.reduce(first.text.utf8.count) { $0 + 1 + $1.text.utf8.count })
    bytes.append(contentsOf: first.text.utf8)
    for name in names {
      bytes.append(0)
      bytes.append(contentsOf: name.text.utf8)
    }
    return bytes
  }
}
