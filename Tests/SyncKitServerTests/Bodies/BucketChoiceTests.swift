import RealPlaces
import SQLiteFile
import SyncKit
import SyncKitTesting
import SyncWire
import Testing

@testable import SyncKitServer

/// Which bucket the bodies of a database are in is decided once.
@Suite struct BucketChoiceTests {
  private typealias Contract = ServerStorageContract

  private static func refuses(
    _ code: SyncError.Code, _ words: String, _ body: () async throws -> Void
  ) async {
    await #expect {
      try await body()
    } throws: { error in
      let error = error as? SyncError
      return error?.code == code
        && "\(error?.message ?? "") \(error?.hint ?? "")".contains(words)
    }
  }

  @Test func `two servers with different buckets are refused before anything is stored`()
    async throws
  {
    let bucket = try TestBucket()
    try await ServerPair.run { pair in
      let storages = [pair.first, pair.second].compactMap { $0.storage as? ServerDatabase }
      try await storages[0].keepLargeBodies(in: bucket.blobs())
      let known = try #require(try await pair.administration.knownBucket())
      #expect(known.contains(MotoServer.bucket))
      let other = try bucket.blobs(in: MotoServer.otherBucket)
      await Self.refuses(.configInvalid, known) {
        try await storages[1].keepLargeBodies(in: other)
      }
      // A command with the wrong one is as wrong.
      await Self.refuses(.configInvalid, "server bucket --replace") {
        try await pair.administration.reachLargeBodies(in: other)
      }
      try await storages[1].keepLargeBodies(in: bucket.blobs())
      let ada = try await pair.person("Ada")
      for (number, state) in [pair.first, pair.second].enumerated() {
        let segment = try TestSegments().noise(UInt64(number + 1), size: 20_000)
        _ = try await Contract.store([segment], ada, pair.place(state))
      }
      #expect(try await bucket.names().count == 2)
    }
  }

  @Test func `of two servers that start at once with different buckets one is refused`()
    async throws
  {
    let bucket = try TestBucket()
    for _ in 0..<4 {
      try await ServerPair.run { pair in
        let storages = [pair.first, pair.second].compactMap { $0.storage as? ServerDatabase }
        let buckets = [try bucket.blobs(), try bucket.blobs(in: MotoServer.otherBucket)]
        let failures = await withTaskGroup(of: (any Error)?.self) { group in
          for (storage, blobs) in zip(storages, buckets) {
            group.addTask {
              do {
                try await storage.keepLargeBodies(in: blobs)
                return nil
              } catch { return error }
            }
          }
          return await group.reduce(into: [any Error]()) { all, error in
            if let error { all.append(error) }
          }
        }
        #expect(failures.count == 1)
        #expect((failures.first as? SyncError)?.code == .configInvalid, "\(failures)")
        #expect(storages.filter { $0.bucket != nil }.count == 1)
      }
    }
  }

  @Test func `a host names another bucket, and servers with the one before store nothing there`()
    async throws
  {
    let bucket = try TestBucket()
    try await ServerPair.run { pair in
      let storages = [pair.first, pair.second].compactMap { $0.storage as? ServerDatabase }
      try await storages[0].keepLargeBodies(in: bucket.blobs(from: 10_000))
      let ada = try await pair.person("Ada")
      let other = try bucket.blobs(from: 10_000, in: MotoServer.otherBucket)
      let before = try await pair.administration.knownBucket()
      #expect(try await pair.administration.replaceBucket(by: other) == before)
      #expect(try await pair.administration.knownBucket()?.contains(MotoServer.otherBucket) == true)
      #expect(
        try await pair.administration.notes(limit: 1).first?.action == "bucket.replace")
      let large = try TestSegments().noise(1, size: 20_000)
      await Self.refuses(.storeUnavailable, MotoServer.otherBucket) {
        _ = try await Contract.store([large], ada, pair.place(pair.first))
      }
      let small = try await Contract.store(
        [TestSegments(zone: "small").segment(1)], ada, pair.place(pair.first))
      #expect(small.map(\.status) == [.stored])
      #expect(try await bucket.names().isEmpty)
      try await storages[1].keepLargeBodies(in: other)
      #expect(
        try await Contract.store([large], ada, pair.place(pair.second)).map(\.status) == [.stored])
      // Now there is a body, and it is not in the first bucket.
      await Self.refuses(.configInvalid, "are not in") {
        try await pair.administration.replaceBucket(by: bucket.blobs())
      }
    }
  }

  @Test func `a bucket is not replaced while something is being stored`() async throws {
    let bucket = try TestBucket()
    try await BucketStorageTests.run(bucket) { storage, administration, clock in
      let place = SQLiteServerStorageTests.place(storage, administration, clock)
      let ada = try await Contract.person(place, "Ada")
      _ = try await storage.deposit(
        [.checked(TestSegments().noise(1, size: 20_000))], in: Contract.domain, ada.asks(.sync))
      let other = try bucket.blobs(in: MotoServer.otherBucket)
      await Self.refuses(.storeBusy, "storing") {
        try await administration.replaceBucket(by: other)
      }
      clock.advance(by: ServerDatabase.claimLength + 1)
      #expect(
        try await ServerPair.wait {
          try await storage.collect()
          return try await bucket.names().isEmpty
        })
      try await administration.replaceBucket(by: other)
    }
  }

  @Test func `tables of the version before get what they lack`() async throws {
    let folder = try TestFolder()
    let path = try ServerFile.prepare(folder.path)
    let old = try Connection(path)
    for step in ServerSchema.versions.prefix(6) { try old.run(step) }
    try old.run(
      """
      INSERT INTO objects(name, account, hash, size, claimed) VALUES('n', 'a', x'00', 5, 1);
      PRAGMA application_id=\(0x6373_7276); PRAGMA user_version=6
      """)
    old.close()
    let (storage, administration) = try SQLiteServerStorageTests.open(folder.path)
    #expect(try await administration.knownBucket() == nil)
    #expect(try await storage.read { try $0.count("SELECT records FROM objects") } == 0)
    try await administration.close()
    try await storage.close()

    let address = try TestDatabase.address()
    let place = try PostgreSQLServer.shared()
    try place.run(
      PostgreSQLSchema.versions.prefix(3).joined(separator: ";\n")
        + """
        ; CREATE TABLE schema_version(application text PRIMARY KEY, version bigint NOT NULL);
        INSERT INTO schema_version VALUES('cloudsync-server', 3);
        INSERT INTO objects(name, account, hash, size, claimed) VALUES('n', 'a', '', 5, 1);
        """, in: address.text)
    try await PostgreSQLStorageTests.run(on: address) { storage, administration in
      let known = try await administration.knownBucket()
      let records = try await storage.read { try $0.count("SELECT records FROM objects") }
      #expect(known == nil && records == 0)
    }
    #expect(
      try place.run("SELECT version FROM schema_version", in: address.text)
        == "\(PostgreSQLSchema.versions.count)\n")
  }
}
