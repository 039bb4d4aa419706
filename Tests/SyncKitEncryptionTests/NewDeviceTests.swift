import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

@testable import SyncKitEncryption

/// What a place cannot keep from a device that another one lets in.
struct NewDeviceTests {
  private let vault = Vault()
  private let code: RecoveryCode

  init() { code = RecoveryCode(from: vault.environment) }

  private func device(_ number: UInt8) throws -> DiaryDevice {
    try DiaryDevice(number, vault.keys, vault.environment, base: BlobTransport(vault.blobs))
  }

  /// What a device says of the place, as it comes out of the invitation.
  private func frontier(of device: DiaryDevice, _ keys: DeviceKeys? = nil) throws -> Frontier {
    let keys = keys ?? DeviceKeys(of: vault.keys, from: vault.environment)
    let slot = KeySlot(
      keys.vault, invitation: code, until: 1,
      telling: try Frontier(of: keys, stores: [device.store], on: "place"), from: vault.environment)
    return try #require(try KeySlot(slot.bytes).frontier(code: code, now: 0))
  }

  /// A device that is let in by another one.
  private func joined(by device: DiaryDevice) throws -> DiaryDevice {
    let phone = try self.device(2)
    try frontier(of: device).expect(in: phone.store, from: "place")
    return phone
  }

  @Test func `an older state is told, at each sync, until all has come`() async throws {
    let laptop = try device(1)
    try laptop.note("a", "first")
    try await laptop.sync()
    let old = vault.blobs.files
    try laptop.note("a", "second")
    try laptop.note("b", "other")
    try await laptop.sync()
    let phone = try joined(by: laptop)
    let honest = vault.blobs.files
    vault.blobs.files = old
    for _ in 0..<2 {
      let report = try await phone.sync()
      #expect(report.waiting == 2)
      #expect(report.notes.contains { $0.hasPrefix("2 changes are missing") })
      var look = SyncOptions()
      look.isDryRun = true
      #expect(await phone.engine.sync(look)[0].report.waiting == 2)
      #expect(try phone.notes == ["a": "first"])
      #expect(try phone.store.status(remotes: ["place"]).waiting == 2)
    }
    vault.blobs.files.merge(honest) { $1 }
    var look = SyncOptions()
    look.isDryRun = true
    #expect(await phone.engine.sync(look)[0].report.waiting == 0)
    let report = try await phone.sync()
    #expect(report.waiting == 0 && report.notes.isEmpty)
    #expect(try phone.notes == laptop.notes)
    #expect(try phone.store.remote("place").expected.isEmpty)
    // From now on the device has it, and brings it back itself.
    vault.blobs.files = old
    #expect(try await phone.sync().waiting == 0)
    #expect(try await device(3).sync().waiting == 0)
  }

  @Test func `a place without anything is told`() async throws {
    let laptop = try device(1)
    try laptop.note("a", "first")
    try await laptop.sync()
    let phone = try joined(by: laptop)
    let honest = vault.blobs.files
    vault.blobs.files = vault.blobs.files.filter { !$0.key.hasSuffix(".seg") }
    #expect(try await phone.sync().waiting > 0)
    vault.blobs.files = honest
    #expect(try await phone.sync().waiting == 0)
  }

  @Test func `a fork is told: another change of the same number`() async throws {
    let laptop = try device(1)
    try laptop.note("a", "first")
    try await laptop.sync()
    let expected = try frontier(of: laptop)
    let phone = try device(2)
    let zones = try #require(expected.stored["diary-domain"])
    let home = try #require(zones[.home])
    let (series, head) = try #require(home.heads.first)
    let changed = VersionVector([
      series: Head(seq: head.seq, hash: ContentHash(high: 1, low: 2))
    ])
    try phone.store.expect([.home: changed], from: "place")
    #expect(try await phone.sync().waiting == 1)
  }

  @Test func `what is only a snapshot there has come with it`() async throws {
    let laptop = try device(1)
    for number in 0..<200 {
      try laptop.note(RecordID("n\(number % 5)"), String(repeating: "\(number) ", count: 30))
      try await laptop.sync()
    }
    var options = SyncOptions()
    options.isCompaction = true
    options.keepHistory = .zero
    #expect(await laptop.engine.sync(options)[0].error == nil)
    let phone = try joined(by: laptop)
    let report = try await phone.sync()
    #expect(report.waiting == 0 && report.notes.isEmpty)
    #expect(try phone.notes == laptop.notes)
  }

  @Test func `what was not sent or was withdrawn since is not awaited`() async throws {
    let laptop = try device(1)
    try laptop.note("a", "first")
    let diary = try laptop.store.write {
      try $0.save(RecordDraft("diary", id: "d", fields: [:])).key
    }.result
    try await laptop.sync()
    try laptop.note("a", "not sent")
    let phone = try joined(by: laptop)
    _ = try laptop.store.setScope(.local, of: diary)
    #expect(try frontier(of: laptop).stored["diary-domain"]?.keys.sorted() == [.home])
    try await laptop.sync()
    let report = try await phone.sync()
    #expect(report.waiting == 0)
    #expect(try phone.notes == ["a": "not sent"])
  }

  @Test func `what is gone for good is awaited until a repair after a day`() async throws {
    let clock = VirtualClock()
    let environment = SyncEnvironment(
      now: { clock.now }, random: { UInt64.random(in: 0 ... .max) })
    let laptop = try device(1)
    try laptop.note("a", "first")
    try await laptop.sync()
    let phone = try DiaryDevice(
      2, vault.keys, environment, base: BlobTransport(vault.blobs))
    try frontier(of: laptop).expect(in: phone.store, from: "place")
    vault.blobs.files = vault.blobs.files.filter { !$0.key.hasSuffix(".seg") }
    try await phone.sync()
    _ = await phone.engine.check(repairing: true)
    #expect(try await phone.sync().waiting > 0)
    clock.advance(by: 90_000_000)
    #expect(await phone.engine.sync(SyncOptions())[0].error?.code == .remoteWaiting)
    _ = await phone.engine.check(repairing: true)
    #expect(try await phone.sync().waiting == 0)
  }

  @Test func `who was let go is known although the place hides it`() throws {
    let environment = vault.environment
    let owner = VaultOwner(from: environment)
    let first = VaultKeys(of: owner, from: environment)
    var laptop = DeviceKeys(of: first, by: owner, from: environment)
    laptop.introduce(id: "laptop", name: "laptop", from: environment)
    var thief = DeviceKeys(of: first, from: environment)
    thief.introduce(id: "thief", name: "thief", from: environment)
    laptop.learn(thief.statements)
    let gone = try #require(thief.device)
    try laptop.beginEpoch(
      by: owner, lettingGo: [gone], objects: [:], slots: { _ in [] }, from: environment)
    // Two that began an epoch at once are both told.
    let told = try frontier(of: device(1), laptop)
    #expect(told.epochs.count == 1)
    var phone = DeviceKeys(of: laptop.vault, after: told, from: environment)
    #expect(phone.membership.departures[gone.key] != nil)
    // The place shows what was stated before, and not the end of it.
    phone.learn(thief.statements)
    #expect(phone.membership.members.contains { $0.key == gone.key } == false)
    #expect(phone.membership.epoch == 2 && !phone.isLeftOut)
    // Without that the device would take the thief for one of the vault.
    var unaware = DeviceKeys(of: laptop.vault, from: environment)
    unaware.learn(thief.statements)
    #expect(unaware.membership.departures.isEmpty)
  }
}
