import SyncKit
import SyncKitTesting
import SyncWire
import Testing

@testable import SyncKitServer

@Suite struct SQLiteServerStorageTests {
  /// A storage in a folder of its own for as long as `body` takes.
  static func open(
    _ folder: String, clock: VirtualClock = VirtualClock()
  ) throws -> (storage: ServerDatabase, administration: ServerAdministration) {
    let environment = SyncEnvironment(
      now: { clock.now }, random: { UInt64.random(in: .min ... .max) })
    return (
      try ServerDatabase(folder, environment: environment),
      try ServerAdministration(folder, environment: environment)
    )
  }

  static func place(
    _ storage: ServerDatabase, _ administration: ServerAdministration, _ clock: VirtualClock
  ) -> ServerStoragePlace {
    ServerStoragePlace(storage: storage, clock: clock) { name, maximumBytes in
      let account = try await administration.makeAccount(name, maximumBytes: maximumBytes)
      return try await administration.invite(to: account.id).code
    }
  }

  @Test(arguments: ServerStorageContract.checks + ServerStorageContract.removalChecks)
  func `it keeps what every storage promises`(
    check: ContractCheck<ServerStorageContract>
  ) async throws {
    let folder = try temporaryFolder()
    defer { removeFolder(folder) }
    let clock = VirtualClock()
    let (storage, administration) = try Self.open(folder, clock: clock)
    try await check(
      ServerStorageContract { Self.place(storage, administration, clock) })
    let findings = try await administration.check()
    #expect(findings.problems == [], "\(findings.problems)")
    try await administration.close()
    try await storage.close()
  }

  @Test func `the file shrinks when a large zone is withdrawn`() async throws {
    let folder = try temporaryFolder()
    defer { removeFolder(folder) }
    let clock = VirtualClock()
    let (storage, administration) = try Self.open(folder, clock: clock)
    let place = Self.place(storage, administration, clock)
    let ada = try await ServerStorageContract.person(place, "Ada")
    for number in 1...20 {
      _ = try await ServerStorageContract.store(
        [TestSegments(zone: "big").noise(UInt64(number), size: 1_000_000)], ada, place)
    }
    func pages() async throws -> (all: Int64, free: Int64) {
      try await storage.read { tables in
        (try tables.count("PRAGMA page_count"), try tables.count("PRAGMA freelist_count"))
      }
    }
    let before = try await pages()
    try await storage.erase(
      "big", of: ServerStorageContract.domain, Confirmations(), ada.asks(.sync))
    for _ in 0..<2_000 {
      let now = try await pages()
      if now.free < 256 || now.free * 4 < now.all { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    let after = try await pages()
    #expect(after.all * 2 < before.all, "\(before) became \(after)")
    let findings = try await administration.check()
    #expect(findings.problems == [], "\(findings.problems)")
    try await administration.close()
    try await storage.close()
  }

  @Test func `a folder that is served is refused to a second server`() async throws {
    let folder = try temporaryFolder()
    defer { removeFolder(folder) }
    let (storage, administration) = try Self.open(folder)
    #expect {
      try ServerDatabase(folder, environment: .seeded(1))
    } throws: { ($0 as? SyncError)?.code == .storeBusy }
    try await administration.close()
    try await storage.close()
    let again = try ServerDatabase(folder, environment: .seeded(1))
    try await again.close()
  }

  @Test func `what was answered is there after a kill, without repair`() async throws {
    let folder = try temporaryFolder()
    let copy = try temporaryFolder()
    defer {
      removeFolder(folder)
      removeFolder(copy)
    }
    let clock = VirtualClock()
    let (storage, administration) = try Self.open(folder, clock: clock)
    let place = Self.place(storage, administration, clock)
    let ada = try await ServerStorageContract.person(place, "Ada")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 1...8 {
        group.addTask {
          let made = TestSegments(series: ReplicaID(high: UInt64(writer), low: 1))
          for number in 1...20 {
            _ = try await ServerStorageContract.store(
              [made.segment(UInt64(number))], ada, place)
          }
        }
      }
      try await group.waitForAll()
    }
    // The disk as a kill leaves it: the log is not folded in, and nothing was closed.
    for file in ["server.sqlite", "server.sqlite-wal"] {
      try writeFile("\(copy)/\(file)", readFile("\(folder)/\(file)"))
    }
    let (revived, check) = try Self.open(copy, clock: clock)
    let page = try await ServerStorageContract.feed(
      ada, Self.place(revived, check, clock))
    #expect(page.segments.count == 160)
    let findings = try await check.check()
    #expect(findings.segments == 160)
    #expect(findings.problems == [], "\(findings.problems)")
    for part in [check, administration] { try await part.close() }
    for part in [revived, storage] { try await part.close() }
  }

  @Test func `a reader goes on after a restart, and starts over after a restore`() async throws {
    let folder = try temporaryFolder()
    let restored = try temporaryFolder()
    defer {
      removeFolder(folder)
      removeFolder(restored)
    }
    let clock = VirtualClock()
    var (storage, administration) = try Self.open(folder, clock: clock)
    let ada = try await ServerStorageContract.person(
      Self.place(storage, administration, clock), "Ada")
    func store(_ number: UInt64, _ storage: ServerDatabase) async throws {
      _ = try await storage.store(
        [.checked(try TestSegments().segment(number))], in: TestSegments.domain, ada.asks(.sync))
    }
    func feed(_ page: FeedPage?, _ storage: ServerDatabase) async throws -> FeedPage {
      try await storage.feed(
        TestSegments.domain, FeedQuestion(epoch: page?.epoch, after: page?.cursor ?? 0),
        ada.asks(.read))
    }
    try await store(1, storage)
    let first = try await feed(nil, storage)
    try await administration.backup(to: "\(restored)/server.sqlite")
    try await store(2, storage)
    let second = try await feed(first, storage)
    #expect(second.segments.map(\.first) == [2])
    try await administration.close()
    try await storage.close()

    (storage, administration) = try Self.open(folder, clock: clock)
    let third = try await feed(second, storage)
    #expect(third.isContinuation, "a restart loses a position")
    #expect(third.segments.isEmpty)
    try await administration.close()
    try await storage.close()

    (storage, administration) = try Self.open(restored, clock: clock)
    let early = try await feed(first, storage)
    #expect(early.isContinuation, "what was read before the backup still stands")
    // Others come first, and take the numbers that the lost segment had.
    try await store(3, storage)
    try await store(4, storage)
    let late = try await feed(second, storage)
    #expect(!late.isContinuation, "a restored server goes on behind what it has lost")
    #expect(late.segments.map(\.first) == [1, 3, 4])
    try await administration.close()
    try await storage.close()
  }

  @Test func `a backup is whole, private, and replaces nothing`() async throws {
    let folder = try temporaryFolder()
    defer { removeFolder(folder) }
    let clock = VirtualClock()
    let (storage, administration) = try Self.open(folder, clock: clock)
    let place = Self.place(storage, administration, clock)
    let ada = try await ServerStorageContract.person(place, "Ada")
    let file = "\(folder)/it's a backup.sqlite"
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for number in 1...50 {
          _ = try await ServerStorageContract.store(
            [TestSegments().segment(UInt64(number))], ada, place)
        }
      }
      group.addTask { try await administration.backup(to: file) }
      try await group.waitForAll()
    }
    await #expect(throws: SyncError.self) { try await administration.backup(to: file) }
    let bytes = try readFile(file)
    #expect(bytes.starts(with: Array("SQLite format 3\u{0}".utf8)))
    try await administration.close()
    try await storage.close()
  }

  @Test func `a check finds what was changed behind the server's back`() async throws {
    let folder = try temporaryFolder()
    defer { removeFolder(folder) }
    let clock = VirtualClock()
    let (storage, administration) = try Self.open(folder, clock: clock)
    let place = Self.place(storage, administration, clock)
    let ada = try await ServerStorageContract.person(place, "Ada")
    _ = try await ServerStorageContract.store(
      (1...3).map { try TestSegments().segment($0) }, ada, place)
    try await storage.write { tables in
      try tables.run("UPDATE contents SET bytes=x'00' WHERE cursor=1")
      try tables.run("DELETE FROM contents WHERE cursor=2")
      try tables.run("UPDATE accounts SET bytes=0")
    }
    let findings = try await administration.check()
    #expect(findings.problems.count == 3, "\(findings.problems)")
    try await administration.close()
    try await storage.close()
  }

  @Test func `a mark on a home zone is removed at the start, and readers start over`()
    async throws
  {
    let folder = try temporaryFolder()
    defer { removeFolder(folder) }
    let clock = VirtualClock()
    var (storage, administration) = try Self.open(folder, clock: clock)
    let ada = try await ServerStorageContract.person(
      Self.place(storage, administration, clock), "Ada")
    let place = Self.place(storage, administration, clock)
    _ = try await ServerStorageContract.store([TestSegments().segment(1)], ada, place)
    let before = try await ServerStorageContract.feed(ada, place)
    // As a version did that let a client erase it.
    try await storage.write { tables in
      try tables.run("UPDATE zones SET erased=1 WHERE zone='home'")
      try tables.run("DELETE FROM segments")
      try tables.run("UPDATE accounts SET bytes=0, records=0")
    }
    let marked = try await ServerStorageContract.feed(ada, place)
    #expect(marked.erased.keys.contains(.home))
    try await administration.close()
    try await storage.close()
    (storage, administration) = try Self.open(folder, clock: clock)
    let again = Self.place(storage, administration, clock)
    let page = try await ServerStorageContract.feed(
      ada, again, epoch: before.epoch, after: before.cursor)
    #expect(page.erased.isEmpty && !page.isContinuation)
    let stored = try await ServerStorageContract.store([TestSegments().segment(1)], ada, again)
    #expect(stored.map(\.status) == [.stored])
    try await administration.close()
    try await storage.close()
  }

  @Test func `another program's file is refused and left alone`() async throws {
    let folder = try temporaryFolder()
    defer { removeFolder(folder) }
    let bytes = Array("this is no database, but somebody's notes ".utf8) + Array(0...255)
    try writeFile("\(folder)/server.sqlite", bytes)
    #expect(throws: SyncError.self) {
      try ServerDatabase(folder, environment: .seeded(1))
    }
    #expect(try readFile("\(folder)/server.sqlite") == bytes)
  }
}
