import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

@testable import SyncKitEncryption

/// What a place can do without touching an object: it shows old states, forks its visitors, leaves things out, says what is
/// not true, and pretends to be another kind of place.
struct LyingPlaceTests {
  /// What the place has become when a device looks again.
  enum Lie: String, CaseIterable, Sendable {
    case showsAnOldState, showsNothing, leavesOutHalf, forgetsItsMarkers, forgetsThatItIsEncrypted
    case hasAPlainMarker, hasTheMarkerOfAnotherVault, saysThatAZoneWasErased
    case saysThatTheHomeWasErased, hasAnotherLayout, hasLostItsSlots, hasSlotsOfAnotherVault
    case hasPlainSegmentsUnderTheTrueName, listsEverythingTwice, renamesADomain
  }

  private let vault = Vault()

  private func device(_ number: UInt8, _ blobs: InMemoryBlobStore) throws -> DiaryDevice {
    try DiaryDevice(number, vault.keys, vault.environment, base: BlobTransport(blobs))
  }

  @Test(arguments: Lie.allCases)
  func `a lie loses nothing, and is over when the place is honest again`(_ lie: Lie) async throws {
    let blobs = vault.blobs
    let code = RecoveryCode(from: vault.environment)
    let (laptop, phone) = (try device(1, blobs), try device(2, blobs))
    try laptop.note("a", "first")
    try await laptop.sync()
    try await KeyPlace(BlobTransport(blobs)).store(
      KeySlot(vault.keys, recovery: code, from: vault.environment))
    try await phone.sync()
    let old = blobs.files
    try laptop.note("a", "second")
    try laptop.note("b", "other")
    try await laptop.sync()
    let honest = blobs.files
    try await tell(lie, blobs, old)
    try phone.note("c", "mine")
    for device in [phone, laptop] { _ = await device.engine.sync(SyncOptions()) }
    // Nothing goes, nothing old comes back where something newer was seen, and nothing of the place's own comes.
    #expect(try laptop.notes["a"] == "second" && laptop.notes["b"] == "other")
    #expect(try ["first", "second"].contains(phone.notes["a"]) && phone.notes["c"] == "mine")
    #expect(
      try phone.notes.values.allSatisfy { ["first", "second", "other", "mine"].contains($0) })
    // What was stored meanwhile stays; the rest is as it was.
    for name in blobs.files.keys where honest[name] == nil {
      if (try? isOurs(name, blobs)) != true { blobs.files[name] = nil }
    }
    blobs.files.merge(honest) { $1 }
    for device in [phone, laptop, phone] { try await device.sync() }
    #expect(try laptop.notes == ["a": "second", "b": "other", "c": "mine"])
    #expect(try phone.notes == laptop.notes)
    // No byte of a record ever lay there.
    #expect(blobs.files.values.allSatisfy { !$0.holds(Array("second".utf8)) })
  }

  /// Whether an object was sealed with the keys of the vault.
  private func isOurs(_ name: String, _ blobs: InMemoryBlobStore) throws -> Bool {
    let segment = try DeflateSegmentCoding().read(blobs.files[name] ?? [])
    let domain = Pseudonyms(vault.keys).domain("diary-domain")
    return segment.info.seal != nil && segment.info.domain == domain && name.hasPrefix(domain)
  }

  private func tell(
    _ lie: Lie, _ blobs: InMemoryBlobStore, _ old: [String: [UInt8]]
  ) async throws {
    let pseudonyms = Pseudonyms(vault.keys)
    let domain = pseudonyms.domain("diary-domain")
    let zone = pseudonyms.zone(.home, of: "diary-domain")
    let replica = ReplicaID(high: 1, low: 2)
    switch lie {
    case .showsAnOldState: blobs.files = old
    case .showsNothing: blobs.files = [:]
    case .leavesOutHalf:
      for (number, name) in blobs.files.keys.sorted().enumerated() where number % 2 == 0 {
        blobs.files[name] = nil
      }
    case .forgetsItsMarkers:
      for name in blobs.files.keys where name.hasPrefix("root-") { blobs.files[name] = nil }
    case .forgetsThatItIsEncrypted: blobs.files["root-\(vault.keys.marker)"] = nil
    case .hasAPlainMarker:
      for name in blobs.files.keys where name.hasPrefix("root-") { blobs.files[name] = nil }
      blobs.files["root-0f0e0d0c-0b0a-4908-8706-050403020100"] = Array("cloudsync\n".utf8)
    case .hasTheMarkerOfAnotherVault:
      blobs.files["root-\(vault.keys.marker)"] = nil
      let other = VaultKeys(from: vault.environment)
      blobs.files["root-\(other.marker)"] = Array("cloudsync\n".utf8)
    case .saysThatAZoneWasErased, .saysThatTheHomeWasErased:
      let gone = lie == .saysThatTheHomeWasErased ? zone : ZoneID("aaaaaaaaaaaaaaaaaaaaaaaaaa")
      try await BlobTransport(blobs).erase(
        gone, of: domain, confirmedBy: Confirmations([replica: VersionVector()]))
    case .hasAnotherLayout: blobs.files["layout-\(domain)-document"] = Array("cloudsync\n".utf8)
    case .hasLostItsSlots:
      for name in blobs.files.keys where name.hasPrefix("vault-keys/") { blobs.files[name] = nil }
    case .hasSlotsOfAnotherVault:
      let other = VaultKeys(from: vault.environment)
      try await KeyPlace(BlobTransport(blobs)).store(
        KeySlot(other, recovery: RecoveryCode(from: vault.environment), from: vault.environment))
    case .hasPlainSegmentsUnderTheTrueName:
      let coding = DeflateSegmentCoding()
      let change = Array("forged".utf8)
      let head = change.withUnsafeBytes { coding.hash([$0]) }
      let segment = try coding.segment(
        SegmentInfo(
          domain: "diary-domain", zone: .home, series: replica, first: 1, last: 1,
          previous: ContentHash(high: 0, low: 0), head: head, base: VersionVector(), operations: 1,
          deletions: 0, newest: 1), changes: [change])
      blobs.files["diary-domain/home/\(replica)/1-1-\(head).seg"] = segment.bytes
      blobs.files["layout-diary-domain-segments"] = Array("cloudsync\n".utf8)
    case .listsEverythingTwice:
      for (name, bytes) in blobs.files where name.hasSuffix(".seg") {
        blobs.files[name.dropLast(4) + " (conflicted copy).seg"] = bytes
      }
    case .renamesADomain:
      for (name, bytes) in blobs.files where name.hasPrefix(domain) {
        blobs.files[name.replacing(domain, with: pseudonyms.domain("other"))] = bytes
        blobs.files[name] = nil
      }
    }
  }

  @Test func `two devices that were shown different places agree when they meet`() async throws {
    let other = InMemoryBlobStore()
    let (laptop, phone) = (try device(1, vault.blobs), try device(2, other))
    try laptop.note("a", "laptop's")
    try phone.note("b", "phone's")
    try await laptop.sync()
    // The place forks: each sees what the other has no part in.
    other.files = vault.blobs.files
    try await phone.sync()
    for number in 0..<3 {
      try laptop.note("a", "laptop's \(number)")
      try phone.note("b", "phone's \(number)")
      try await laptop.sync()
      try await phone.sync()
    }
    // It joins them again.
    vault.blobs.files.merge(other.files) { mine, _ in mine }
    other.files = vault.blobs.files
    try await laptop.sync()
    try await phone.sync()
    #expect(try laptop.notes == ["a": "laptop's 2", "b": "phone's 2"])
    #expect(try phone.notes == laptop.notes)
  }
}
