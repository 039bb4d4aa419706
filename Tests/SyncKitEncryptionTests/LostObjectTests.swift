import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

@testable import SyncKitEncryption

/// What a device does about objects that a place has lost, or has only a part of.
struct LostObjectTests {
  private let vault = Vault()

  private func device(_ number: UInt8) throws -> DiaryDevice {
    try DiaryDevice(
      number, vault.keys, vault.environment, base: BlobTransport(vault.blobs))
  }

  @Test func `a removal that a place has forgotten is said again`() async throws {
    let (laptop, phone) = (try device(1), try device(2))
    try laptop.store.write {
      try $0.save(RecordDraft("diary", id: "d", fields: ["owner-field": .string("me")]))
    }
    try await laptop.sync()
    try await phone.sync()
    let before = vault.blobs.files
    let diary = try #require(try laptop.store.records("diary").first)
    try laptop.store.setScope(.local, of: diary.key)
    try await laptop.sync()
    // The place is put back to where nothing was removed, before the phone has heard of it.
    vault.blobs.files = before
    try await laptop.sync()
    try await phone.sync()
    #expect(try phone.store.records("diary").isEmpty)
  }

  @Test func `half an object that a device has left there is one that it knows`() async throws {
    let laptop = try DiaryDevice(
      1, vault.keys, vault.environment, base: BlobTransport(CutOffStore(blobs: vault.blobs)))
    try laptop.note("a", "one")
    await #expect(throws: SyncError.self) { try await laptop.sync() }
    #expect(try laptop.store.objects(on: "place").count == 1)
  }
}

/// A store that is cut off while it takes an object.
private struct CutOffStore: BlobStore {
  let blobs: InMemoryBlobStore

  var location: String { blobs.location }

  func prepare(creating mayCreate: Bool) async throws {}

  func list(_ folder: String, _ reach: BlobReach) async throws -> BlobListing {
    try await blobs.list(folder, reach)
  }

  func get(_ name: String, upTo limit: Int) async throws -> [UInt8]? {
    try await blobs.get(name, upTo: limit)
  }

  func put(_ name: String, _ bytes: [UInt8], replacing: Bool) async throws -> Bool {
    guard name.hasSuffix(".seg") else {
      return try await blobs.put(name, bytes, replacing: replacing)
    }
    _ = try await blobs.put(name, Array(bytes.prefix(bytes.count / 2)), replacing: replacing)
    throw SyncError(.remoteIO, "The store was cut off.")
  }

  func delete(_ name: String) async throws { try await blobs.delete(name) }
}
