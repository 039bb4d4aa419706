import SegmentFormat
import SyncCrypto
import SyncKit
import SyncKitTesting
import Testing

@testable import SyncKitEncryption

/// Who belongs to a vault: devices come, are let go, and try to come back.
struct MembershipTests {
  private let environment = SyncEnvironment(now: { 0 }, random: { UInt64.random(in: 0 ... .max) })
  private let owner: VaultOwner
  private let laptop: DeviceKeys
  private let phone: DeviceKeys
  private let tablet: DeviceKeys

  init() {
    let environment = environment
    owner = VaultOwner(from: environment)
    let vault = VaultKeys(of: owner, from: environment)
    var devices = ["laptop", "phone", "tablet"].map { name in
      var keys = DeviceKeys(of: vault, from: environment)
      keys.introduce(id: "id-\(name)", name: name, from: environment)
      return keys
    }
    let stated = devices.flatMap(\.statements)
    for index in devices.indices { devices[index].learn(stated) }
    (laptop, phone, tablet) = (devices[0], devices[1], devices[2])
  }

  private func digest(_ number: UInt64) -> ContentHash { ContentHash(high: 7, low: number) }

  /// The same device after it has let others go.
  private func lettingGo(
    _ names: [String], _ device: DeviceKeys, _ digests: [ContentHash] = [],
    by owner: VaultOwner? = nil
  ) throws -> DeviceKeys {
    var device = device
    let gone = device.membership.members.filter { names.contains($0.name) }
    try device.beginEpoch(
      by: owner ?? self.owner, lettingGo: gone,
      objects: Dictionary(uniqueKeysWithValues: gone.map { ($0.key, Set(digests)) }),
      slots: { _ in [] }, from: environment)
    return device
  }

  private func after(_ device: DeviceKeys, _ other: DeviceKeys) -> DeviceKeys {
    var device = device
    device.learn(other.statements)
    return device
  }

  private func standing(
    _ device: DeviceKeys, of author: DeviceKeys, _ number: UInt64, in epoch: UInt64
  ) -> Membership.Standing {
    device.membership.standing(
      of: author.signing.publicKey, digest: digest(number), in: epoch)
  }

  @Test func `devices know each other by words that differ`() {
    let members = laptop.membership.members
    #expect(members.map(\.name) == ["laptop", "phone", "tablet"])
    #expect(members == phone.membership.members)
    #expect(Set(members.map(\.fingerprint)).count == 3)
    #expect(members.allSatisfy { $0.fingerprint.split(separator: " ").count == 6 })
    #expect(laptop.device?.name == "laptop" && !laptop.isLeftOut)
  }

  @Test func `a new name replaces the one before, in whatever order they come`() {
    var renamed = laptop
    let later = SyncEnvironment(now: { 5 }, random: environment.random)
    renamed.introduce(id: "id-laptop", name: "desk", from: later)
    #expect(after(phone, renamed).membership.members.map(\.name) == ["desk", "phone", "tablet"])
    let statements = renamed.statements
    renamed.learn(statements.reversed())
    #expect(renamed.device?.name == "desk")
    let count = renamed.statements.count
    renamed.introduce(id: "id-laptop", name: "desk", from: later)
    #expect(renamed.statements.count == count)
  }

  @Test func `a device that is let go gets no new key, and the others do`() throws {
    let begun = try lettingGo(["phone"], laptop, [digest(1)])
    let (tablet, phone) = (after(tablet, begun), after(phone, begun))
    #expect(begun.vault.epoch == 2 && tablet.vault == begun.vault)
    #expect(phone.vault.epoch == 1 && phone.isLetGo && phone.isLeftOut)
    #expect(tablet.membership.members.map(\.name) == ["laptop", "tablet"])
    // What it had stored counts, what comes later does not, whatever epoch it says.
    #expect(standing(tablet, of: phone, 1, in: 1) == .counts)
    #expect(standing(tablet, of: phone, 2, in: 1) == .letGo)
    #expect(standing(tablet, of: phone, 2, in: 2) == .letGo)
    #expect(standing(tablet, of: laptop, 9, in: 1) == .counts)
  }

  @Test func `what counts of a device that is let go gets no other content under its head`() throws
  {
    let coding = DeflateSegmentCoding()
    let change = Array("change".utf8)
    let head = change.withUnsafeBytes { coding.hash([$0]) }
    var info = SegmentInfo(
      domain: "diary-domain", zone: .home, series: ReplicaID(high: 1, low: 2), first: 2, last: 2,
      previous: ContentHash(high: 0, low: 0), head: head, base: VersionVector(), operations: 1,
      deletions: 0, newest: 1)
    let plain = try coding.segment(info, changes: [change])
    // The same changes, by whose author's word it had seen more.
    info.base[ReplicaID(high: 1, low: 3)] = Head(seq: 9, hash: ContentHash(high: 5, low: 5))
    let changed = try coding.segment(info, changes: [change])
    let author = SealedSegments(phone, environment: environment)
    let begun = try lettingGo(["phone"], laptop, [author.digest(of: plain)])
    let (stored, forged) = (try author.seal(plain), try author.seal(changed))
    #expect(stored.info == forged.info)
    for device in [begun, after(tablet, begun)] {
      let reader = SealedSegments(device, environment: environment)
      #expect(try reader.open(stored, of: "diary-domain").segment.bytes == plain.bytes)
      let error = #expect(throws: SyncError.self) {
        try reader.open(forged, of: "diary-domain")
      }
      #expect(error?.code == .letGo)
    }
  }

  @Test func `a device that was let go cannot come back under a new key`() throws {
    let begun = try lettingGo(["phone"], laptop)
    var again = DeviceKeys(of: phone.vault, from: environment)
    again.introduce(id: "id-other", name: "other", from: environment)
    let tablet = after(after(tablet, begun), again)
    #expect(tablet.membership.members.map(\.name) == ["laptop", "tablet"])
    #expect(standing(tablet, of: again, 1, in: 1) == .unknown)
    // Nor by saying that it keeps what is its own.
    var keeping = again
    keeping.learn(begun.statements)
    keeping.keep([phone.signing.publicKey: [digest(5)]], from: environment)
    #expect(standing(after(tablet, keeping), of: phone, 5, in: 1) == .letGo)
  }

  @Test func `a device that was let go cannot let others go`() throws {
    let begun = try lettingGo(["phone"], laptop)
    #expect(throws: SyncError.self) {
      try lettingGo(["laptop"], phone, by: VaultOwner(from: environment))
    }
    // It makes the statement all the same, with an owner of its own.
    let thief = VaultOwner(from: environment)
    let next = phone.vault.nextEpoch(from: environment)
    let gone = laptop.signing.publicKey
    let epoch = Statement.Epoch(
      number: 2, hash: next.hash, members: [],
      departures: [Statement.Departure(device: gone, name: "laptop", objects: [])], slots: [])
    let sealed = SealedStatement(
      .epoch(epoch.signed(by: thief, of: phone.vault.id)), by: phone.signing,
      in: phone.vault.current, of: phone.vault.id, from: environment)
    for device in [laptop, tablet, after(tablet, begun)] {
      var device = device
      let before = device.membership
      device.learn([sealed])
      #expect(device.membership == before)
    }
  }

  @Test func `what another device had taken in before it knew counts for all`() throws {
    let begun = try lettingGo(["phone"], laptop, [digest(1)])
    var tablet = after(tablet, begun)
    tablet.keep([phone.signing.publicKey: [digest(1), digest(2)]], from: environment)
    let laptop = after(begun, tablet)
    #expect(standing(laptop, of: phone, 2, in: 1) == .counts)
    #expect(standing(laptop, of: phone, 3, in: 1) == .letGo)
    let count = tablet.statements.count
    tablet.keep([phone.signing.publicKey: [digest(1), digest(2)]], from: environment)
    #expect(tablet.statements.count == count)
    // It still does after one more epoch.
    let later = try lettingGo([], laptop)
    #expect(standing(after(tablet, later), of: phone, 2, in: 1) == .counts)
  }

  @Test func `a device that joined meanwhile is left out until it joins again`() throws {
    var watch = DeviceKeys(of: laptop.vault, from: environment)
    watch.introduce(id: "id-watch", name: "watch", from: environment)
    let begun = try lettingGo(["phone"], laptop)
    watch = after(watch, begun)
    #expect(watch.isLeftOut && !watch.isLetGo)
    #expect(standing(begun, of: watch, 1, in: 1) == .unknown)
    watch = try #require(watch.with(begun.vault))
    #expect(!watch.isLeftOut)
    watch.introduce(id: "id-watch", name: "watch", from: environment)
    let laptop = after(begun, watch)
    #expect(laptop.membership.members.map(\.name) == ["laptop", "tablet", "watch"])
    #expect(standing(laptop, of: watch, 1, in: 1) == .counts)
  }

  @Test func `two epochs that begin at once are both read, and the next one ends it`() throws {
    let one = try lettingGo(["phone"], laptop)
    let other = try lettingGo(["laptop"], tablet)
    var (tablet, phone) = (after(other, one), after(phone, one))
    phone.learn(other.statements)
    #expect(tablet.membership.isSplit && tablet.vault.epochs.map(\.number) == [1, 2, 2])
    #expect(phone.isLetGo && tablet.membership.members.map(\.name) == ["tablet"])
    // The phone was let go in one of them and has the key of the other.
    #expect(phone.vault.epochs.count == 2 && standing(tablet, of: phone, 1, in: 2) == .letGo)
    let stranger = DeviceKeys(of: phone.vault, from: environment)
    #expect(standing(tablet, of: stranger, 1, in: 2) == .unknown)
    tablet = try lettingGo([], tablet)
    #expect(!tablet.membership.isSplit && tablet.vault.epoch == 3)
    #expect(after(phone, tablet).vault.epoch == 2)
  }

  @Test func `epochs are written with the same key by all`() throws {
    let one = try lettingGo([], laptop)
    let other = try lettingGo([], tablet)
    let (laptop, tablet) = (after(one, other), after(other, one))
    #expect(laptop.vault == tablet.vault && laptop.vault.epochs.count == 3)
    #expect(!laptop.membership.isSplit)
  }

  @Test func `the order in which statements come says nothing`() throws {
    let begun = try lettingGo(["phone"], laptop, [digest(1)])
    let later = try lettingGo([], after(tablet, begun))
    let statements = later.statements
    for _ in 0..<20 {
      var device = laptop
      for statement in statements.shuffled() { device.learn([statement]) }
      device.learn(statements)
      #expect(device.vault == later.vault && device.membership == later.membership)
    }
  }

  @Test func `a statement of another vault, or one that was changed, is none`() throws {
    let other = DeviceKeys(
      of: VaultKeys(of: VaultOwner(from: environment), from: environment), from: environment)
    var stranger = other
    stranger.introduce(id: "x", name: "x", from: environment)
    var device = laptop
    device.learn(stranger.statements)
    let bytes = try #require(phone.statements.first).bytes
    for index in stride(from: 0, to: bytes.count, by: 97) {
      var changed = bytes
      changed[index] ^= 1
      device.learn([SealedStatement(changed)])
    }
    device.learn([SealedStatement([]), SealedStatement(Array(bytes.prefix(40)))])
    #expect(device == laptop)
  }

  @Test func `slots that a device states hold until a later one, and not by who was let go`() throws
  {
    let slots = (0..<3).map { _ in
      KeySlot(self.laptop.vault, recovery: RecoveryCode(from: environment), from: environment)
    }
    var (laptop, phone) = (laptop, phone)
    #expect(laptop.slots == nil)
    laptop.setSlots([slots[0]], from: environment)
    phone = after(phone, laptop)
    // The clock stands still, and the later one holds all the same.
    phone.setSlots([slots[1]], from: environment)
    laptop = after(laptop, phone)
    for device in [laptop, phone] { #expect(device.slots?.map(\.bytes) == [slots[1].bytes]) }
    let begun = try lettingGo(["phone"], laptop)
    phone.setSlots([slots[2]], from: environment)
    #expect(after(begun, phone).slots?.map(\.bytes) == [])
  }

  @Test func `an app keeps all of it as bytes`() throws {
    let begun = try lettingGo(["phone"], laptop, [digest(1)])
    #expect(DeviceKeys(begun.bytes) == begun)
  }
}
