import FileTransport
import SegmentFormat
import SyncKit
import SyncKitTesting

extension FuzzTarget {
  private static let replica = ReplicaID(high: 7, low: 9)

  /// A segment of a few changes, and each of them.
  private static func written() throws -> (segment: Segment, changes: [[UInt8]]) {
    let storage = InMemoryStorage()
    let store = try makeStore(on: storage)
    for number in 0..<3 {
      _ = try store.write { transaction in
        try transaction.save(
          RecordDraft(
            "note", id: RecordID("n\(number)"), fields: ["text": .string("hello \(number)")]))
      }
    }
    let transport = InMemoryTransport()
    wait {
      _ = await SyncEngine(
        store: store, remotes: [Remote("memory", location: "memory:", transport: transport)]
      ).sync()
    }
    let coding = DeflateSegmentCoding()
    let found = FoundSegments()
    wait {
      guard let inventory = try? await transport.inventory(of: "fuzz") else { return }
      for reference in inventory.segments {
        if let segment = try? await transport.fetch(reference, of: "fuzz") { found.add(segment) }
      }
    }
    guard let segment = found.first else { fail("no segment was created") }
    return (segment, try coding.changes(of: segment))
  }

  static func makeStore(on storage: InMemoryStorage) throws -> SyncStore {
    try SyncStore(
      FuzzDomain(), storage: storage, coding: DeflateSegmentCoding(),
      device: Device(id: "fuzz", name: "fuzz"), environment: .seeded(1))
  }

  /// A segment file: reading must return the written content.
  static let segment = FuzzTarget(
    "segment", samples: { [try written().segment.bytes] },
    body: { bytes in
      let coding = DeflateSegmentCoding()
      // Nearly every changed byte breaks the checksum, so it is recalculated: readers meet forged files.
      for bytes in [bytes, resealed(bytes)] {
        guard let segment = try? coding.read(bytes) else { continue }
        guard let changes = try? coding.changes(of: segment) else { continue }
        for change in changes { try? read(change, segment.info.series) }
      }
    })

  /// The bytes of one change.
  static let change = FuzzTarget(
    "change", samples: { try written().changes }, body: { try read($0, replica) })

  private static func read(_ bytes: [UInt8], _ series: ReplicaID) throws {
    let change = try bytes.reading { try Change(&$0, series: series, after: VersionVector()) }
    let again = change.encoded(series: series, after: VersionVector(), versions: { _ in 1 })
    let second = try again.reading { try Change(&$0, series: series, after: VersionVector()) }
    if second != change { fail("a change does not survive a round trip") }
  }

  static func resealed(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count > 16 else { return bytes }
    let body = Array(bytes.dropLast(16))
    let hash = body.withUnsafeBytes { DeflateSegmentCoding().hash([$0]) }
    var writer = ByteWriter()
    writer.write(raw: body)
    writer.write(hash)
    return writer.bytes
  }

  private static func rows(
    of table: Table, _ reader: any StorageReader
  ) throws -> [(key: [UInt8], value: [UInt8])] {
    var rows: [(key: [UInt8], value: [UInt8])] = []
    try reader.scan(table, prefix: [], after: nil) { key, value in
      rows.append((key, value))
      return true
    }
    return rows
  }

  /// A row of the store that this version did not write: the table, then the bytes instead of a row.
  static let storeRow = FuzzTarget(
    "store-row",
    samples: {
      let storage = InMemoryStorage()
      let store = try makeStore(on: storage)
      _ = try store.write { transaction in
        try transaction.save(
          RecordDraft(
            "note", id: "n1", fields: ["text": .string("a"), "tags": .list([.string("b")])]))
      }
      return try storage.read { reader in
        try Table.allCases.flatMap { table in
          try rows(of: table, reader).map { [table.rawValue] + $0.value }
        }
      }
    },
    body: { bytes in
      guard let first = bytes.first, let table = Table(rawValue: first) else { return }
      let storage = InMemoryStorage()
      let store = try makeStore(on: storage)
      _ = try store.write { transaction in
        try transaction.save(
          RecordDraft(
            "note", id: "n1", fields: ["text": .string("a"), "tags": .list([.string("b")])]))
      }
      try storage.write { writer in
        for (key, _) in try rows(of: table, writer) {
          try writer.put(table, key, Array(bytes.dropFirst()))
        }
      }
      let again = try makeStore(on: storage)
      _ = try? again.verify()
      _ = try? again.records("note", includingDeleted: true)
      _ = try? again.history()
      _ = try? again.conflicts()
      _ = try? again.write { try $0.delete(RecordKey(zone: .home, collection: "note", id: "n1")) }
    })

  /// A remote of blobs: a line of names, then the content of each.
  static let blobs = FuzzTarget(
    "blobs",
    samples: {
      let segment = try written().segment
      let info = segment.info
      let name = "fuzz/home/\(info.series)/\(info.first)-\(info.last)-\(info.head).seg"
      return [
        Array("\(name)\n".utf8) + segment.bytes,
        Array("fuzz/a (conflicted copy).seg\n".utf8) + segment.bytes,
      ]
    },
    body: { bytes in
      guard let end = bytes.firstIndex(of: 10) else { return }
      let store = InMemoryBlobStore()
      for name in String(decoding: bytes[..<end], as: UTF8.self).split(separator: "|").prefix(4) {
        store.files[String(name)] = Array(bytes[(end + 1)...])
      }
      wait {
        let transport = BlobTransport(store)
        let identity = RemoteIdentity(vault: [], isKnown: false, newVault: "v")
        _ = try? await transport.attach(identity, domain: "fuzz")
        guard let inventory = try? await transport.inventory(of: "fuzz") else { return }
        for reference in inventory.segments {
          _ = try? await transport.fetch(reference, of: "fuzz")
        }
      }
    })

  /// The markers of a remote, by name and content.
  static let markers = FuzzTarget(
    "markers", texts: ["root-4d332337-645d-4667-bb17-dec5913867d7\nx", "layout-fuzz-segments\n"],
    body: blobs.body)
}

/// The result of a fetch.
private final class FoundSegments: Sendable {
  private let segments = SharedList<Segment>()

  var first: Segment? { segments.all.first }

  func add(_ segment: Segment) { segments.add(segment) }
}
