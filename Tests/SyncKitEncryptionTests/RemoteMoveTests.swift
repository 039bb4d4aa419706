import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

@testable import SyncKitEncryption

/// Moves of what lies in plain on a place to the same place, encrypted.
struct RemoteMoveTests {
  private let vault = Vault()
  private let laptop: DiaryDevice

  init() async throws {
    laptop = try DiaryDevice(1, vault.keys, vault.environment, base: BlobTransport(vault.blobs))
    try laptop.note("a", "one")
    _ = try await SyncEngine(store: laptop.store, remotes: [plain(vault.blobs)]).syncNow()
  }

  /// Marks the place as encrypted, as the keys do that come there first.
  private func mark() async throws {
    let identity = RemoteIdentity(
      vault: try laptop.store.vault(), isKnown: false,
      newVault: UUIDText.random(from: vault.environment), mayWrite: true)
    try await KeyPlace(BlobTransport(vault.blobs)).attach(identity, vault.keys)
  }

  private func plain(_ blobs: any BlobStore) -> Remote {
    Remote("place", location: "place", transport: BlobTransport(blobs))
  }

  private var files: [String] {
    vault.blobs.files.keys.filter { $0.contains("diary-domain") }.sorted()
  }

  private func move(
    watching hook: @escaping @Sendable (String) throws -> Void = { _ in }
  )
    async throws -> RemoteMove
  {
    try await mark()
    let watched = WatchedBlobs(base: vault.blobs, willPut: { name, _ in try hook(name) })
    let keys = DeviceKeys(of: vault.keys, from: vault.environment)
    return try await laptop.store.move(
      from: Remote(
        "place in plain", location: "place", transport: PlainRemains(BlobTransport(watched))),
      to: plain(watched).encrypted(with: keys, for: laptop.store))
  }

  @Test func `everything is there, encrypted, and nothing else`() async throws {
    #expect(files.contains("layout-diary-domain-segments") && files.count == 2)
    let done = try await move()
    #expect(done.removed == 1 && done.bytes > 0 && done.left == 0)
    #expect(files == [])
    let phone = try DiaryDevice(2, vault.keys, vault.environment, base: BlobTransport(vault.blobs))
    try await phone.sync()
    #expect(try phone.notes == ["a": "one"])
    let again = try await move()
    #expect(again == RemoteMove())
  }

  @Test func `nothing goes as long as it cannot be stored again`() async throws {
    let before = vault.blobs.files
    await #expect(throws: SyncError.self) {
      try await move { name in
        if name.hasSuffix(".seg") { throw SyncError(.remoteDiskFull, "The disk is full.") }
      }
    }
    for (name, bytes) in before { #expect(vault.blobs.files[name] == bytes) }
    #expect(try await move().removed == 1)
    #expect(files == [])
  }

  @Test func `what comes in the middle stays, and goes with the next move`() async throws {
    // Another device has stored at its copy of the place, and the drive brings it at this moment.
    let copy = InMemoryBlobStore()
    copy.files = vault.blobs.files
    let phone = try DiaryDevice(2, vault.keys, vault.environment, base: BlobTransport(copy))
    try phone.note("b", "two")
    _ = try await SyncEngine(store: phone.store, remotes: [plain(copy)]).syncNow()
    let (place, late) = (vault.blobs, copy.files)
    _ = try await move { name in
      if name.hasSuffix(".seg") { place.files.merge(late) { old, _ in old } }
    }
    #expect(files.count >= 1)
    #expect(try laptop.notes == ["a": "one"])
    let next = try await move()
    #expect(next.removed >= 1 && next.left == 0)
    #expect(files == [])
    #expect(try laptop.notes == ["a": "one", "b": "two"])
  }

  @Test func `what has not arrived keeps all that is there`() async throws {
    let copy = InMemoryBlobStore()
    copy.files = vault.blobs.files
    let phone = try DiaryDevice(2, vault.keys, vault.environment, base: BlobTransport(copy))
    try phone.note("b", "two")
    _ = try await SyncEngine(store: phone.store, remotes: [plain(copy)]).syncNow()
    for (name, bytes) in copy.files where vault.blobs.files[name] == nil {
      vault.blobs.files[name] = Array(bytes.prefix(bytes.count / 2))
    }
    let before = files
    await #expect(throws: SyncError.self) { try await move() }
    #expect(files == before)
  }

  @Test func `a zone that is not sent stays where it is`() async throws {
    let source = PlainRemains(BlobTransport(vault.blobs))
    let closed = ClosedTransport(base: BlobTransport(InMemoryBlobStore()))
    let done = try await laptop.store.move(
      from: Remote("place in plain", location: "place", transport: source),
      to: Remote("other", location: "other", transport: closed))
    #expect(done.removed == 0 && done.left == 1)
    #expect(files.count == 2)
  }

  @Test func `a part of a snapshot whose first part has not come stays`() async throws {
    let part = SegmentReference(
      zone: .home, series: ReplicaID.snapshot(ContentHash(high: 7, low: 7)), first: 2, last: 2,
      head: ContentHash(high: 1, low: 2), size: 9, location: "part")
    let place = LongerListing(base: BlobTransport(vault.blobs), more: part)
    let keys = DeviceKeys(of: vault.keys, from: vault.environment)
    try await mark()
    let done = try await laptop.store.move(
      from: Remote("place in plain", location: "place", transport: PlainRemains(place)),
      to: plain(vault.blobs).encrypted(with: keys, for: laptop.store))
    #expect(done.removed == 1 && done.left == 1)
  }

  @Test func `what is local here and synced by another device stays`() async throws {
    let phone = try DiaryDevice(2, vault.keys, vault.environment, base: BlobTransport(vault.blobs))
    for device in [laptop, phone] {
      try device.store.write {
        try $0.save(RecordDraft("diary", id: "d", fields: ["owner-field": "somebody"]))
      }
    }
    let diary = try #require(try laptop.store.record("diary", "d"))
    try laptop.store.setScope(.local, of: diary.key)
    for device in [phone, laptop] {
      _ = try await SyncEngine(store: device.store, remotes: [plain(vault.blobs)]).syncNow()
    }
    let before = vault.blobs.files
    let done = try await move()
    #expect(done.left == 1)
    let kept = files.filter { $0.hasSuffix(".seg") }
    #expect(kept.count == 1 && vault.blobs.files[kept[0]] == before[kept[0]])
  }
}

/// A place that lists one segment more than there is.
private struct LongerListing: EmptyingTransport {
  let base: BlobTransport
  let more: SegmentReference

  func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
    try await base.attach(identity, domain: domain)
  }

  func inventory(of domain: String) async throws -> Inventory {
    var inventory = try await base.inventory(of: domain)
    inventory.segments.append(more)
    return inventory
  }

  func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
    try await base.fetch(reference, of: domain)
  }

  func store(_ segment: OutboundSegment) async throws { try await base.store(segment) }

  func flush(_ domain: String) async throws { try await base.flush(domain) }

  func empty(_ domain: String, of inventory: Inventory) async throws {
    try await base.empty(domain, of: inventory)
  }

  func removeMark(of vault: String) async throws { try await base.removeMark(of: vault) }
}

/// A place that says it has stored, and has not.
private struct ClosedTransport: Transport {
  let base: BlobTransport

  func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
    try await base.attach(identity, domain: domain)
  }

  func inventory(of domain: String) async throws -> Inventory {
    try await base.inventory(of: domain)
  }

  func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? { nil }

  func store(_ segment: OutboundSegment) async throws {}

  func flush(_ domain: String) async throws {}
}
