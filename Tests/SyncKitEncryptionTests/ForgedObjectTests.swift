import SegmentFormat
import SyncCrypto
import SyncKit
import Testing

@testable import SyncKitEncryption

/// What a place can make of the objects that it has, one by one: each ends in a refusal.
struct ForgedObjectTests {
  /// How the bytes of an envelope are changed.
  enum Cut: String, CaseIterable, Sendable {
    case losesItsEnd, losesAByte, growsByAByte, growsByAPart, isEmpty, isItsSaltAlone
    case hasTheSaltOfAnother, hasTheCommitmentOfAnother, hasTheContentOfAnother, hasAZeroTag
    case losesItsLastPart, losesItsFirstPart, losesAMiddlePart, swapsTwoParts, repeatsAPart
    case endsWithTheLastPartTwice
  }

  /// What of the readable head is changed.
  enum Head: String, CaseIterable, Sendable {
    case domain, zone, series, number, laterNumber, head, previous, operations, deletions, newest
    case base, earlierEpoch, laterEpoch, noEpoch, suite, plainSuite
  }

  private let coding = DeflateSegmentCoding()
  private let environment = SyncEnvironment(now: { 0 }, random: { UInt64.random(in: 0 ... .max) })
  private let keys: VaultKeys
  private let sealing: SealedSegments

  init() throws {
    var keys = VaultKeys(from: environment)
    keys.beginEpoch(from: environment)
    self.keys = keys
    let author = try #require(SigningKey(seed: Array(1...32)))
    sealing = SealedSegments(keys, author: author, environment: environment)
  }

  private func sealed(
    _ bytes: Int = 20, first: UInt64 = 1, by sealing: SealedSegments? = nil
  ) throws -> Segment {
    // Nothing that would become short when it is packed.
    let change = (0..<bytes).map { _ in UInt8.random(in: 0...255) }
    let head = change.withUnsafeBytes { coding.hash([$0]) }
    return try (sealing ?? self.sealing).seal(
      coding.segment(
        SegmentInfo(
          domain: "health", zone: "home", series: ReplicaID(high: 7, low: 9), first: first,
          last: first, previous: ContentHash(high: 0, low: 0), head: head, base: VersionVector(),
          operations: 1, deletions: 0, newest: 1), changes: [change]))
  }

  private func isRefused(_ info: SegmentInfo, _ envelope: [UInt8]) -> Bool {
    do {
      let object = try coding.sealed(info, envelope: envelope)
      _ = try sealing.open(coding.read(object.bytes), of: "health")
      return false
    } catch { return error is SyncError }
  }

  @Test(arguments: Cut.allCases)
  func `an envelope that was changed is refused`(_ cut: Cut) throws {
    // Large, so that it is sealed in parts: 25 of them.
    let object = try sealed(1_600_000)
    let whole = try coding.envelope(of: object)
    let other = try coding.envelope(of: sealed(1_600_000, first: 2))
    let part = (64 << 10) + 16
    let (salt, commitment) = (Array(whole[..<32]), Array(whole[32..<64]))
    let parts = stride(from: 64, to: whole.count, by: part).map {
      Array(whole[$0..<min($0 + part, whole.count)])
    }
    try #require(parts.count > 20 && !isRefused(object.info, whole))
    var changed = parts
    var start = salt + commitment
    switch cut {
    case .losesItsEnd: changed[parts.count - 1].removeLast(20)
    case .losesAByte: changed[3].removeFirst()
    case .growsByAByte: changed[parts.count - 1].append(0)
    case .growsByAPart: changed.append(parts[1])
    case .isEmpty: (start, changed) = ([], [])
    case .isItsSaltAlone: (start, changed) = (salt, [])
    case .hasTheSaltOfAnother: start = Array(other[..<32]) + commitment
    case .hasTheCommitmentOfAnother: start = salt + Array(other[32..<64])
    case .hasTheContentOfAnother: changed = [Array(other[64...])]
    case .hasAZeroTag:
      for index in changed[0].indices.suffix(16) { changed[0][index] = 0 }
    case .losesItsLastPart: changed.removeLast()
    case .losesItsFirstPart: changed.removeFirst()
    case .losesAMiddlePart: changed.remove(at: 7)
    case .swapsTwoParts: changed.swapAt(4, 5)
    case .repeatsAPart: changed.insert(parts[4], at: 4)
    case .endsWithTheLastPartTwice: changed.append(parts[parts.count - 1])
    }
    #expect(isRefused(object.info, start + changed.flatMap(\.self)))
  }

  @Test(arguments: Head.allCases)
  func `a head that was changed is refused`(_ part: Head) throws {
    let object = try sealed()
    var info = object.info
    switch part {
    case .domain: info.domain = String(info.domain.reversed())
    case .zone: info.zone = ZoneID(String(info.zone.text.reversed()))
    case .series: info.series = ReplicaID(high: 1, low: 2)
    case .number: (info.first, info.last) = (info.first + 1, info.last + 1)
    case .laterNumber: info.last += 1
    case .head: info.head = ContentHash(high: 1, low: 2)
    case .previous: info.previous = info.head
    case .operations: info.operations = 1
    case .deletions: info.deletions = 1
    case .newest: info.newest = 1
    case .base:
      info.base = VersionVector()
      info.base[ReplicaID(high: 1, low: 2)] = VectorEntry(seq: 1, hash: info.head)
    case .earlierEpoch: info.seal = SegmentSeal(epoch: 1, suite: 1)
    case .laterEpoch: info.seal = SegmentSeal(epoch: 3, suite: 1)
    case .noEpoch: info.seal = SegmentSeal(epoch: 0, suite: 1)
    case .suite: info.seal = SegmentSeal(epoch: 2, suite: 2)
    case .plainSuite: info.seal = SegmentSeal(epoch: 2, suite: 0)
    }
    #expect(isRefused(info, try coding.envelope(of: object)))
  }

  @Test func `an envelope of another vault, another epoch or another author's key is refused`()
    throws
  {
    let object = try sealed()
    let stranger = SealedSegments(
      VaultKeys(from: environment), author: try #require(SigningKey(seed: Array(1...32))),
      environment: environment)
    #expect(isRefused(object.info, try coding.envelope(of: sealed(by: stranger))))
    // The same keys under the id of another vault: an account that was copied.
    let copied = try #require(
      VaultKeys(
        id: [UInt8](repeating: 1, count: 16), owner: keys.owner, root: keys.root,
        epochs: keys.epochs))
    let copy = SealedSegments(
      copied, author: try #require(SigningKey(seed: Array(1...32))), environment: environment)
    #expect(isRefused(object.info, try coding.envelope(of: sealed(by: copy))))
  }
}

private typealias VectorEntry = SyncKitModel.Head
