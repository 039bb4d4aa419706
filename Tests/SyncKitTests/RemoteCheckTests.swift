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
}
