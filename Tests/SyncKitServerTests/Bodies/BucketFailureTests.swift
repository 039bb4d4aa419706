import RealPlaces
import SyncKit
import SyncKitFormats
import SyncKitTesting
import SyncWire
import Synchronization
import Testing

@testable import SyncKitServer

/// What becomes of bodies in a bucket when a server is killed, or the bucket is away.
@Suite struct BucketFailureTests {
  private typealias Contract = ServerStorageContract

  private static func failure(
    _ body: () async throws -> Void
  ) async -> SyncError? {
    do {
      try await body()
      return nil
    } catch { return error as? SyncError }
  }

  private static func fetch(
    _ result: [StoreResult], _ storage: ServerDatabase, _ person: ServerStorageContract.Person
  ) async throws -> [[UInt8]?] {
    try await storage.fetch(
      result.compactMap(\.cursor), of: ServerStorageContract.domain, upTo: 1 << 20,
      person.asks(.read))
  }

  private static func claims(_ storage: ServerDatabase) async throws -> Int64 {
    try await storage.read { try $0.count("SELECT count(*) FROM objects") }
  }

  @Test func `a server killed between upload and commit stores the same object the next time`()
    async throws
  {
    let bucket = try TestBucket()
    try await BucketStorageTests.run(bucket) { storage, administration, clock in
      let place = SQLiteServerStorageTests.place(storage, administration, clock)
      let ada = try await Contract.person(place, "Ada")
      let segment = try TestSegments().noise(1, size: 20_000)
      _ = try await storage.deposit([.checked(segment)], in: Contract.domain, ada.asks(.sync))
      let names = try await bucket.names()
      #expect(names.count == 1)
      #expect(try await Contract.feed(ada, place).segments.isEmpty)
      clock.advance(by: ServerDatabase.claimLength - 1)
      #expect(try await storage.collect() == 0)
      let result = try await Contract.store([segment], ada, place)
      #expect(result.map(\.status) == [.stored])
      #expect(try await bucket.names() == names)
      clock.advance(by: 10 * ServerDatabase.claimLength)
      #expect(try await storage.collect() == 0)
      #expect(try await Self.fetch(result, storage, ada) == [segment.bytes])
    }
  }

  @Test func `an object that no commit followed is collected after a day`() async throws {
    let bucket = try TestBucket()
    try await BucketStorageTests.run(bucket) { storage, administration, clock in
      let place = SQLiteServerStorageTests.place(storage, administration, clock)
      let ada = try await Contract.person(place, "Ada")
      _ = try await storage.deposit(
        [.checked(TestSegments().noise(1, size: 20_000))], in: Contract.domain, ada.asks(.sync))
      clock.advance(by: ServerDatabase.claimLength + 1)
      // The server does it by itself, too, and may have come first.
      let isGone = try await ServerPair.wait {
        try await storage.collect()
        return try await bucket.names().isEmpty
      }
      #expect(isGone)
      #expect(try await ServerPair.wait { try await Self.claims(storage) == 0 })
    }
  }

  @Test func `an upload that takes longer than a day is kept in the database`() async throws {
    let bucket = try TestBucket()
    try await BucketStorageTests.run(bucket) { storage, administration, clock in
      let place = SQLiteServerStorageTests.place(storage, administration, clock)
      let ada = try await Contract.person(place, "Ada")
      let segment = try TestSegments().noise(1, size: 20_000)
      bucket.afterPut {
        clock.advance(by: ServerDatabase.claimLength + 1)
        for _ in 0..<3 { _ = try? await storage.collect() }
      }
      let result = try await Contract.store([segment], ada, place)
      #expect(result.map(\.status) == [.stored])
      #expect(try await storage.keptOutside().count == 0)
      #expect(try await Self.fetch(result, storage, ada) == [segment.bytes])
      #expect(
        try await ServerPair.wait {
          try await storage.collect()
          return try await bucket.names().isEmpty
        })
      #expect(try await Self.fetch(result, storage, ada) == [segment.bytes])
    }
  }

  @Test func `what was erased while the bucket was away goes as soon as it is back`() async throws {
    let bucket = try TestBucket()
    try await BucketStorageTests.run(bucket) { storage, administration, clock in
      let place = SQLiteServerStorageTests.place(storage, administration, clock)
      let ada = try await Contract.person(place, "Ada")
      let zone = TestSegments(zone: "trip")
      _ = try await Contract.store(
        [zone.noise(1, size: 20_000), TestSegments().noise(1, size: 20_000)], ada, place)
      bucket.cut(true)
      try await storage.erase("trip", of: Contract.domain, Confirmations(), ada.asks(.sync))
      #expect(await Self.failure { try await storage.collect() }?.code == .storeUnavailable)
      #expect(try await Self.claims(storage) == 2)
      bucket.cut(false)
      // Nothing is asked for: the server does it by itself.
      #expect(try await ServerPair.wait { try await bucket.names().count == 1 })
      #expect(try await ServerPair.wait { try await Self.claims(storage) == 1 })
    }
  }

  @Test func `an account that a command removes takes its bodies along`() async throws {
    let bucket = try TestBucket()
    try await BucketStorageTests.run(bucket) { storage, administration, clock in
      let place = SQLiteServerStorageTests.place(storage, administration, clock)
      let ada = try await Contract.person(place, "Ada")
      let bob = try await Contract.person(place, "Bob")
      for person in [ada, bob] {
        _ = try await Contract.store(
          try (1...3).map { try TestSegments().noise($0, size: 20_000) }, person, place)
      }
      #expect(try await bucket.names().count == 6)
      try await administration.removeAccount(ada.account)
      #expect(try await ServerPair.wait { try await bucket.names().count == 3 })
      #expect(try await bucket.names().allSatisfy { $0.contains(bob.account) })
      #expect(try await administration.check().problems == [])
    }
  }

  @Test func `without the bucket small bodies go on and large ones wait`() async throws {
    let bucket = try TestBucket()
    try await BucketStorageTests.run(bucket) { storage, administration, clock in
      try await storage.keepLargeBodies(in: bucket.blobs(from: 10_000))
      let place = SQLiteServerStorageTests.place(storage, administration, clock)
      let ada = try await Contract.person(place, "Ada")
      let large = try TestSegments().noise(1, size: 20_000)
      let first = try await Contract.store([large], ada, place)
      bucket.cut(true)
      let push = await Self.failure {
        _ = try await Contract.store([TestSegments().noise(2, size: 20_000)], ada, place)
      }
      #expect(push?.code == .storeUnavailable && push?.code.isRetryable == true)
      let read = await Self.failure { _ = try await Self.fetch(first, storage, ada) }
      #expect(read?.code == .storeUnavailable)
      #expect(storage.bucket?.isInReach == false)
      let small = try await Contract.store([TestSegments().noise(3, size: 100)], ada, place)
      #expect(small.map(\.status) == [.stored])
      #expect(try await Self.fetch(small, storage, ada).count == 1)
      bucket.cut(false)
      // For two seconds nothing was asked.
      #expect(
        try await ServerPair.wait {
          await Self.failure { _ = try await Self.fetch(first, storage, ada) } == nil
        })
      #expect(storage.bucket?.isInReach == true)
      #expect(try await Self.fetch(first, storage, ada) == [large.bytes])
      #expect(
        try await Contract.store([TestSegments().noise(2, size: 20_000)], ada, place)
          .map(\.status) == [.stored])
    }
  }

  @Test func `a refusal of one request holds up no other`() async throws {
    let bucket = try TestBucket()
    let log = Mutex<[String]>([])
    try await BucketStorageTests.run(bucket) { storage, administration, clock in
      try await storage.keepLargeBodies(in: bucket.blobs()) { line in
        log.withLock { $0.append(line) }
      }
      let place = SQLiteServerStorageTests.place(storage, administration, clock)
      let ada = try await Contract.person(place, "Ada")
      let kept = try TestSegments().noise(1, size: 20_000)
      let result = try await Contract.store([kept], ada, place)
      _ = try await Contract.store(
        [TestSegments(zone: "locked").noise(1, size: 20_000)], ada, place)
      let locked = try await Self.names(ofZone: "locked", storage)
      #expect(locked.count == 1)
      _ = try await Contract.store([TestSegments(zone: "free").noise(1, size: 20_000)], ada, place)
      bucket.refuse { method, path in
        method == "DELETE" && locked.contains { path.contains($0) }
      }
      for zone: ZoneID in ["locked", "free"] {
        try await storage.erase(zone, of: Contract.domain, Confirmations(), ada.asks(.sync))
      }
      // The one that is refused is tried again and again, and the other one is gone nevertheless.
      #expect(try await ServerPair.wait { try await Self.claims(storage) == 2 })
      for _ in 0..<3 {
        #expect(await Self.failure { try await storage.collect() }?.code == .storeUnavailable)
        #expect(storage.bucket?.isInReach == true)
        #expect(try await Self.fetch(result, storage, ada) == [kept.bytes])
      }
      // A refused upload fails alone, too.
      bucket.refuse { method, _ in method == "PUT" }
      let refused = await Self.failure {
        _ = try await Contract.store([TestSegments().noise(2, size: 20_000)], ada, place)
      }
      #expect(refused?.code == .storeUnavailable)
      #expect(storage.bucket?.isInReach == true)
      #expect(try await Self.fetch(result, storage, ada) == [kept.bytes])
      bucket.refuse(nil)
      #expect(
        try await Contract.store([TestSegments().noise(2, size: 20_000)], ada, place)
          .map(\.status) == [.stored])
      #expect(try await ServerPair.wait { try await bucket.names().count == 2 })
    }
    // Each of the two refusals once, however often it came.
    #expect(log.withLock { $0.count } == 2, "\(log.withLock { $0 })")
  }

  /// The last parts of the names of the objects of a zone.
  private static func names(
    ofZone zone: String, _ storage: ServerDatabase
  ) async throws -> [String] {
    try await storage.read { tables in
      try tables.all(
        """
        SELECT o.name FROM objects o JOIN segments s ON s.cursor=o.cursor
          JOIN zones z ON z.id=s.zone WHERE z.zone=?
        """, .text(zone)
      ) { try $0.text(0).split(separator: "/").last.map { String($0) } ?? "" }
    }
  }

  @Test func `an upload that comes after its claim was cleared away leaves nothing in the bucket`()
    async throws
  {
    let bucket = try TestBucket()
    try await BucketStorageTests.run(bucket) { storage, administration, clock in
      let place = SQLiteServerStorageTests.place(storage, administration, clock)
      let ada = try await Contract.person(place, "Ada")
      let segment = try TestSegments().noise(1, size: 20_000)
      bucket.beforePut {
        clock.advance(by: ServerDatabase.claimLength + 1)
        // Its claim is over, there is nothing to remove yet, and its row goes.
        _ = try? await ServerPair.wait {
          _ = try await storage.collect()
          return try await Self.claims(storage) == 0
        }
      }
      let result = try await Contract.store([segment], ada, place)
      #expect(result.map(\.status) == [.stored])
      #expect(try await storage.keptOutside().count == 0)
      #expect(try await Self.fetch(result, storage, ada) == [segment.bytes])
      // Only a row can say that there is an object.
      #expect(try await ServerPair.wait { try await bucket.names().isEmpty })
      #expect(try await ServerPair.wait { try await Self.claims(storage) == 0 })
      #expect(try await administration.check(listing: true).unknownObjects == [])
    }
  }

  @Test func `a push that fails on its way to the bucket gives up all that it has claimed`()
    async throws
  {
    let bucket = try TestBucket()
    try await BucketStorageTests.run(bucket) { storage, administration, clock in
      let place = SQLiteServerStorageTests.place(storage, administration, clock)
      let ada = try await Contract.person(place, "Ada", maximumBytes: 100_000)
      let segments = try (1...3).map { try TestSegments().noise($0, size: 20_000) }
      let count = Mutex(0)
      bucket.refuse { method, _ in
        guard method == "PUT" else { return false }
        return count.withLock { count in
          count += 1
          return count > 1
        }
      }
      let failed = await Self.failure { _ = try await Contract.store(segments, ada, place) }
      #expect(failed?.code == .storeUnavailable)
      let open = try await storage.read {
        try $0.count("SELECT count(*) FROM objects WHERE used=0")
      }
      #expect(open == 0)
      bucket.refuse(nil)
      // The clock stands still, so nothing is removed for its age.
      #expect(try await ServerPair.wait { try await Self.claims(storage) == 0 })
      #expect(try await bucket.names().isEmpty)
      #expect(
        try await Contract.store(segments, ada, place).map(\.status)
          == [.stored, .stored, .stored])
      #expect(try await bucket.names().count == 3)
    }
  }

  @Test func `a lost object is named by a check and is never an empty answer`() async throws {
    let bucket = try TestBucket()
    try await BucketStorageTests.run(bucket) { storage, administration, clock in
      let place = SQLiteServerStorageTests.place(storage, administration, clock)
      let ada = try await Contract.person(place, "Ada")
      let kept = try await Contract.store([TestSegments().chained(1...1)], ada, place)
      let before = Set(try await bucket.names())
      let lost = try await Contract.store([TestSegments().chained(2...2)], ada, place)
      let name = try #require(try await bucket.names().first { !before.contains($0) })
      try await bucket.lose(name)
      let read = await Self.failure { _ = try await Self.fetch(lost, storage, ada) }
      #expect(read?.code == .storeDamaged)
      #expect(try await Self.fetch(kept, storage, ada).count == 1)
      try await bucket.put("\(name.split(separator: "/")[0])/\(ada.account)/nothing")
      let findings = try await administration.check(listing: true)
      #expect(findings.damaged.map(\.cursor) == lost.compactMap(\.cursor))
      #expect(findings.damaged.map(\.problem) == [SegmentAudit.lost])
      #expect(findings.unknownObjects.count == 1)
      #expect(try await administration.clear(findings.damaged) == 1)
      #expect(try await administration.collect(findings.unknownObjects) >= 1)
      let after = try await administration.check(listing: true)
      #expect(after.problems == [] && after.unknownObjects == [])
      #expect(Set(try await bucket.names()) == before)
    }
  }

  @Test func `a device clears what has lost its object`() async throws {
    let bucket = try TestBucket()
    try await BucketStorageTests.run(bucket) { storage, administration, clock in
      let place = SQLiteServerStorageTests.place(storage, administration, clock)
      let ada = try await Contract.person(place, "Ada")
      let stored = try await Contract.store([TestSegments().chained(1...1)], ada, place)
      for name in try await bucket.names() { try await bucket.lose(name) }
      let cursors = stored.compactMap(\.cursor)
      #expect(
        try await storage.removeDamaged(cursors, of: Contract.domain, ada.asks(.sync)) == cursors)
      #expect(
        try await Contract.store([TestSegments().chained(1...1)], ada, place).map(\.status)
          == [.stored])
    }
  }

  @Test(arguments: TestBucket.Kind.allCases)
  func `wrong keys and another bucket are refused at the start`(kind: TestBucket.Kind) async throws
  {
    let bucket = try TestBucket(kind)
    try await BucketStorageTests.run(bucket) { storage, administration, clock in
      let place = SQLiteServerStorageTests.place(storage, administration, clock)
      let ada = try await Contract.person(place, "Ada")
      let wrong = try bucket.blobs(secretKey: "another")
      #expect(
        await Self.failure { try await storage.keepLargeBodies(in: wrong) }?.code == .remoteDenied)
      try await storage.requireNoLargeBodies()
      _ = try await Contract.store([TestSegments().chained(1...1)], ada, place)
      #expect(
        await Self.failure { try await storage.requireNoLargeBodies() }?.code == .configInvalid)
      let other = try bucket.blobs(in: MotoServer.otherBucket)
      #expect(
        await Self.failure { try await storage.keepLargeBodies(in: other) }?.code == .configInvalid)
    }
    // What fails is not written down, so that the next start may name the right one.
    let folder = try TestFolder()
    let (storage, administration) = try SQLiteServerStorageTests.open(folder.path)
    let missing = try bucket.blobs(in: "cloudsync-nowhere")
    #expect(
      await Self.failure { try await storage.keepLargeBodies(in: missing) }?.code
        == .remoteUnavailable)
    let wrong = try bucket.blobs(secretKey: "another", in: MotoServer.otherBucket)
    #expect(
      await Self.failure { try await storage.keepLargeBodies(in: wrong) }?.code == .remoteDenied)
    #expect(try await administration.knownBucket() == nil)
    try await storage.keepLargeBodies(in: bucket.blobs())
    #expect(try await administration.knownBucket()?.contains(MotoServer.bucket) == true)
    try await administration.close()
    try await storage.close()
  }

  @Test func `several servers read and remove each other's bodies`() async throws {
    let bucket = try TestBucket()
    try await ServerPair.run { pair in
      let storages = [pair.first, pair.second].compactMap { $0.storage as? ServerDatabase }
      for storage in storages { try await storage.keepLargeBodies(in: bucket.blobs()) }
      let ada = try await pair.person("Ada")
      let segments = try (1...8).map { try TestSegments(zone: "trip").noise($0, size: 20_000) }
      // Both get the same push at the same time.
      async let one = Contract.store(segments, ada, pair.place(pair.first))
      async let two = Contract.store(segments, ada, pair.place(pair.second))
      let results = try await (one, two)
      #expect(results.0.compactMap(\.cursor) == results.1.compactMap(\.cursor))
      for storage in storages {
        #expect(try await Self.fetch(results.0, storage, ada) == segments.map(\.bytes))
      }
      try await pair.second.storage.erase(
        "trip", of: Contract.domain, Confirmations(), ada.asks(.sync))
      #expect(try await ServerPair.wait { try await bucket.names().isEmpty })
      #expect(try await ServerPair.wait { try await Self.claims(storages[0]) == 0 })
    }
  }

  @Test
  func `a client is told to wait, or that the server failed, and never that there is nothing`()
    async throws
  {
    let bucket = try TestBucket()
    try await TestServer.run(bucket: bucket) { server in
      let ada = try await server.person("Ada")
      let stored = try await server.push([TestSegments().chained(1...1)], ada.token)
      let cursor = try #require(stored.first?.cursor)
      let path = "/v1/domains/\(TestSegments.domain)/segments"
      bucket.cut(true)
      var frames: [UInt8] = []
      SegmentFrames.append(try TestSegments().chained(2...2).bytes, to: &frames)
      let answers = [
        try await server.get("\(path)/\(cursor)", ada.token),
        try await server.send(
          "POST", "\(path)/fetch", token: ada.token, json: ["cursors": [.int(Int64(cursor))]]),
        try await server.send(
          "POST", path, token: ada.token, body: frames, type: WireProtocol.segments),
      ]
      for answer in answers {
        #expect(answer.status == 503 && answer.error == "unavailable", "\(answer.status)")
        #expect(answer.headers["retry-after"] == "2")
      }
      bucket.cut(false)
      #expect(
        try await ServerPair.wait {
          try await server.get("\(path)/\(cursor)", ada.token).status == 200
        })
      for name in try await bucket.names() where !name.contains("/trial/") {
        try await bucket.lose(name)
      }
      #expect(try await server.get("\(path)/\(cursor)", ada.token).status == 500)
    }
  }
}
