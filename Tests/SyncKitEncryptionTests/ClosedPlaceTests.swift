import SegmentFormat
import SyncKit
import SyncKitTesting
import Synchronization
import Testing

@testable import SyncKitEncryption

/// Places of an encrypted vault that its owner has moved to plain.
struct ClosedPlaceTests {
  private let environment = SyncEnvironment(now: { 7 }, random: { UInt64.random(in: 0 ... .max) })
  private let owner: VaultOwner
  private let blobs = InMemoryBlobStore()
  private let laptop: DeviceKeys
  private let phone: DeviceKeys
  private let stores: [DiaryDevice]

  init() async throws {
    let environment = environment
    owner = VaultOwner(from: environment)
    let vault = VaultKeys(of: owner, from: environment)
    laptop = DeviceKeys(of: vault, from: environment)
    phone = DeviceKeys(of: vault, from: environment)
    let blobs = blobs
    stores = try (1...2).map { number in
      try DiaryDevice(UInt8(number), vault, environment, base: BlobTransport(blobs))
    }
    try stores[0].note("a", "one")
    for device in [stores[0], stores[1]] { try await device.sync() }
  }

  private func place(_ blobs: any BlobStore, _ name: String = "place") -> Remote {
    Remote(name, location: name, transport: BlobTransport(blobs))
  }

  private func close(_ blobs: any BlobStore) async throws {
    try await KeyPlace(BlobTransport(blobs)).close(
      laptop, remote: "place", at: "place", by: owner, from: environment)
  }

  /// Does what a device does to whose person a closed place may be plain.
  @discardableResult
  private func leave(
    _ number: Int, _ keys: DeviceKeys? = nil, _ blobs: (any BlobStore)? = nil
  ) async throws -> (done: RemoteMove, removed: SealedRemains.Removed) {
    let (store, blobs) = (stores[number].store, blobs ?? self.blobs)
    let place = KeyPlace(BlobTransport(blobs))
    let found = try await place.closing(keys ?? laptop)
    guard found.closing != nil else { throw SyncError(.failure, "It is not closed.") }
    try store.forgetRemote("place")
    let remains = SealedRemains(
      BlobTransport(blobs), keys: found.keys, memory: ForgetfulMemory(), environment: environment)
    let done = try await store.move(
      from: Remote("place encrypted", location: "place", transport: remains),
      to: Remote("place", location: "place", transport: LeavingTransport(BlobTransport(blobs))))
    try await place.unmark(laptop.vault, isEmpty: done.left == 0)
    return (done, await remains.removed)
  }

  /// What is encrypted there, but for what devices have stated.
  private var sealed: [String] {
    let domain = EncryptedTransport.pseudonym("diary-domain", laptop.vault)
    return blobs.files.keys.filter {
      $0.contains(domain) || $0.contains("/slots/") || $0 == "root-\(laptop.vault.marker)"
    }.sorted()
  }

  /// What a device without keys finds there.
  private func plainNotes() async throws -> [RecordID: String] {
    let stranger = try DiaryDevice(9, laptop.vault, environment, base: BlobTransport(blobs))
    try await SyncEngine(store: stranger.store, remotes: [place(blobs)]).syncNow()
    return try stranger.notes
  }

  @Test func `everything is there in plain, and nothing encrypted`() async throws {
    try await KeyPlace(BlobTransport(blobs)).store(
      KeySlot(laptop.vault, recovery: RecoveryCode(from: environment), from: environment))
    #expect(sealed.count >= 4)
    try stores[1].note("b", "two")
    try await close(blobs)
    let (done, removed) = try await leave(0)
    #expect(done.left == 0 && removed.objects >= 1 && removed.bytes > 0)
    #expect(sealed == [])
    #expect(try await plainNotes() == ["a": "one"])
    // What the phone has not sent goes along.
    try await leave(1)
    #expect(try await plainNotes() == ["a": "one", "b": "two"])
    #expect(try await leave(0).removed == SealedRemains.Removed())
    #expect(try stores[0].notes == ["a": "one", "b": "two"])
  }

  @Test func `only the owner closes a place`() async throws {
    let thief = VaultOwner(from: environment)
    #expect(throws: SyncError.self) {
      try laptop.sealed(closing: "place", at: "place", by: thief, from: environment)
    }
    // Nor with a program that does not ask.
    let forged = SealedStatement(
      .closing(VaultClosing("place", at: "place", time: 9, by: thief, of: laptop.vault.id)),
      by: laptop.signing, in: laptop.vault.current, of: laptop.vault.id, from: environment)
    let other = VaultKeys(of: owner, from: environment)
    let replayed = SealedStatement(
      .closing(VaultClosing("place", at: "place", time: 9, by: owner, of: other.id)),
      by: laptop.signing, in: laptop.vault.current, of: laptop.vault.id, from: environment)
    let right = try laptop.sealed(closing: "place", at: "place", by: owner, from: environment)
    for word in [forged, replayed] {
      #expect(word.open(with: laptop.vault) == nil)
      #expect(phone.closing(in: [word]) == nil)
    }
    #expect(phone.closing(in: [forged, right, replayed])?.time == 7)
    for index in stride(from: 0, to: right.bytes.count, by: 53) {
      var changed = right.bytes
      changed[index] ^= 1
      #expect(phone.closing(in: [SealedStatement(changed)]) == nil)
    }
  }

  @Test(arguments: [false, true])
  func `a device that was never told stores nothing there, and does not mark it`(
    isAttached: Bool
  ) async throws {
    try await close(blobs)
    try await leave(0)
    let before = blobs.files
    let device =
      try isAttached
      ? stores[1] : DiaryDevice(3, laptop.vault, environment, base: BlobTransport(blobs))
    try device.note("b", "two")
    let error = await #expect(throws: SyncError.self) {
      try await place(blobs).exchange(phone, for: device.store) { _ in }
    }
    #expect(error?.code == .closed && error?.hint?.contains("vault decrypt place") == true)
    #expect(blobs.files == before)
    guard isAttached else { return }
    // Nor without asking first.
    #expect(await device.engine.sync(SyncOptions())[0].error?.code == .remoteMarker)
    #expect(blobs.files == before)
  }

  @Test func `a place that only says that it is plain is not believed`() async throws {
    blobs.files["root-\(laptop.vault.marker)"] = nil
    let before = blobs.files
    let error = await #expect(throws: SyncError.self) {
      try await place(blobs).exchange(phone, for: stores[1].store) { _ in }
    }
    #expect(error?.code == .remoteMarker)
    #expect(blobs.files == before)
  }

  @Test func `the word about one place is about no other one`() async throws {
    try await close(blobs)
    let usb = InMemoryBlobStore()
    let saved = Mutex(laptop)
    let closed = await #expect(throws: SyncError.self) {
      try await place(blobs).exchange(laptop, for: stores[0].store) { keys in
        saved.withLock { $0 = keys }
      }
    }
    let learned = saved.withLock { $0 }
    #expect(closed?.code == .closed)
    _ = try await place(usb, "usb").exchange(learned, for: stores[0].store) { _ in }
    #expect(usb.files.keys.count { $0.hasPrefix("vault-keys/statements/") } == 1)
    #expect(try await KeyPlace(BlobTransport(usb)).closing(learned).closing == nil)
    // The other one shows what was said of the first.
    usb.files.merge(blobs.files.filter { $0.key.hasPrefix("vault-keys/statements/") }) { $1 }
    let shown = await #expect(throws: SyncError.self) {
      try await place(usb, "usb").exchange(learned, for: stores[0].store) { _ in }
    }
    #expect(shown?.code == .closed && shown?.hint?.contains("--closed-as place") == true)
    let closing = try #require(try await KeyPlace(BlobTransport(usb)).closing(phone).closing)
    #expect(!closing.names("usb", at: "usb") && closing.names("place", at: "elsewhere"))
    #expect(closing.names("mine", at: "place"))
  }

  @Test func `a device gets the key of a later epoch together with the word`() async throws {
    var (laptop, phone) = (laptop, phone)
    for (keys, number) in [(laptop, 0), (phone, 1)] {
      _ = try await place(blobs).exchange(keys, for: stores[number].store) {
        if number == 0 { laptop = $0 } else { phone = $0 }
      }
    }
    laptop = try await place(blobs).exchange(laptop, for: stores[0].store) { _ in }
    try laptop.beginEpoch(
      by: owner, lettingGo: [], objects: [:], slots: { _ in [] }, from: environment)
    laptop = try await place(blobs).exchange(laptop, for: stores[0].store) { _ in }
    try await KeyPlace(BlobTransport(blobs)).close(
      laptop, remote: "place", at: "place", by: owner, from: environment)
    #expect(phone.vault.epoch == 1)
    let found = try await KeyPlace(BlobTransport(blobs)).closing(phone)
    #expect(found.keys.vault.epoch == 2 && found.closing != nil)
  }

  @Test func `what a device has stored encrypted at the last moment is taken in`() async throws {
    // The phone's copy of the folder lacks what the laptop does.
    let copy = InMemoryBlobStore()
    copy.files = blobs.files
    try await close(blobs)
    try await leave(0)
    let late = try DiaryDevice(3, laptop.vault, environment, base: BlobTransport(copy))
    try late.note("b", "two")
    try await late.sync()
    for (name, bytes) in copy.files where name.hasSuffix(".seg") && !name.contains("vault-keys") {
      blobs.files[name] = bytes
    }
    #expect(!sealed.isEmpty)
    let (done, removed) = try await leave(0)
    #expect(done.left == 0 && removed.objects >= 1 && sealed == [])
    #expect(try await plainNotes() == ["a": "one", "b": "two"])
  }

  @Test func `what was withdrawn stays withdrawn`() async throws {
    for device in stores {
      try device.store.write {
        try $0.save(RecordDraft("diary", id: "d", fields: ["owner-field": "somebody"]))
      }
      try await device.sync()
    }
    try await stores[0].sync()
    let diary = try #require(try stores[0].store.record("diary", "d"))
    try stores[0].store.setScope(.local, of: diary.key)
    try await stores[0].sync()
    try await close(blobs)
    let (done, _) = try await leave(0)
    #expect(done.left == 0 && sealed == [])
    try await leave(1)
    #expect(try stores[1].store.record("diary", "d") == nil)
    #expect(blobs.files.keys.contains { $0.contains("diary-domain") && $0.contains("erased-") })
  }

  @Test func `what nobody of the vault has made keeps all that is there`() async throws {
    let name = try #require(sealed.first { $0.hasSuffix(".seg") })
    try await close(blobs)
    blobs.files[name]?[40] ^= 1
    let before = sealed
    let error = await #expect(throws: SyncError.self) { try await leave(0) }
    #expect(error != nil && sealed == before)
  }

  @Test func `a move that is cut off anywhere loses nothing and is finished by the next`()
    async throws
  {
    var step = 0
    while true {
      let test = try await ClosedPlaceTests()
      try test.stores[1].note("b", "two")
      try await test.stores[1].sync()
      try test.stores[1].note("c", "three")
      let left = StepsLeft(step)
      let cut = WatchedBlobs(
        base: test.blobs, willPut: { _, _ in try left.take() }, willDelete: { _ in try left.take() }
      )
      var isCut = false
      do {
        try await test.close(cut)
        try await test.leave(0, nil, cut)
      } catch let error as SyncError where error.code == .remoteIO {
        isCut = true
      }
      // Whoever has the keys finds everything, in one form or the other; the owner says it again where that was cut off.
      if try await KeyPlace(BlobTransport(test.blobs)).closing(test.phone).closing == nil {
        try await test.close(test.blobs)
      }
      try await test.leave(0)
      try await test.leave(1)
      #expect(test.sealed == [], "cut at \(step)")
      let all: [RecordID: String] = ["a": "one", "b": "two", "c": "three"]
      #expect(try await test.plainNotes() == all, "cut at \(step)")
      guard isCut else { break }
      step += 1
    }
    #expect(step > 8)
  }
}
