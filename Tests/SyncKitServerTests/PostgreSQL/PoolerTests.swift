import RealPlaces
import SyncKit
import SyncKitTesting
import SyncWire
import Testing

@testable import SyncKitServer

/// Servers whose transactions go through PgBouncer in transaction mode, and whose sessions go to PostgreSQL itself.
@Suite struct PoolerTests {
  private typealias Contract = ServerStorageContract

  private static let environment = PostgreSQLStorageTests.environment(VirtualClock())

  @Test(arguments: ServerStorageContract.checks + ServerStorageContract.removalChecks)
  func `it keeps what every storage promises`(
    check: ContractCheck<ServerStorageContract>
  ) async throws {
    let clock = VirtualClock()
    try await PostgreSQLStorageTests.run(clock: clock, on: TestDatabase.pooled()) {
      storage, administration in
      try await check(
        ServerStorageContract { SQLiteServerStorageTests.place(storage, administration, clock) })
      let findings = try await administration.check()
      #expect(findings.problems == [], "\(findings.problems)")
    }
  }

  @Test func `pushes through two servers have one order, and each hears of the other's`()
    async throws
  {
    try await ServerPair.run(at: TestDatabase.pooled()) { pair in
      let ada = try await pair.person("Ada")
      let listener = try #require(
        pair.second.news.listen(try await pair.second.storage.identity(ada.asks(.read))))
      _ = try await Contract.store([TestSegments().segment(1)], ada, pair.place(pair.first))
      #expect(await listener.next() == .news([Contract.domain], id: 1))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 1...8 {
          group.addTask {
            let made = TestSegments(series: ReplicaID(high: UInt64(writer), low: 1))
            for number in 1...20 {
              let state = (writer + number).isMultiple(of: 2) ? pair.first : pair.second
              _ = try await Contract.store([made.segment(UInt64(number))], ada, pair.place(state))
              _ = try await Contract.feed(ada, pair.place(state), limit: 5)
            }
          }
        }
        try await group.waitForAll()
      }
      let page = try await Contract.feed(ada, pair.place(pair.second))
      #expect(page.segments.map(\.cursor) == Array(1...161))
    }
  }

  @Test func `a token that one server ends is refused by the other within a second`() async throws {
    try await ServerPair.run(at: TestDatabase.pooled()) { pair in
      let ada = try await pair.person("Ada")
      let made = try await pair.first.storage.makeToken("Program", .read, expires: nil, ada.asks())
      let token = try #require(made.secret.flatMap { TokenText($0) })
      let program = Contract.Person(account: ada.account, token: token)
      for _ in 0..<3 { _ = try await pair.second.storage.identity(program.asks(.read)) }
      _ = try await pair.first.storage.revoke(token: token.id, ada.asks())
      try await Task.sleep(for: .seconds(1))
      await #expect(throws: WireError.self) {
        _ = try await pair.second.storage.identity(program.asks(.read))
      }
    }
  }

  @Test func `a transaction brings its settings along and leaves none behind`() async throws {
    let database = try PostgreSQLServer.shared().database()
    // With a single connection, each client gets what the last one has left.
    let pooler = try PgBouncer(before: .shared(), connections: 1)
    let address = try TestDatabase.pooled(database, by: pooler)
    try await PostgreSQLStorageTests.run(on: address) { storage, _ in
      @Sendable func settings(_ tables: ServerTables) throws -> [String] {
        try tables.all(
          """
          SELECT current_setting(name) FROM unnest(ARRAY['application_name', 'lock_timeout',
            'idle_in_transaction_session_timeout', 'synchronous_commit']) AS name
          """
        ) { try $0.text(0) }
      }
      try PostgreSQLServer.shared().run(
        "ALTER ROLE postgres IN DATABASE \(database.split(separator: "=").last ?? "") SET synchronous_commit=off",
        in: database)
      let note = RequestNote(clientAddress: "local")
      let named = "cloudsync-server \(note.trace)"
      let (read, written) = try await RequestNote.$current.withValue(note) {
        (try await storage.read(settings), try await storage.write(settings))
      }
      #expect(read.prefix(3) == [named, "15s", "5s"])
      #expect(written.prefix(3) == [named, "15s", "5s"])
      let other = try PostgreSQLSession(#require(address.pooled), isPooled: true)
      let left = try other.row(
        "SELECT current_setting('application_name'), current_setting('lock_timeout')")
      #expect(left == ["cloudsync-server", "0"])
      // A connection that is new has it from its role, so it is off but for the transaction that writes.
      try PostgreSQLServer.shared().run(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname=current_database() AND pid<>pg_backend_pid()
        """, in: database)
      #expect(
        try await ServerPair.wait {
          let written = try? await storage.write(settings).last
          let read = try? await storage.read(settings).last
          return written == "on" && read == "off"
        })
    }
    pooler.stop()
  }

  @Test(arguments: [PostgreSQLFailureTests.Way.killed, .stoppedAtOnce])
  func `a restart beneath the pooler begins an epoch, and nothing acknowledged is lost`(
    way: PostgreSQLFailureTests.Way
  ) async throws {
    let place = try PostgreSQLServer()
    let pooler = try PgBouncer(before: place)
    let address = try TestDatabase.pooled(place.database(), by: pooler)
    try await ServerPair.run(at: address) { pair in
      let ada = try await pair.person("Ada")
      let before = try await Contract.feed(ada, pair.place(pair.first))
      var stored: [UInt64] = []
      var epochs: Set<String> = [before.epoch]
      for round in 0..<3 {
        for number in 1...20 {
          let made = TestSegments(series: ReplicaID(high: UInt64(round + 1), low: 1))
          let state = number.isMultiple(of: 2) ? pair.first : pair.second
          var cursor: UInt64?
          let isStored = try await ServerPair.wait {
            cursor = try? await Contract.store(
              [made.segment(UInt64(number))], ada, pair.place(state))[0].cursor
            return cursor != nil
          }
          #expect(isStored, "the servers do not go on")
          stored.append(cursor ?? 0)
        }
        let page = try await Contract.feed(ada, pair.place(pair.second))
        epochs.insert(page.epoch)
        switch way {
        case .killed: place.kill()
        case .stoppedAtOnce: place.stopAtOnce()
        }
        try place.start()
      }
      var page: FeedPage?
      #expect(
        try await ServerPair.wait {
          page = try? await Contract.feed(
            ada, pair.place(pair.first), epoch: before.epoch, after: before.cursor)
          return page != nil
        })
      let found = try #require(page)
      #expect(found.isContinuation)
      #expect(found.segments.map(\.cursor) == stored)
      epochs.insert(found.epoch)
      #expect(epochs.count == 4, "\(epochs)")
    }
    pooler.stop()
    place.stop()
  }

  @Test func `a pooler in transaction mode is refused where sessions have to last`() async throws {
    let place = try PostgreSQLServer.shared()
    let database = try place.database()
    let pooler = try PgBouncer(before: place)
    let pooled = try PostgreSQLAddress(pooler.address(of: database))
    func refuses(_ remedy: String, _ body: () async throws -> Void) async {
      await #expect {
        try await body()
      } throws: { error in
        let error = error as? SyncError
        return error?.code == .configInvalid && error?.hint?.contains(remedy) == true
          && error?.message.contains("\(pooler.port)") == true
      }
    }
    await refuses("beside --store") {
      try await ServerDatabase(pooled, environment: Self.environment).close()
    }
    await refuses("--store-session lead to PostgreSQL itself") {
      try await ServerDatabase(pooled.through(pooled), environment: Self.environment).close()
    }
    await refuses("beside --store") {
      try await ServerAdministration(pooled, environment: Self.environment).close()
    }
    let folder = try TestFolder()
    let (storage, administration) = try SQLiteServerStorageTests.open(folder.path)
    _ = try await administration.makeAccount("Ada")
    try await administration.close()
    try await storage.close()
    await refuses("PostgreSQL itself") {
      _ = try await ServerMigration(
        from: .folder(folder.path), to: .database(pooled), environment: Self.environment
      ).run()
    }
    // Nothing of a server is there.
    #expect(
      try place.run("SELECT count(*) FROM pg_tables WHERE schemaname='public'", in: database)
        == "0\n")
    pooler.stop()
  }

  @Test func `a pooler in session mode is taken for PostgreSQL itself`() async throws {
    let place = try PostgreSQLServer.shared()
    let database = try place.database()
    let pooler = try PgBouncer(before: place, mode: .session, connections: 40)
    let address = try PostgreSQLAddress(pooler.address(of: database))
    try await ServerPair.run(at: address) { pair in
      let ada = try await pair.person("Ada")
      let listener = try #require(
        pair.second.news.listen(try await pair.second.storage.identity(ada.asks(.read))))
      _ = try await Contract.store([TestSegments().segment(1)], ada, pair.place(pair.first))
      #expect(await listener.next() == .news([Contract.domain], id: 1))
    }
    pooler.stop()
  }

  @Test func `a pooler that leads to another database is refused`() async throws {
    let one = try PostgreSQLServer.shared().database()
    let other = try PostgreSQLServer.shared().database()
    try await ServerDatabase(PostgreSQLAddress(other), environment: Self.environment).close()
    for database in [other, try PostgreSQLServer.shared().database()] {
      let address = try PostgreSQLAddress(one).through(
        PostgreSQLAddress(PgBouncer.shared().address(of: database)))
      #expect {
        try ServerDatabase(address, environment: Self.environment)
      } throws: { error in
        (error as? SyncError)?.code == .configInvalid
          && (error as? SyncError)?.message.contains("another database") == true
      }
    }
  }

  @Test
  func `what was moved away is refused at the next transaction, whatever becomes of the session`()
    async throws
  {
    let address = try TestDatabase.pooled()
    try await TestServer.run(over: address) { server in
      let ada = try await server.person("Ada")
      _ = try await server.push([TestSegments().segment(1)], ada.token)
      try PostgreSQLServer.shared().run(
        "INSERT INTO moves VALUES('m', 'source', 'the folder /elsewhere', 1, NULL)",
        in: address.text)
      var frames: [UInt8] = []
      SegmentFrames.append(try TestSegments().segment(2).bytes, to: &frames)
      let push = try await server.send(
        "POST", "/v1/domains/\(TestSegments.domain)/segments", token: ada.token, body: frames,
        type: WireProtocol.segments)
      #expect(push.status == 503 && push.headers["retry-after"] == "30", "\(push.status)")
      #expect(push.text.contains("being moved"), "\(push.text)")
      // What is remembered counts for a moment.
      #expect(
        try await ServerPair.wait {
          try await server.get("/v1/domains/\(TestSegments.domain)/feed?after=0", ada.token).status
            == 503
        })
      try PostgreSQLServer.shared().run("DELETE FROM moves", in: address.text)
      #expect(try await server.push([TestSegments().segment(2)], ada.token).count == 1)
    }
  }
}
