import FileTransport
import SQLiteTransport
import SegmentFormat
import SyncKit
import SyncKitTesting
import Synchronization
import Testing

@testable import SyncKitEncryption

/// A device of a vault with a store of diaries, one zone each.
struct DiaryDevice {
  let store: SyncStore
  let engine: SyncEngine

  private struct Diaries: SyncDomain {
    let schema = DomainSchema(
      "diary-domain",
      [
        RecordType(
          "diary", placement: .root, fields: [Field("owner-field", .string)]),
        RecordType(
          "entry", placement: .parent, parents: ["diary"],
          fields: [Field("text-field", .string), Field("count", .int), Field("data", .bytes)]),
        RecordType("note", fields: [Field("text", .string)]),
      ])
  }

  init(
    _ number: UInt8, _ keys: VaultKeys, _ environment: SyncEnvironment, base: any Transport
  ) throws {
    store = try SyncStore(
      Diaries(), storage: InMemoryStorage(), coding: DeflateSegmentCoding(),
      device: Device(id: "device-id-\(number)", name: "device-name-\(number)"),
      environment: environment)
    let remote = Remote("place", location: "place", transport: base)
    engine = SyncEngine(
      store: store,
      remotes: [
        remote.encrypted(with: DeviceKeys(of: keys, from: environment), for: store)
      ])
  }

  func note(_ id: RecordID, _ text: String) throws {
    try store.write {
      try $0.save(RecordDraft("note", id: id, fields: ["text": .string(text)]))
    }
  }

  var notes: [RecordID: String] {
    get throws {
      Dictionary(
        uniqueKeysWithValues: try store.records("note").map { ($0.key.id, $0["text"].string ?? "") }
      )
    }
  }

  @discardableResult
  func sync() async throws -> SyncReport {
    let outcome = await engine.sync(SyncOptions())[0]
    if let error = outcome.error { throw error }
    return outcome.report
  }
}

struct EncryptedVaultTests {
  private let vault = Vault()

  private func device(_ number: UInt8, _ base: (any Transport)? = nil) throws -> DiaryDevice {
    try DiaryDevice(
      number, vault.keys, vault.environment, base: base ?? BlobTransport(vault.blobs))
  }

  @Test func `two devices of a vault have the same records`() async throws {
    let (laptop, phone) = (try device(1), try device(2))
    try laptop.note("a", "one")
    try await laptop.sync()
    try await phone.sync()
    #expect(try phone.notes == ["a": "one"])
    try phone.note("a", "two")
    try phone.note("b", "three")
    try await phone.sync()
    try await laptop.sync()
    #expect(try laptop.notes == ["a": "two", "b": "three"])
  }

  @Test func `a device remembers what objects hold, and opens each once`() async throws {
    let laptop = try device(1)
    let counting = CountingTransport(BlobTransport(vault.blobs))
    let phone = try device(2, counting)
    for number in 0..<5 {
      try laptop.note(RecordID("n\(number)"), "text \(number)")
      try await laptop.sync()
    }
    try await phone.sync()
    let fetched = counting.fetched
    #expect(fetched >= 1)
    for _ in 0..<3 { try await phone.sync() }
    #expect(counting.fetched == fetched)
  }

  @Test(arguments: ["folder", "file"])
  func `whoever would write in plain, or with other keys, is refused`(kind: String) async throws {
    let folder = try TestFolder()
    let base = place(kind, in: folder)
    try await device(1, base).sync()
    let identity = RemoteIdentity(
      vault: [], isKnown: false, newVault: "0f0e0d0c-0b0a-4908-8706-050403020100")
    for consent in [RemoteIdentity.Consent.none, .adopt, .reinitialise] {
      var plain = identity
      plain.consent = consent
      let error = await #expect(throws: SyncError.self) {
        try await base.attach(plain, domain: "diary-domain")
      }
      #expect(error?.code == .remoteEncrypted)
      let other = try DiaryDevice(
        2, VaultKeys(from: vault.environment), vault.environment, base: base)
      var options = SyncOptions()
      options.consent = consent
      #expect(await other.engine.sync(options)[0].error?.code == .remoteVault)
    }
  }

  private func place(_ kind: String, in folder: TestFolder) -> any Transport {
    kind == "folder"
      ? FileTransport(path: folder.path + "/r", createIfParentExists: true)
      : SQLiteTransport(
        path: folder.path + "/r.sqlite", createIfParentExists: true, patience: .seconds(30))
  }

  @Test(arguments: ["folder", "file"])
  func `no name, no value and no id reaches a place`(kind: String) async throws {
    let folder = try TestFolder()
    let base = place(kind, in: folder)
    let laptop = try device(1, base)
    let diary = try laptop.store.write { transaction in
      let diary = try transaction.save(
        RecordDraft(
          "diary", id: "diary-of-anna-0123456789", fields: ["owner-field": "owner-value"])
      ).key
      try transaction.save(
        RecordDraft(
          "entry", id: "entry-id-0123456789", parent: diary,
          fields: [
            "text-field": "text-value", "count": 7_234_567_890_123,
            "data": .bytes(Array("byte-value".utf8)),
          ]))
      return diary
    }.result
    try laptop.note("note-id-0123456789", "note-value")
    try await laptop.sync()
    let bytes = try folder.everything()
    let words = [
      "diary-domain", "diary", "owner-field", "owner-value", "entry", "text-field", "text-value",
      "byte-value", "note", "device-id-1", "device-name-1", "note-value", "0123456789", "home",
      diary.zone.text,
    ]
    for word in words { #expect(!bytes.holds(Array(word.utf8)), "\(word)") }
    for zone in [ZoneID.home, diary.zone] {
      for series in try laptop.store.read({ try $0.seriesNames(zone) }) {
        #expect(!bytes.holds(series.bytes) && !bytes.holds(Array("\(series)".utf8)))
      }
    }
  }
}

/// A transport that counts what is fetched.
final class CountingTransport: Transport {
  private let base: any Transport
  private let count = Mutex(0)

  init(_ base: any Transport) { self.base = base }

  var fetched: Int { count.withLock { $0 } }

  func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
    try await base.attach(identity, domain: domain)
  }

  func inventory(of domain: String) async throws -> Inventory {
    try await base.inventory(of: domain)
  }

  func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
    count.withLock { $0 += 1 }
    return try await base.fetch(reference, of: domain)
  }

  func store(_ segment: OutboundSegment) async throws { try await base.store(segment) }
}

extension [UInt8] {
  /// Whether these bytes stand in a row somewhere.
  func holds(_ part: [UInt8]) -> Bool {
    guard let first = part.first, count >= part.count else { return false }
    var start = startIndex
    while let place = self[start...].firstIndex(of: first), place + part.count <= count {
      if self[place..<place + part.count].elementsEqual(part) { return true }
      start = place + 1
    }
    return false
  }
}
