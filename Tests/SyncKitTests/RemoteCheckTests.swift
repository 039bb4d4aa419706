import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

/// A sync believes names and sizes; only a look at every byte finds one that has changed.
struct RemoteCheckTests {
  @Test func `a segment that was damaged on a remote is found and brought again`() async throws {
    let blobs = InMemoryBlobStore()
    let remote = Remote("place", location: "memory:", transport: BlobTransport(blobs))
    let phone = try TestDevice("phone")
    _ = try phone.store.write {
      try $0.save(RecordDraft("book", id: "a", fields: ["title": .string("Emma")]))
    }
    let engine = SyncEngine(store: phone.store, remotes: [remote])
    try await engine.syncNow()

    let name = try #require(blobs.files.keys.first { $0.hasSuffix(".seg") })
    let bytes = try #require(blobs.files[name])
    blobs.files[name] = bytes.dropLast() + [bytes[bytes.count - 1] ^ 1]
    try await engine.syncNow()
    let found = await engine.check()
    #expect(found.map(\.damaged) == [[name]])
    #expect(found.map(\.repaired) == [0])

    let repaired = await engine.check(repairing: true)
    #expect(repaired.map(\.repaired) == [1])
    #expect(repaired.map(\.damaged) == [[]])
    #expect(blobs.files[name] == bytes)
    #expect(await engine.check().map(\.damaged) == [[]])
  }

  @Test func `a segment whose head is in order and whose changes no device takes is damaged`()
    async throws
  {
    let blobs = InMemoryBlobStore()
    let place = ClearingPlace(BlobTransport(blobs))
    let remote = Remote("place", location: "memory:", transport: place)
    let phone = try TestDevice("phone")
    _ = try phone.store.write {
      try $0.save(RecordDraft("book", id: "a", fields: ["title": .string("Emma")]))
    }
    let engine = SyncEngine(store: phone.store, remotes: [remote])
    try await engine.syncNow()

    // Another program has stored what unpacks and does not lead to the head that it bears.
    let domain = phone.store.domain.name
    let own = try #require(try await place.inventory(of: domain).segments.first)
    var info = try #require(try await place.fetch(own, of: domain)).info
    info.series = ReplicaID(high: 66, low: 6)
    info.head = ContentHash(high: 1, low: 2)
    let changes = (info.first...info.last).map { _ in [UInt8](arrayLiteral: 0, 1, 2) }
    let bad = try DeflateSegmentCoding().segment(info, changes: changes)
    let name = try #require(blobs.files.keys.first { $0.hasSuffix(".seg") })
      .replacing("\(own.series)", with: "\(info.series)").replacing(
        "\(own.head)", with: "\(info.head)")
    blobs.files[name] = bad.bytes

    try await engine.syncNow()
    let found = await engine.check()
    #expect(found.map(\.damaged) == [[name]])
    #expect(found.map(\.sound) == [1])

    // Where the place finds the same, a repair has it removed, and nothing else.
    let repaired = await engine.check(repairing: true)
    #expect(repaired.map(\.cleared) == [1] && repaired.map(\.damaged) == [[]])
    #expect(blobs.files[name] == nil)
    #expect(await engine.check().map(\.sound) == [1])
  }
}

/// A place that removes what it is asked to, as a server does with what it finds unreadable.
private struct ClearingPlace: ClearingTransport {
  let base: BlobTransport

  init(_ base: BlobTransport) { self.base = base }

  func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
    try await base.attach(identity, domain: domain)
  }

  func inventory(of domain: String) async throws -> Inventory {
    try await base.inventory(of: domain)
  }

  func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
    try await base.fetch(reference, of: domain)
  }

  func store(_ segment: OutboundSegment) async throws { try await base.store(segment) }

  func erase(
    _ zone: ZoneID, of domain: String, confirmedBy confirmations: Confirmations
  ) async throws {
    try await base.erase(zone, of: domain, confirmedBy: confirmations)
  }

  func clear(
    _ references: [SegmentReference], of domain: String
  ) async throws -> [SegmentReference] {
    try await base.remove(references, of: domain)
    return references
  }
}
