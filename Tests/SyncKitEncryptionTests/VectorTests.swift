import SegmentFormat
import SyncCrypto
import SyncKit
import SyncKitText
import Synchronization
import Testing

@testable import SyncKitEncryption

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The vectors that Tools/encryption_vectors.py has made, an implementation in another language: the same keys and
/// salts give the same bytes, and its bytes are read.
struct VectorTests {
  let file: JSON
  let keys: VaultKeys
  let owner: VaultOwner
  let author: SigningKey

  init() throws {
    let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    let url = URL(filePath: "/\(tests)/Corpora/encryption/vectors.json")
    let file = try JSON(parsing: Array(try Data(contentsOf: url)))
    self.file = file
    let owner = try #require(VaultOwner(seed: file["owner"].secret))
    self.owner = owner
    keys = try #require(
      VaultKeys(
        id: file["vault"].secret, owner: owner.key.publicKey, root: file["root"].secret,
        epochs: (file["epochs"]?.array ?? []).enumerated().map {
          VaultKeys.EpochKey(number: UInt64($0.offset + 1), key: Optional($0.element).secret)
        }))
    author = try #require(SigningKey(seed: file["author"].secret))
  }

  func all(_ name: String) throws -> [JSON] {
    let found = file[name]?.array ?? []
    try #require(!found.isEmpty, "\(name)")
    return found
  }

  /// Gives bytes where an implementation draws some.
  func drawing(_ bytes: [UInt8]) -> SyncEnvironment {
    let left = Mutex(bytes)
    return SyncEnvironment(
      now: { 0 },
      random: {
        left.withLock { left in
          let next = UInt64(bigEndian: left.prefix(8))
          left.removeFirst(min(8, left.count))
          return next
        }
      })
  }

  @Test func `names become the same pseudonyms`() throws {
    let pseudonyms = Pseudonyms(keys)
    for vector in try all("domains") {
      #expect(pseudonyms.domain(vector["domain"].words) == vector["pseudonym"].words)
    }
    for vector in try all("zones") {
      #expect(
        pseudonyms.zone(ZoneID(vector["zone"].words), of: vector["domain"].words).text
          == vector["pseudonym"].words)
    }
  }

  @Test func `lengths are padded alike`() throws {
    for vector in try all("lengths") {
      #expect(PaddedLength.of(Int(vector["count"]?.int ?? -1)) == Int(vector["padded"]?.int ?? -1))
    }
  }

  @Test func `codes have the same text`() throws {
    for vector in try all("codes") {
      let code = RecoveryCode(secret: vector["secret"].secret)
      #expect(code.text == vector["text"].words)
      #expect(try RecoveryCode(typed: vector["text"].words) == code)
    }
  }

  @Test func `slots are opened, and made again`() throws {
    for vector in try all("slots") {
      let bytes = vector["slot"].secret
      let slot = try KeySlot(bytes)
      let secret = vector["secret"].secret
      let environment = drawing(vector["salt"].secret + vector["envelopeSalt"].secret)
      switch slot.kind {
      case .passphrase:
        // Made at another cost than is usual here.
        #expect(slot.open(passphrase: String(decoding: secret, as: UTF8.self)) == keys)
      case .recovery:
        let code = RecoveryCode(secret: secret)
        #expect(slot.open(code: code, now: 0) == keys)
        #expect(KeySlot(keys, owner: owner, recovery: code, from: environment).bytes == bytes)
      case .invitation:
        let (code, expires) = (RecoveryCode(secret: secret), try #require(vector["expires"]?.int))
        #expect(slot.open(code: code, now: expires - 1) == keys)
        let frontier = try vector["frontier"].secret.reading { try Frontier(&$0) }
        #expect(slot.frontier(code: code, now: expires - 1) == frontier)
        let made = KeySlot(
          keys, invitation: code, until: expires, telling: frontier, from: environment)
        #expect(made.bytes == bytes)
      }
    }
  }

  @Test func `statements are opened, and made again`() throws {
    let seeds = (file["statementSeeds"]?.array ?? []).map { Optional($0).secret }
    let first = try #require(
      VaultKeys(
        id: keys.id, owner: keys.owner, root: keys.root, epochs: Array(keys.epochs.prefix(1))))
    var laptop = DeviceKeys(first, author: seeds[0])
    for vector in try all("statements") {
      let sealed = SealedStatement(vector["sealed"].secret)
      let author = try #require(SigningKey(seed: seeds[Int(vector["by"]?.int ?? 0)]))
      let epoch = keys.epochs[Int(vector["epoch"]?.int ?? 0) - 1]
      let statement = try #require(sealed.open(with: keys))
      #expect(statement.author == author.publicKey && statement.epoch == epoch)
      let again = SealedStatement(
        statement.content, by: author, in: epoch, of: keys.id,
        from: drawing(vector["salt"].secret))
      #expect(again == sealed)
      laptop.learn([sealed])
      switch statement.content {
      case .introduction(let id, let name, _, let time):
        #expect(vector["kind"].words == "introduction" && id == vector["id"].words)
        #expect(name == vector["name"].words && time == vector["time"]?.int)
      case .epoch(let next):
        #expect(vector["kind"].words == "epoch" && next.slots == [vector["slot"].secret])
      case .kept: #expect(vector["kind"].words == "kept")
      case .slots(let slots, let time):
        #expect(vector["kind"].words == "slots" && slots == [vector["slot"].secret])
        #expect(time == vector["time"]?.int)
      case .closing(let closing):
        #expect(vector["kind"].words == "closing" && closing.remote == vector["remote"].words)
        #expect(closing.location == vector["location"].words)
        #expect(closing.time == vector["time"]?.int)
      case .card, .invitation, .share, .verified:
        Issue.record("a statement of another kind")
      }
    }
    #expect(laptop.slots?.map(\.kind) == [.recovery])
    // The device has found the key of the second epoch in what the first has stated.
    #expect(laptop.vault.epochs == Array(keys.epochs.prefix(2)))
    #expect(laptop.membership.members.map(\.name) == ["laptop"])
    let phone = try #require(SigningKey(seed: seeds[1])).publicKey
    #expect(laptop.membership.departures[phone]?.objects.count == 3)
  }

  @Test func `segments are opened, and sealed to the same bytes`() throws {
    let coding = DeflateSegmentCoding()
    for vector in try all("segments") {
      var plain = vector["plain"].secret
      if plain.isEmpty {
        let count = Int(try #require(vector["count"]?.int))
        let fill = UInt8(try #require(vector["fill"]?.int))
        plain =
          vector["plainHead"].secret + [UInt8](repeating: fill, count: count)
          + vector["trailer"].secret
      }
      let epoch = Int(try #require(vector["epoch"]?.int))
      let known = try #require(
        VaultKeys(
          id: keys.id, owner: keys.owner, root: keys.root,
          epochs: Array(keys.epochs.prefix(epoch))))
      let share = UInt64(try #require(vector["share"]?.int))
      let device = DeviceKeys(known, author: author.seed)
      var sealing = SealedSegments(device, environment: drawing(vector["salt"].secret))
      let (domain, zone) = (vector["domain"].words, ZoneID(vector["zone"].words))
      let names = Pseudonyms(keys).names(of: zone, in: domain)
      let place = SharedZoneName(domain: names.domain, zone: names.zone)
      if share > 0 {
        sealing.shares.own[place] = ShareBook.OwnZone(
          domain: domain, zone: zone, names: names,
          entry: ShareEntry(
            card: PersonCard(of: known, in: known.current, by: owner), number: 1,
            keys: [ZoneKeyName(epoch: known.epoch, share: share)], withdrawal: []))
      }
      let sealed = try sealing.seal(coding.read(plain))
      let info = sealed.info
      #expect(
        "\(info.domain)/\(info.zone)/\(info.series)/\(info.first)/\(info.head)"
          == vector["name"].words)
      #expect(
        SHA256.hash(sealed.bytes).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
          .joined() == vector["hash"].words)
      // In a shared zone nothing counts of whoever is not named.
      let digest = try sealing.digest(of: coding.read(plain))
      sealing.shares.own[place]?.entry?.kept = [digest]
      let stored = vector["sealed"].secret
      if !stored.isEmpty {
        #expect(sealed.bytes == stored)
        #expect(
          try sealing.open(coding.read(stored), of: vector["domain"].words).segment.bytes == plain)
      }
    }
  }
}

extension VectorTests {
  @Test func `segments are sealed again to the same bytes`() throws {
    let coding = DeflateSegmentCoding()
    for vector in try all("resealed") {
      let epoch = Int(try #require(vector["epoch"]?.int))
      let known = try #require(
        VaultKeys(
          id: keys.id, owner: keys.owner, root: keys.root,
          epochs: Array(keys.epochs.prefix(epoch))))
      let sealing = SealedSegments(
        known, author: author, environment: drawing(vector["salt"].secret))
      let (former, domain) = (try coding.read(vector["former"].secret), vector["domain"].words)
      let again = try #require(try sealing.reseal(former, of: domain))
      #expect(again.bytes == vector["sealed"].secret)
      #expect(
        try sealing.open(again, of: domain).segment == sealing.open(former, of: domain).segment)
    }
  }
}

extension JSON? {
  var words: String { self?.string ?? "" }
  var secret: [UInt8] {
    words.isEmpty ? [] : Base64.decode(words).map { Array($0) } ?? []
  }
}
