import SegmentFormat
import SyncCrypto
import SyncKit
import Testing

@testable import SyncKitEncryption

/// People who share something to get at more than what is shared.
struct HostileShareTests {
  private let coding = DeflateSegmentCoding()
  private let environment = SyncEnvironment(now: { 0 }, random: { UInt64.random(in: 0 ... .max) })
  private let anna: VaultKeys
  private let mallory: VaultKeys
  private let card: PersonCard

  init() {
    anna = VaultKeys(from: environment)
    let owner = VaultOwner(from: environment)
    mallory = VaultKeys(of: owner, from: environment)
    card = PersonCard(of: mallory, in: mallory.current, by: owner)
  }

  /// What Mallory shares: a zone of a name and at a place of Mallory's choice, with keys that Mallory knows.
  private func share(
    _ zone: ZoneID, of domain: String, at place: SharedZoneName
  ) -> AcceptedShare {
    let names = ZoneNames(
      domain: place.domain, zone: place.zone, key: environment.randomBytes(32))
    let grant = ShareGrant(
      card: card, domain: domain, zone: zone, names: names, title: "", mayWrite: true, number: 1,
      keys: [ZoneKeyName(epoch: 1, share: 0): environment.randomBytes(32)])
    return AcceptedShare(grant, share: "s", secret: "t", code: RecoveryCode(from: environment))
  }

  private func place(_ zone: ZoneID, of domain: String, _ keys: VaultKeys) -> SharedZoneName {
    let names = Pseudonyms(keys).names(of: zone, in: domain)
    return SharedZoneName(domain: names.domain, zone: names.zone)
  }

  private func segment(_ zone: ZoneID, of domain: String) throws -> Segment {
    let change = Array("canary".utf8)
    return try coding.segment(
      SegmentInfo(
        domain: domain, zone: zone, series: ReplicaID(high: 7, low: 9), first: 1, last: 1,
        previous: ContentHash(high: 0, low: 0),
        head: change.withUnsafeBytes { coding.hash([$0]) }, base: VersionVector(), operations: 1,
        deletions: 0, newest: 0), changes: [change])
  }

  @Test(arguments: ["health", "media"])
  func `a share at the place of a person's own zone gets nothing of it`(domain: String) throws {
    var device = DeviceKeys(of: anna, from: environment)
    device.accept(
      share("strange", of: domain, at: place("home", of: "health", anna)), from: environment)
    #expect(device.membership.shares.count == 1)
    let plain = try segment("home", of: "health")
    let sealed = try SealedSegments(device, environment: environment).seal(plain)
    // Another device, to which nobody has shared anything, opens it with the vault's key.
    let author = try #require(SigningKey(seed: device.author))
    let other = SealedSegments(anna, author: author, environment: environment)
    #expect(try other.open(sealed, of: "health").segment == plain)
    let own = SealedSegments(device, environment: environment)
    #expect(try own.open(sealed, of: "health").segment == plain)
  }

  @Test func `a share of the name of a zone that the person shares is passed over`() {
    var device = DeviceKeys(of: anna, from: environment)
    device.state(
      SentInvitation(
        participant: "p", domain: "health", zone: "ride", title: "", name: "Mallory",
        mayWrite: true, code: RecoveryCode(from: environment)), from: environment)
    device.accept(
      share("ride", of: "health", at: place("ride", of: "health", mallory)), from: environment)
    #expect(ShareBook(device).foreign.isEmpty)
  }

  @Test func `a device that states the last time that there is stops no other one`() {
    var device = DeviceKeys(of: anna, from: environment)
    var invitation = SentInvitation(
      participant: "p", domain: "health", zone: "ride", title: "", name: "Bea", mayWrite: true,
      code: RecoveryCode(from: environment))
    invitation.time = .max
    device.state(.invitation(invitation), environment)
    device.set("p", mayWrite: nil, from: environment)
    #expect(device.membership.invitations["p"]?.mayWrite == .some(nil))
    device.state(.slots([], time: .max), environment)
    device.setSlots([], from: environment)
    #expect(device.slots?.isEmpty == true)
  }

  @Test func `an entry that a participant has sealed once more is no newer one`() {
    let names = Pseudonyms(mallory).names(of: "ride", in: "health")
    let entry = ShareEntry(
      card: card, number: 1, keys: [ZoneKeyName(epoch: 1, share: 0)],
      withdrawal: [UInt8](repeating: 0, count: 32))
    let signer = PersonKey(mallory.current)
    for _ in 0..<8 {
      let again = entry.sealed(by: signer, names, from: environment)
      let opened = ShareEntry.open(again, of: mallory.id, mallory.owner, names)
      #expect(opened == entry && opened?.isNewer(than: entry) == false)
    }
  }

  @Test func `a title of many signs on one letter can be read by the guest`() throws {
    let zone = place("ride", of: "health", mallory)
    let code = RecoveryCode(from: environment)
    let title = "a" + String(repeating: "\u{0301}", count: 4_000)
    let one = share("ride", of: "health", at: zone).grant
    let grant = ShareGrant(
      card: card, domain: one.domain, zone: one.zone, names: one.names, title: title,
      mayWrite: true, number: 1, keys: one.keys)
    let sealed = ShareInvitation.seal(grant, code: code, from: environment)
    #expect(ShareInvitation.open(sealed, code: code, at: zone) == grant)
  }
}
