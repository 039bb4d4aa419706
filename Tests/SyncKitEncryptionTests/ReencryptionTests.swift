import SegmentFormat
import SyncCrypto
import SyncKit
import SyncKitTesting
import Synchronization
import Testing

@testable import SyncKitEncryption

/// What lies on a place under a former key, encrypted again with the newest one.
struct ReencryptionTests {
  private let blobs = InMemoryBlobStore()
  private let environment = SyncEnvironment(now: { 0 }, random: { UInt64.random(in: 0 ... .max) })
  private let former: VaultKeys
  private let newest: VaultKeys
  private let laptop: DiaryDevice

  init() async throws {
    former = VaultKeys(from: environment)
    var newest = former
    newest.beginEpoch(from: environment)
    self.newest = newest
    laptop = try DiaryDevice(1, former, environment, base: BlobTransport(blobs))
    for number in 1...5 {
      try laptop.note(RecordID("n\(number)"), "text \(number)")
      try await laptop.sync()
    }
  }

  /// A transport of a device that belongs to the vault in the newest epoch.
  private func transport(_ blobs: any BlobStore) -> EncryptedTransport {
    EncryptedTransport(
      BlobTransport(blobs), keys: DeviceKeys(of: newest, from: environment),
      memory: ForgetfulMemory(), environment: environment)
  }

  private var objects: [String] { blobs.files.keys.filter { $0.hasSuffix(".seg") }.sorted() }

  private func epochs() throws -> [UInt64] {
    try objects.map { name in
      try DeflateSegmentCoding().read(blobs.files[name] ?? []).info.seal?.epoch ?? 0
    }
  }

  private func device(_ number: UInt8, _ keys: VaultKeys) throws -> DiaryDevice {
    try DiaryDevice(number, keys, environment, base: BlobTransport(blobs))
  }

  @Test func `each object is there under its name, and opens with the newest key alone`()
    async throws
  {
    let (before, names) = (blobs.files, objects)
    #expect(try Set(epochs()) == [1] && names.count >= 2)
    let told = Mutex<[Int]>([])
    let done = try await transport(blobs).reencrypt("diary-domain") { done, total in
      #expect(total == names.count)
      told.withLock { $0.append(done) }
    }
    #expect(done.objects == names.count && done.left == 0 && done.refused == 0)
    #expect(done.bytes == names.reduce(0) { $0 + (before[$1]?.count ?? 0) })
    #expect(told.withLock { $0 } == Array(0...names.count))
    #expect(objects == names)
    #expect(try Set(epochs()) == [2])
    for name in names {
      #expect(blobs.files[name] != before[name] && blobs.files[name]?.count == before[name]?.count)
      // With the key that a lost device has, nothing of it opens.
      let object = try DeflateSegmentCoding().read(blobs.files[name] ?? [])
      #expect(throws: SyncError.self) {
        try SealedSegments(DeviceKeys(of: former, from: environment), environment: environment)
          .open(object, of: "diary-domain")
      }
    }
    #expect(try await transport(blobs).reencrypt("diary-domain") == Reencryption())
    let phone = try device(2, newest)
    try await phone.sync()
    #expect(try phone.notes == laptop.notes && phone.notes.count == 5)
  }

  @Test func `a device that has read an object before does not fetch it again`() async throws {
    let counting = CountingTransport(BlobTransport(blobs))
    let phone = try DiaryDevice(2, newest, environment, base: counting)
    try await phone.sync()
    let fetched = counting.fetched
    _ = try await transport(blobs).reencrypt("diary-domain")
    let report = try await phone.sync()
    #expect(report.pulled == 0 && report.pushed == 0 && counting.fetched == fetched)
  }

  @Test func `an object stays that of its author`() throws {
    let author = DeviceKeys(former, author: [UInt8](repeating: 4, count: 32))
    let sealing = SealedSegments(author, environment: environment)
    let again = SealedSegments(
      DeviceKeys(newest, author: [UInt8](repeating: 5, count: 32)), environment: environment)
    let segment = try DeflateSegmentCoding().segment(
      SegmentInfo(
        domain: "health", zone: "home", series: ReplicaID(high: 7, low: 9), first: 1, last: 1,
        previous: ContentHash(high: 0, low: 0), head: ContentHash(high: 3, low: 4),
        base: VersionVector(), operations: 1, deletions: 0, newest: 1), changes: [[1, 2, 3]])
    let sealed = try sealing.seal(segment)
    let resealed = try #require(try again.reseal(sealed, of: "health"))
    #expect(try again.reseal(resealed, of: "health") == nil)
    let opened = try again.open(resealed, of: "health")
    #expect(opened.author == author.signing.publicKey && opened.segment == segment)
    // What it has signed in a later epoch does not count in an earlier one.
    let later = try SealedSegments(
      DeviceKeys(newest, author: [UInt8](repeating: 4, count: 32)), environment: environment
    ).seal(segment)
    var info = later.info
    info.seal = SegmentSeal(epoch: 1, suite: 1)
    let key = newest.zone(info.zone, of: info.domain, in: newest.current)
    let coding = DeflateSegmentCoding()
    let content = try #require(
      Envelope.open(
        coding.envelope(of: later),
        context: again.context(later.info, coding.envelope(of: later).count), key: key))
    let length = Envelope.length(of: content.count)
    let back = try coding.sealed(
      info,
      envelope: Envelope.seal(
        content, context: again.context(info, length),
        key: newest.zone(info.zone, of: info.domain, in: newest.epochs[0]),
        salt: environment.randomBytes(32)))
    let error = #expect(throws: SyncError.self) { try again.open(back, of: "health") }
    #expect(error?.code == .forged)
  }

  @Test func `one that is cut off anywhere loses nothing, and the next goes on`() async throws {
    let names = objects
    for step in 0...names.count {
      let place = InMemoryBlobStore()
      place.files = blobs.files
      let left = StepsLeft(step)
      let cut = WatchedBlobs(base: place, willPut: { _, _ in try left.take() })
      do {
        _ = try await transport(cut).reencrypt("diary-domain")
        #expect(step == names.count)
      } catch let error as SyncError { #expect(error.code == .remoteIO) }
      let phone = try DiaryDevice(2, newest, environment, base: BlobTransport(place))
      try await phone.sync()
      #expect(try phone.notes == laptop.notes)
      let rest = try await transport(place).reencrypt("diary-domain")
      #expect(rest.objects == names.count - step && rest.left == 0)
    }
  }

  @Test func `what has not arrived is left, and what nobody has stored so is not touched`()
    async throws
  {
    let names = objects
    let (short, forged) = (names[0], names[1])
    let whole = try #require(blobs.files[short])
    blobs.files[short] = Array(whole.prefix(whole.count / 2))
    var bytes = try #require(blobs.files[forged])
    bytes[bytes.count / 2] ^= 1
    // With the checksum that it should have, so that only the key tells.
    let hash = bytes.dropLast(16).withUnsafeBytes { DeflateSegmentCoding().hash([$0]) }
    bytes.replaceSubrange((bytes.count - 16)..., with: hash.bytes)
    blobs.files[forged] = bytes
    let done = try await transport(blobs).reencrypt("diary-domain")
    #expect(done.left == 1 && done.refused == 1 && done.objects == names.count - 2)
    #expect(blobs.files[forged] == bytes)
    blobs.files[short] = whole
    let rest = try await transport(blobs).reencrypt("diary-domain")
    #expect(rest.objects == 1 && rest.left == 0)
  }

  @Test func `a place that keeps everything as it was stored is refused by name`() async throws {
    let place = EncryptedTransport(
      CountingTransport(BlobTransport(blobs)), keys: DeviceKeys(of: newest, from: environment),
      memory: ForgetfulMemory(), environment: environment)
    let error = await #expect(throws: SyncError.self) { try await place.reencrypt("diary-domain") }
    #expect(error?.code == .remoteCannotErase)
  }
}
