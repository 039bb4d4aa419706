import SegmentFormat
import SyncCrypto
import SyncKit
import SyncKitTesting
import Testing

@testable import SyncKitEncryption

/// What a place can try, and what becomes of it: a named refusal, and nothing lost or taken in.
enum Attack: String, CaseIterable, Sendable {
  case changesAByte, cutsTheEnd, swapsTwoObjects, givesAnotherZone, givesAnotherVault,
    plantsAPlainSegment
  case plantsGarbage, copiesUnderANewName, raisesTheEpoch, changesTheSuite, emptiesAnObject, drops
}

struct HostilePlaceTests {
  private let vault = Vault()
  private let coding = DeflateSegmentCoding()

  private func device(_ number: UInt8) throws -> DiaryDevice {
    try DiaryDevice(number, vault.keys, vault.environment, base: BlobTransport(vault.blobs))
  }

  /// The names of the objects that lie there.
  private var names: [String] { vault.blobs.files.keys.filter { $0.hasSuffix(".seg") }.sorted() }

  @Test(arguments: Attack.allCases)
  func `an attack is refused, and what was stored comes once it ends`(_ attack: Attack) async throws
  {
    let (laptop, phone) = (try device(1), try device(2))
    try laptop.note("a", "first")
    try await laptop.sync()
    try await phone.sync()
    try laptop.note("a", "second")
    try laptop.note("b", "other")
    try await laptop.sync()
    let before = vault.blobs.files
    let refused = try await play(attack)
    let planted = vault.blobs.files.keys.filter { before[$0] == nil }
    let outcome = await phone.engine.sync(SyncOptions())[0]
    // Nothing is shown that no device has written, and nothing goes.
    let shown = try phone.notes
    #expect(shown["a"] == "first" || shown["a"] == "second")
    #expect(shown.values.allSatisfy { ["first", "second", "other"].contains($0) })
    let said = outcome.error?.message ?? ""
    #expect(refused.map(said.contains) ?? said.isEmpty, "\(attack): \(said)")
    // All else goes on: what the phone writes now reaches the place.
    try phone.note("c", "mine")
    _ = await phone.engine.sync(SyncOptions())
    #expect(try phone.store.status(remotes: ["place"]).pending == 0)
    for name in planted { vault.blobs.files[name] = nil }
    vault.blobs.files.merge(before) { $1 }
    try await phone.sync()
    #expect(try phone.notes == ["a": "second", "b": "other", "c": "mine"])
    try await laptop.sync()
    #expect(try laptop.notes == phone.notes)
  }

  @Test func `who wrote an object puts it back in the place of a forged one`() async throws {
    let (laptop, phone) = (try device(1), try device(2))
    try laptop.note("a", "first")
    try await laptop.sync()
    for name in names { vault.blobs.files[name] = vault.blobs.files[name].map(forged) }
    let outcome = await phone.engine.sync(SyncOptions())[0]
    #expect(outcome.error?.code == .forged)
    let check = await laptop.engine.check(repairing: true)
    #expect(check[0].repaired > 0 && check[0].damaged.isEmpty, "\(check)")
    try await phone.sync()
    #expect(try phone.notes == ["a": "first"])
  }

  /// Changes what lies there; what the device says of it.
  private func play(_ attack: Attack) async throws -> String? {
    let last = try #require(names.last { vault.blobs.files[$0]?.isEmpty == false })
    let bytes = try #require(vault.blobs.files[last])
    switch attack {
    case .changesAByte:
      for name in names { vault.blobs.files[name] = vault.blobs.files[name].map(forged) }
      return "was changed, or made by someone without the vault's keys"
    case .cutsTheEnd:
      for name in names {
        vault.blobs.files[name] = vault.blobs.files[name].map { Array($0.dropLast(9)) }
      }
      return nil
    case .swapsTwoObjects:
      let first = try #require(names.first)
      (vault.blobs.files[first], vault.blobs.files[last]) = (bytes, vault.blobs.files[first])
      return nil
    case .givesAnotherZone:
      // The same bytes under the head of another zone: the name is part of what is sealed.
      let sealed = try coding.read(bytes)
      var info = sealed.info
      info.zone = "aaaaaaaaaaaaaaaaaaaaaaaaaa"
      let moved = try coding.sealed(info, envelope: coding.envelope(of: sealed))
      vault.blobs.files[path(info)] = moved.bytes
      // Which of the two is looked at first is open, and so what is wrong with the other.
      return "An object on the remote"
    case .givesAnotherVault:
      let other = VaultKeys(from: vault.environment)
      let author = try #require(SigningKey(seed: [UInt8](repeating: 9, count: 32)))
      let foreign = try SealedSegments(other, author: author, environment: vault.environment)
        .seal(plain("forged"))
      var info = foreign.info
      info.domain = try coding.read(bytes).info.domain
      let planted = try coding.sealed(info, envelope: coding.envelope(of: foreign))
      vault.blobs.files[path(info)] = planted.bytes
      return "was changed, or made by someone"
    case .plantsAPlainSegment:
      let segment = try plain("forged", domain: coding.read(bytes).info.domain)
      vault.blobs.files[path(segment.info)] = segment.bytes
      return "is not encrypted"
    case .plantsGarbage:
      vault.blobs.files[last.dropLast(5) + "x.seg"] = Array("garbage".utf8)
      return nil
    case .copiesUnderANewName:
      vault.blobs.files[last.replacingLast("1-", with: "2-")] = bytes
      return nil
    case .raisesTheEpoch, .changesTheSuite:
      let sealed = try coding.read(bytes)
      var info = sealed.info
      info.head = ContentHash(high: 1, low: 2)
      info.seal =
        attack == .raisesTheEpoch
        ? SegmentSeal(epoch: 2, suite: 1) : SegmentSeal(epoch: 1, suite: 7)
      let planted = try coding.sealed(info, envelope: coding.envelope(of: sealed))
      vault.blobs.files[path(info)] = planted.bytes
      // A key may be on its way; the rest is not.
      return attack == .raisesTheEpoch ? nil : "newer version"
    case .emptiesAnObject:
      vault.blobs.files[last] = []
      return nil
    case .drops:
      vault.blobs.files[last] = nil
      return nil
    }
  }

  private func plain(_ text: String, domain: String = "diary-domain") throws -> Segment {
    let change = Array(text.utf8)
    return try coding.segment(
      SegmentInfo(
        domain: domain, zone: .home, series: ReplicaID(high: 5, low: 5), first: 1, last: 1,
        previous: ContentHash(high: 0, low: 0), head: change.withUnsafeBytes { coding.hash([$0]) },
        base: VersionVector(), operations: 1, deletions: 0, newest: 1), changes: [change])
  }

  private func path(_ info: SegmentInfo) -> String {
    "\(info.domain)/\(info.zone)/\(info.series)/\(info.first)-\(info.last)-\(info.head).seg"
  }

  /// The same file with a byte of its content changed and the checksum made right.
  private func forged(_ bytes: [UInt8]) -> [UInt8] {
    var body = Array(bytes.dropLast(16))
    body[body.count - 40] ^= 1
    return body + body.withUnsafeBytes { coding.hash([$0]) }.bytes
  }
}

extension String {
  fileprivate func replacingLast(_ part: String, with other: String) -> String {
    guard let place = ranges(of: part).last else { return self }
    return replacingCharacters(in: place, other)
  }

  private func replacingCharacters(in range: Range<Index>, _ other: String) -> String {
    String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
  }
}
