import RealPlaces
import SQLiteFile
import SyncKit
import SyncKitTesting
import SyncWire
import Synchronization
import Testing

@testable import SyncKitServer

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A server's data go from a folder to a database and back.
@Suite struct ServerMigrationTests {
  private typealias Contract = ServerStorageContract

  private static let environment = PostgreSQLStorageTests.environment(VirtualClock())

  private static func migration(
    _ from: ServerMigration.Place, _ to: ServerMigration.Place
  ) -> ServerMigration { ServerMigration(from: from, to: to, environment: environment) }

  /// A server over a place, and the host's commands beside it.
  private static func serve<T>(
    _ place: ServerMigration.Place, _ bucket: TestBucket? = nil,
    _ body: (ServerStoragePlace, ServerAdministration) async throws -> T
  ) async throws -> T {
    let storage: ServerDatabase
    let administration: ServerAdministration
    switch place {
    case .folder(let path):
      storage = try ServerDatabase(path, environment: environment)
      administration = try ServerAdministration(path, environment: environment)
    case .database(let address):
      storage = try ServerDatabase(address, environment: environment)
      administration = try ServerAdministration(address, environment: environment)
    }
    let result: Result<T, any Error>
    do {
      if let blobs = try bucket?.blobs(from: ServerBlobs.usualSize) {
        try await storage.keepLargeBodies(in: blobs)
        try await administration.reachLargeBodies(in: blobs)
      }
      let place = SQLiteServerStorageTests.place(storage, administration, VirtualClock())
      result = .success(try await body(place, administration))
    } catch { result = .failure(error) }
    try await administration.close()
    try await storage.close()
    return try result.get()
  }

  /// How many accounts a server over a place has.
  private static func accounts(_ place: ServerMigration.Place) async throws -> Int {
    try await serve(place) { try await $1.accounts().count }
  }

  /// What a server of the tests has.
  private struct World {
    let ada: Contract.Person
    let ben: Contract.Person
    var page: FeedPage

    /// Two people, one of whom shares with the other, and segments of all sizes.
    static func make(
      _ place: ServerMigration.Place, _ bucket: TestBucket? = nil
    ) async throws -> World {
      try await serve(place, bucket) { place, administration in
        let ada = try await Contract.person(place, "Ada")
        let ben = try await Contract.person(place, "Ben ä\u{1F600}")
        for number in 1...1_100 {
          _ = try await Contract.store([TestSegments().segment(UInt64(number))], ada, place)
        }
        for number in 1...20 {
          _ = try await Contract.store(
            [TestSegments(zone: "big").noise(UInt64(number), size: 70_000)], ada, place)
        }
        _ = try await Contract.share("big", of: ada, with: ben, as: .writer, place)
        _ = try await administration.invite(to: ben.account)
        return World(ada: ada, ben: ben, page: try await Contract.feed(ada, place))
      }
    }

    /// Everyone goes on where they were, and gets what comes next.
    mutating func goesOn(
      _ place: ServerMigration.Place, with number: UInt64, _ bucket: TestBucket? = nil
    ) async throws {
      let (ada, ben, before) = (ada, ben, page)
      page = try await serve(place, bucket) { place, administration in
        let quiet = try await Contract.feed(
          ada, place, epoch: before.epoch, after: before.cursor)
        #expect(quiet.segments.isEmpty && quiet.cursor == before.cursor)
        let stored = try await Contract.store([TestSegments().segment(number)], ada, place)
        // A share has taken one, too.
        let cursor = try #require(stored[0].cursor)
        #expect(cursor > before.cursor)
        let guests = try await Contract.store(
          [TestSegments(zone: "big", series: ReplicaID(high: 9, low: number)).segment(1)], ben,
          place)
        #expect(guests[0].cursor == cursor + 1)
        let next = try await Contract.feed(ada, place, epoch: quiet.epoch, after: quiet.cursor)
        #expect(next.segments.map(\.cursor) == [cursor, cursor + 1])
        // A number that the engine gives to a new row is not one that has come along.
        _ = try await administration.makeAccount("Carl \(number)")
        let all = try await Contract.feed(ada, place)
        #expect(all.segments.count == 1_120 + 2 * Int(number - 2_000))
        let findings = try await administration.check()
        #expect(findings.problems == [], "\(findings.problems)")
        return next
      }
    }
  }

  @Test func `what is moved and what stays behind are all tables`() async throws {
    let named = ServerTableRows.moved.map(\.name) + ServerTableRows.left
    #expect(Set(named).count == named.count)
    try await PostgreSQLStorageTests.run { storage, _ in
      let tables = try await storage.read { tables in
        try tables.all(
          "SELECT tablename::text FROM pg_tables WHERE schemaname=current_schema()"
        ) { try $0.text(0) }
      }
      #expect(Set(tables) == Set(named))
    }
    let folder = try TestFolder()
    let (storage, administration) = try SQLiteServerStorageTests.open(folder.path)
    let tables = try await storage.read { tables in
      try tables.all("SELECT name FROM sqlite_schema WHERE type='table'") { try $0.text(0) }
    }
    #expect(Set(tables) == Set(named).subtracting(["schema_version"]))
    try await administration.close()
    try await storage.close()
  }

  @Test func `devices go on where they were, in a database and in a folder again`() async throws {
    let (first, last) = (try TestFolder(), try TestFolder())
    let database = ServerMigration.Place.database(try TestDatabase.address())
    var world = try await World.make(.folder(first.path))
    let steps = Mutex<[ServerMigration.Progress]>([])
    let there = try await Self.migration(.folder(first.path), database).run { step in
      steps.withLock { $0.append(step) }
    }
    #expect(there.accounts == 2 && there.segments == 1_120 && there.bytes > 20 * 70_000)
    let seen = steps.withLock { $0 }
    #expect(seen.count == 2 * 1_120 && seen.allSatisfy { $0.total == 1_120 })
    try await world.goesOn(database, with: 2_001)
    let back = try await Self.migration(database, .folder(last.path)).run()
    #expect(back.accounts == 3 && back.segments == 1_122)
    try await world.goesOn(.folder(last.path), with: 2_002)
  }

  @Test func `the place that was left is closed until it is opened again`() async throws {
    let (folder, other) = (try TestFolder(), try TestFolder())
    let address = try TestDatabase.address()
    _ = try await World.make(.folder(folder.path))
    _ = try await Self.migration(.folder(folder.path), .database(address)).run()
    func refuses(_ body: () async throws -> Void) async {
      await #expect {
        try await body()
      } throws: { ($0 as? SyncError)?.code == .serverMoved }
    }
    await refuses { _ = try ServerDatabase(folder.path, environment: Self.environment) }
    await refuses { _ = try ServerAdministration(folder.path, environment: Self.environment) }
    await refuses { _ = try await Self.migration(.folder(folder.path), .folder(other.path)).run() }
    _ = try await Self.migration(.database(address), .folder(other.path)).run()
    await refuses { _ = try ServerDatabase(address, environment: Self.environment) }
    let opened = try await ServerMigration.cancel(.folder(folder.path))
    #expect(opened?.place == "the database (\(address))" && opened?.hasBodiesInBucket == false)
    #expect(try await Self.accounts(.folder(folder.path)) == 2)
    #expect(
      try await ServerMigration.cancel(.folder(folder.path)) == nil)
  }

  @Test(arguments: [false, true])
  func `a move that was cut off is run again`(hasArrived: Bool) async throws {
    let folder = try TestFolder()
    let address = try TestDatabase.address()
    var world = try await World.make(.folder(folder.path))
    let path = try ServerFile.prepare(folder.path)
    if hasArrived {
      _ = try await Self.migration(.folder(folder.path), .database(address)).run()
      // As a kill after the commit of the database leaves it.
      let tables = try ServerFile.open(path, for: .writing)
      try tables.run("UPDATE moves SET finished=NULL")
      tables.close()
    } else {
      // As a kill before it does.
      let tables = try ServerFile.open(path, for: .writing)
      try ServerMove(id: "m", place: "the database (\(address))", begun: 1).note(.source, tables)
      tables.close()
      await #expect {
        _ = try await Self.migration(
          .folder(folder.path), .database(try TestDatabase.address())
        ).run()
      } throws: { ($0 as? SyncError)?.code == .serverMoved }
    }
    #expect {
      _ = try ServerDatabase(folder.path, environment: Self.environment)
    } throws: { ($0 as? SyncError)?.code == .serverMoved }
    let outcome = try await Self.migration(.folder(folder.path), .database(address)).run()
    #expect(outcome.segments == 1_120)
    try await world.goesOn(.database(address), with: 2_001)
  }

  @Test(arguments: [ServerMigration.Progress.Step.copying, .comparing])
  func `a database that stops in the middle leaves the folder as it was`(
    step: ServerMigration.Progress.Step
  ) async throws {
    let folder = try TestFolder()
    let place = try PostgreSQLServer()
    let address = try PostgreSQLAddress(try place.database())
    var world = try await World.make(.folder(folder.path))
    await #expect {
      _ = try await Self.migration(.folder(folder.path), .database(address)).run { progress in
        if progress.step == step, progress.done == 500 { place.kill() }
      }
    } throws: { ($0 as? SyncError)?.code == .storeUnavailable }
    #expect(try await Self.accounts(.folder(folder.path)) == 2)
    try place.start()
    _ = try await Self.migration(.folder(folder.path), .database(address)).run()
    try await world.goesOn(.database(address), with: 2_001)
    place.stop()
  }

  @Test func `a database that stops while it is left is left in the next run`() async throws {
    let folder = try TestFolder()
    let place = try PostgreSQLServer()
    let database = ServerMigration.Place.database(try PostgreSQLAddress(try place.database()))
    var world = try await World.make(database)
    await #expect {
      _ = try await Self.migration(database, .folder(folder.path)).run { progress in
        if progress.step == .copying, progress.done == 500 { place.kill() }
      }
    } throws: { ($0 as? SyncError)?.code == .storeUnavailable }
    try place.start()
    _ = try await Self.migration(database, .folder(folder.path)).run()
    try await world.goesOn(.folder(folder.path), with: 2_001)
    place.stop()
  }

  @Test func `a place that is in use or has data of its own is refused, and both go on`()
    async throws
  {
    let (folder, other) = (try TestFolder(), try TestFolder())
    let address = try TestDatabase.address()
    func fails(_ code: SyncError.Code, _ migration: ServerMigration) async {
      await #expect {
        _ = try await migration.run()
      } throws: { ($0 as? SyncError)?.code == code }
    }
    let there = Self.migration(.folder(folder.path), .database(address))
    await fails(.inputMissing, there)
    _ = try await World.make(.folder(folder.path))
    try await Self.serve(.folder(folder.path)) { _, _ in await fails(.storeBusy, there) }
    try await Self.serve(.database(address)) { _, administration in
      await fails(.storeBusy, there)
      _ = try await administration.makeAccount("Own")
    }
    await fails(.inputInvalid, there)
    _ = try await World.make(.folder(other.path))
    await fails(.inputInvalid, Self.migration(.folder(folder.path), .folder(other.path)))
    for place in [ServerMigration.Place.folder(folder.path), .folder(other.path)] {
      #expect(try await Self.accounts(place) == 2)
    }
  }

  @Test func `a command that was open before the move changes nothing in the folder afterwards`()
    async throws
  {
    let folder = try TestFolder()
    let address = try TestDatabase.address()
    let world = try await World.make(.folder(folder.path))
    let early = try ServerAdministration(folder.path, environment: Self.environment)
    _ = try await Self.migration(.folder(folder.path), .database(address)).run()
    await #expect {
      try await early.removeAccount(world.ada.account)
    } throws: { ($0 as? SyncError)?.code == .serverMoved }
    try await early.close()
  }

  @Test(arguments: [false, true])
  func `servers and commands are told at once that data are being moved`(isBack: Bool) async throws
  {
    let folder = try TestFolder()
    let address = try TestDatabase.address()
    let places = [ServerMigration.Place.folder(folder.path), .database(address)]
    let (from, to) = isBack ? (places[1], places[0]) : (places[0], places[1])
    _ = try await World.make(from)
    let early = try isBack ? nil : ServerAdministration(folder.path, environment: Self.environment)
    let isThere = Mutex(false)
    let mayGoOn = Mutex(false)
    let move = Task {
      try await Self.migration(from, to).run { progress in
        guard progress.step == .copying, progress.done == 500 else { return }
        isThere.withLock { $0 = true }
        for _ in 0..<6_000 where !mayGoOn.withLock({ $0 }) { usleep(10_000) }
      }
    }
    #expect(try await ServerPair.wait { isThere.withLock { $0 } })
    func refuses(_ words: String, _ body: () async throws -> Void) async {
      await #expect {
        try await body()
      } throws: { error in
        let error = error as? SyncError
        return error?.code == .serverMoved && error?.message.contains("being moved to") == true
          && error?.message.contains(words) == true && error?.hint != nil
      }
    }
    // Both places say where the data go.
    let goal = isBack ? folder.path : "\(address)"
    await refuses(goal) { _ = try ServerDatabase(folder.path, environment: Self.environment) }
    await refuses(goal) { _ = try ServerDatabase(address, environment: Self.environment) }
    await refuses(goal) { _ = try ServerAdministration(address, environment: Self.environment) }
    if let early {
      await refuses(goal) { _ = try await early.makeAccount("Carl") }
      await refuses(goal) {
        _ = try ServerAdministration(folder.path, environment: Self.environment)
      }
      await refuses(goal) { _ = try await Self.migration(from, to).run() }
    }
    mayGoOn.withLock { $0 = true }
    #expect(try await move.value.segments == 1_120)
    try await early?.close()
    #expect(try await Self.accounts(to) == 2)
  }

  @Test func `bodies in a bucket stay there, and what the old place lacks then comes again`()
    async throws
  {
    let bucket = try TestBucket()
    let folder = try TestFolder()
    let (old, new) = (
      ServerMigration.Place.folder(folder.path),
      .database(try TestDatabase.address())
        as ServerMigration.Place
    )
    var world = try await World.make(old, bucket)
    #expect(try await bucket.names().count == 20)
    let ada = world.ada
    // One that was being stored when the server was stopped.
    try await Self.serve(old, bucket) { place, _ in
      _ = try await (place.storage as? ServerDatabase)?.deposit(
        [.checked(TestSegments(zone: "late").noise(1, size: 70_000))], in: Contract.domain,
        ada.asks(.sync))
    }
    #expect(try await bucket.names().count == 21)
    #expect(try await Self.migration(old, new).run().segments == 1_120)
    // Without the bucket, and with another one, there is no start.
    try await Self.serve(new) { place, _ in
      await #expect(throws: SyncError.self) {
        try await (place.storage as? ServerDatabase)?.requireNoLargeBodies()
      }
      await #expect(throws: SyncError.self) {
        try await (place.storage as? ServerDatabase)?.keepLargeBodies(
          in: bucket.blobs(in: MotoServer.otherBucket))
      }
    }
    try await world.goesOn(new, with: 2_001, bucket)
    try await Self.serve(new, bucket) { place, administration in
      let page = try await Contract.feed(ada, place)
      let large = page.segments.filter { $0.size > 65_536 }
      #expect(large.count == 20)
      let bodies = try await place.storage.fetch(
        large.map(\.cursor), of: Contract.domain, upTo: 64 << 20, ada.asks(.read))
      #expect(bodies.allSatisfy { $0?.count ?? 0 > 65_536 })
      // The upload that was cut off is cleared away here.
      #expect(try await ServerPair.wait { try await bucket.names().count == 20 })
      try await place.storage.erase("big", of: Contract.domain, Confirmations(), ada.asks(.sync))
      #expect(try await ServerPair.wait { try await bucket.names().isEmpty })
    }
    let opened = try await ServerMigration.cancel(old)
    #expect(opened?.hasBodiesInBucket == true)
    try await Self.serve(old, bucket) { place, administration in
      let findings = try await administration.check()
      #expect(findings.damaged.count == 20 && findings.other == [], "\(findings.other)")
      #expect(findings.damaged.allSatisfy { $0.problem == SegmentAudit.lost })
      #expect(try await administration.clear(findings.damaged) == 20)
      let again = try await Contract.store(
        [TestSegments(zone: "big").noise(1, size: 70_000)], ada, place)
      #expect(again.map(\.status) == [.stored])
      #expect(try await bucket.names().count == 1)
      #expect(try await administration.check().problems == [])
    }
  }

  @Test func `a full disk is no end of a move, and the place that was left is open again`()
    async throws
  {
    guard let disk = try SmallServerDisk() else { return }
    let database = ServerMigration.Place.database(try TestDatabase.address())
    var world = try await World.make(database)
    let folder = "\(disk.path)/new"
    for _ in 0..<2 {
      await #expect(throws: SyncError.self) {
        _ = try await Self.migration(database, .folder(folder)).run()
      }
    }
    let last = try TestFolder()
    _ = try await Self.migration(database, .folder(last.path)).run()
    try await world.goesOn(.folder(last.path), with: 2_001)
  }

  @Test func `what a cut-off move has left does not stay, and stray files are refused`()
    async throws
  {
    let (first, last, stray) = (try TestFolder(), try TestFolder(), try TestFolder())
    var world = try await World.make(.folder(first.path))
    _ = try ServerFile.prepare("\(last.path)/migrate-draft")
    _ = try await Self.migration(.folder(first.path), .folder(last.path)).run()
    try await world.goesOn(.folder(last.path), with: 2_001)
    #expect(!POSIX.isTaken("\(last.path)/migrate-draft"))
    try POSIX.makePrivateFile("\(stray.path)/server.sqlite-wal")
    await #expect {
      _ = try await Self.migration(.folder(last.path), .folder(stray.path)).run()
    } throws: { ($0 as? SyncError)?.code == .inputInvalid }
  }
}

/// A disk on which the log of a move has room and its file has not, where the system lets the test mount one.
private final class SmallServerDisk {
  let path: String

  init?() throws {
    path = try placeFolder()
    guard Self.run("mount -t tmpfs -o size=3200k,mode=700 tmpfs '\(path)' 2>/dev/null") else {
      return nil
    }
  }

  deinit { _ = Self.run("umount -l '\(path)' && rmdir '\(path)'") }

  private static func run(_ line: String) -> Bool { system(line) == 0 }
}
