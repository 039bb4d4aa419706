import FaultyNetwork
import SyncKit
import SyncKitTesting
import SyncWire
import Testing

@testable import SyncKitServer

/// A storage whose bodies are all in a bucket.
@Suite struct BucketStorageTests {
  /// A server over a new folder or database, and the host's commands, with all bodies in the bucket.
  static func run(
    _ bucket: TestBucket, isPostgreSQL: Bool = TestDatabase.isChosen,
    _ body: (ServerDatabase, ServerAdministration, VirtualClock) async throws -> Void
  ) async throws {
    let clock = VirtualClock()
    func work(_ storage: ServerDatabase, _ administration: ServerAdministration) async throws {
      let result: Result<Void, any Error>
      do {
        try await storage.keepLargeBodies(in: bucket.blobs())
        try await administration.reachLargeBodies(in: bucket.blobs())
        result = .success(try await body(storage, administration, clock))
      } catch { result = .failure(error) }
      bucket.cut(false)
      try await administration.close()
      try await storage.close()
      try result.get()
    }
    if isPostgreSQL {
      let address = try TestDatabase.address()
      let environment = PostgreSQLStorageTests.environment(clock)
      return try await work(
        ServerDatabase(address, environment: environment),
        ServerAdministration(address, environment: environment))
    }
    let folder = try temporaryFolder()
    defer { removeFolder(folder) }
    let (storage, administration) = try SQLiteServerStorageTests.open(folder, clock: clock)
    try await work(storage, administration)
  }

  @Test(
    arguments: TestBucket.Kind.allCases,
    ServerStorageContract.checks + ServerStorageContract.removalChecks)
  func `it keeps what every storage promises`(
    kind: TestBucket.Kind, check: ContractCheck<ServerStorageContract>
  ) async throws {
    let bucket = try TestBucket(kind)
    try await Self.run(bucket) { storage, administration, clock in
      try await check(
        ServerStorageContract { SQLiteServerStorageTests.place(storage, administration, clock) })
      while try await storage.collect() > 0 {}
      let findings = try await administration.check(listing: true)
      #expect(findings.problems == [], "\(findings.problems)")
      #expect(findings.unknownObjects == [])
      let kept = try await storage.keptOutside().count
      #expect(try await bucket.names().count == Int(kept))
      let inRows = try await storage.read { try $0.count("SELECT count(*) FROM contents") }
      #expect(inRows == 0)
    }
  }

  @Test(arguments: ServerStorageContract.checks + ServerStorageContract.removalChecks)
  func `it keeps it over PostgreSQL, too`(
    check: ContractCheck<ServerStorageContract>
  ) async throws {
    let bucket = try TestBucket()
    try await Self.run(bucket, isPostgreSQL: true) { storage, administration, clock in
      try await check(
        ServerStorageContract { SQLiteServerStorageTests.place(storage, administration, clock) })
      while try await storage.collect() > 0 {}
      let findings = try await administration.check(listing: true)
      #expect(findings.problems == [] && findings.unknownObjects == [], "\(findings.problems)")
      #expect(try await bucket.names().count == Int(try await storage.keptOutside().count))
    }
  }

  @Test func `small bodies stay in the database`() async throws {
    let bucket = try TestBucket()
    try await Self.run(bucket) { storage, administration, clock in
      try await storage.keepLargeBodies(in: bucket.blobs(from: 10_000))
      let place = SQLiteServerStorageTests.place(storage, administration, clock)
      let ada = try await ServerStorageContract.person(place, "Ada")
      let segments = [
        try TestSegments().noise(1, size: 1_000), try TestSegments().noise(2, size: 20_000),
      ]
      let results = try await ServerStorageContract.store(segments, ada, place)
      #expect(try await storage.keptOutside().count == 1)
      let cursors = results.compactMap(\.cursor)
      let found = try await storage.fetch(
        cursors, of: ServerStorageContract.domain, upTo: 1 << 20, ada.asks(.read))
      #expect(found == segments.map(\.bytes))
      let size = segments.reduce(0) { $0 + $1.bytes.count }
      #expect(try await storage.account(ada.asks(.read)).usedBytes == Int64(size))
    }
  }

  @Test func `what is known or has no room is not sent to the bucket`() async throws {
    let bucket = try TestBucket()
    try await Self.run(bucket) { storage, administration, clock in
      let place = SQLiteServerStorageTests.place(storage, administration, clock)
      let ada = try await ServerStorageContract.person(place, "Ada", maximumBytes: 30_000)
      let segment = try TestSegments().noise(1, size: 20_000)
      #expect(
        try await ServerStorageContract.store([segment, segment], ada, place).map(\.status)
          == [.stored, .known])
      bucket.log.forget()
      #expect(
        try await ServerStorageContract.store([segment], ada, place).map(\.status) == [.known])
      try await ServerStorageContract.expectRefusal(.quota, "a body without room") {
        _ = try await ServerStorageContract.store(
          [TestSegments().noise(2, size: 20_000)], ada, place)
      }
      #expect(!bucket.log.methods.contains("PUT"))
      #expect(try await bucket.names().count == 1)
    }
  }

  @Test func `what is being stored counts for the quota until it is stored or given up`()
    async throws
  {
    let bucket = try TestBucket()
    try await Self.run(bucket) { storage, administration, clock in
      try await storage.keepLargeBodies(in: bucket.blobs(from: 10_000))
      let place = SQLiteServerStorageTests.place(storage, administration, clock)
      let ada = try await ServerStorageContract.person(place, "Ada", maximumBytes: 65_000)
      func refuses(_ what: String, _ segments: [Segment]) async throws {
        try await ServerStorageContract.expectRefusal(.quota, what) {
          _ = try await ServerStorageContract.store(segments, ada, place)
        }
      }
      // Three uploads whose servers were killed before the end.
      let open = try (1...3).map { try TestSegments().noise($0, size: 20_000) }
      for segment in open {
        _ = try await storage.deposit(
          [.checked(segment)], in: ServerStorageContract.domain, ada.asks(.sync))
      }
      try await refuses("one more", [TestSegments().noise(4, size: 20_000)])
      try await refuses("a small one", [TestSegments().noise(5, size: 9_000)])
      #expect(try await bucket.names().count == 3)
      #expect(try await storage.account(ada.asks(.read)).usedBytes == 0)
      // What is sent again is no more than it was.
      #expect(
        try await ServerStorageContract.store(open, ada, place).map(\.status)
          == [.stored, .stored, .stored])
      try await refuses("one more", [TestSegments().noise(4, size: 20_000)])

      // What no one comes back to counts for a day.
      let ben = try await ServerStorageContract.person(place, "Ben", maximumBytes: 30_000)
      _ = try await storage.deposit(
        [.checked(open[0])], in: ServerStorageContract.domain, ben.asks(.sync))
      try await ServerStorageContract.expectRefusal(.quota, "beside an open one") {
        _ = try await ServerStorageContract.store([open[1]], ben, place)
      }
      clock.advance(by: ServerDatabase.claimLength + 1)
      #expect(
        try await ServerPair.wait {
          try await storage.collect()
          return try await bucket.names().count == 3
        })
      #expect(
        try await ServerStorageContract.store([open[1]], ben, place).map(\.status) == [.stored])
    }
  }

  @Test func `the changes of what is being stored count, too, for whoever pays`() async throws {
    let bucket = try TestBucket()
    try await Self.run(bucket) { storage, administration, clock in
      let place = SQLiteServerStorageTests.place(storage, administration, clock)
      let ada = try await ServerStorageContract.person(place, "Ada")
      let ben = try await ServerStorageContract.person(place, "Ben")
      _ = try await ServerStorageContract.store([TestSegments(zone: "list").segment(1)], ada, place)
      _ = try await ServerStorageContract.share("list", of: ada, with: ben, as: .writer, place)
      try await administration.setQuota(of: ada.account, maximumBytes: nil, maximumRecords: 13)
      let list = TestSegments(zone: "list", series: ReplicaID(high: 9, low: 9))
      _ = try await storage.deposit(
        [.checked(list.segment(1, count: 10))], in: ServerStorageContract.domain, ben.asks(.sync))
      try await ServerStorageContract.expectRefusal(.quota, "three more changes") {
        _ = try await ServerStorageContract.store(
          [TestSegments().segment(1, count: 3)], ada, place)
      }
      #expect(
        try await ServerStorageContract.store([TestSegments().segment(1, count: 2)], ada, place)
          .map(\.status) == [.stored])
    }
  }
}
