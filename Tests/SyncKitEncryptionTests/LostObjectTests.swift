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

  @Test func `a removal that a place has lost is told again`() async throws {
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
    // The place loses what was stored with the removal, before the phone has seen it; the record stays gone there.
    vault.blobs.files = vault.blobs.files.filter { before[$0.key] != nil }
    try await laptop.sync()
    try await phone.sync()
    #expect(try phone.store.records("diary").isEmpty)
  }

  @Test func `half an object that a device has left there is one that it knows`() async throws {
    let blobs = vault.blobs
    let cut = WatchedBlobs(base: blobs) { name, bytes in
      guard name.hasSuffix(".seg") else { return }
      blobs.files[name] = Array(bytes.prefix(bytes.count / 2))
      throw SyncError(.remoteIO, "The store was cut off.")
    }
    let laptop = try DiaryDevice(
      1, vault.keys, vault.environment, base: BlobTransport(cut))
    try laptop.note("a", "one")
    await #expect(throws: SyncError.self) { try await laptop.sync() }
    #expect(try laptop.store.objects(on: "place").count == 1)
  }
}
