import RealPlaces
import SyncKit
import SyncKitTesting
import SyncWire
import Synchronization
import Testing

@testable import SyncKitServer

/// PostgreSQL is stopped in the middle: what was answered is there, and servers go on by themselves.
@Suite struct PostgreSQLFailureTests {
  private typealias Contract = ServerStorageContract

  /// What was acknowledged, by its cursor.
  private final class Ledger: Sendable {
    private let state = Mutex<(all: [UInt64: UInt64], isDone: Bool)>(([:], false))
    var all: [UInt64: UInt64] { state.withLock { $0.all } }
    var isDone: Bool { state.withLock { $0.isDone } }
    func note(_ cursor: UInt64, _ what: UInt64) { state.withLock { $0.all[cursor] = what } }
    func end() { state.withLock { $0.isDone = true } }
  }

  enum Way: CaseIterable, Sendable {
    case killed, stoppedAtOnce
  }

  @Test(arguments: Way.allCases)
  func `nothing that was acknowledged is lost when the database is stopped under pushes`(
    way: Way
  ) async throws {
    let place = try PostgreSQLServer()
    try await ServerPair.run(on: place) { pair in
      let ada = try await pair.person("Ada")
      let ledger = Ledger()
      let writers = (0..<6).map { writer in
        Task {
          let made = TestSegments(series: ReplicaID(high: UInt64(writer), low: 1))
          let state = writer.isMultiple(of: 2) ? pair.first : pair.second
          var number: UInt64 = 1
          var failures = 0
          while !ledger.isDone, number <= 5_000 {
            do {
              let results = try await Contract.store([made.segment(number)], ada, pair.place(state))
              // Once more after an error it may be known already.
              guard let cursor = results[0].cursor else { throw TestFailure("\(results)") }
              ledger.note(cursor, UInt64(writer) << 32 | number)
              number += 1
            } catch let error as SyncError where error.code.isRetryable {
              failures += 1
              try await Task.sleep(for: .milliseconds(20))
            }
          }
          return (stored: number - 1, failures: failures)
        }
      }
      for _ in 0..<3 {
        let before = ledger.all.count
        #expect(
          try await ServerPair.wait { ledger.all.count >= before + 100 },
          "the servers do not go on")
        switch way {
        case .killed: place.kill()
        case .stoppedAtOnce: place.stopAtOnce()
        }
        try place.start()
      }
      let before = ledger.all.count
      #expect(try await ServerPair.wait { ledger.all.count >= before + 100 })
      ledger.end()
      var stored: UInt64 = 0
      for writer in writers { stored += try await writer.value.stored }

      var page = try await Contract.feed(ada, pair.place(pair.second), limit: 5_000)
      var entries = page.segments
      while page.hasMore {
        page = try await Contract.feed(
          ada, pair.place(pair.second), epoch: page.epoch, after: page.cursor, limit: 5_000)
        entries += page.segments
      }
      let found = Dictionary(
        uniqueKeysWithValues: entries.map { ($0.cursor, $0.series.high << 32 | $0.first) })
      for (cursor, what) in ledger.all {
        #expect(found[cursor] == what, "segment \(cursor) is lost or another one")
      }
      #expect(UInt64(Set(found.values).count) == UInt64(entries.count), "one is there twice")
      #expect(entries.map(\.cursor) == Array(1...UInt64(entries.count)), "there is a gap")
      #expect(UInt64(entries.count) >= stored)
      let findings = try await pair.administration.check()
      #expect(findings.problems == [], "\(findings.problems)")
    }
    place.stop()
  }

  @Test func `a listener hears again after the database was away`() async throws {
    let place = try PostgreSQLServer()
    try await ServerPair.run(on: place) { pair in
      let ada = try await pair.person("Ada")
      _ = try await Contract.store([TestSegments().segment(1)], ada, pair.place(pair.first))
      let listener = try #require(
        pair.second.news.listen(try await pair.second.storage.identity(ada.asks(.read))))
      place.stopAtOnce()
      await #expect(throws: SyncError.self) { try await pair.first.storage.probe() }
      try place.start()
      // What was missed is not known, so it is told that anything may have come.
      #expect(await listener.next() == .news([Contract.domain], id: 1))
      #expect(try await ServerPair.wait { (try? await pair.first.storage.probe()) != nil })
      _ = try await Contract.store([TestSegments().segment(2)], ada, pair.place(pair.first))
      #expect(await listener.next() == .news([Contract.domain], id: 2))
    }
    place.stop()
  }

  @Test func `what PostgreSQL logs bears the trace of the request`() async throws {
    try await PostgreSQLStorageTests.run { storage, _ in
      @Sendable func name(_ tables: ServerTables) throws -> String? {
        try tables.first("SELECT current_setting('application_name')") { try $0.text(0) }
      }
      let note = RequestNote(clientAddress: "local")
      let (read, written) = try await RequestNote.$current.withValue(note) {
        (try await storage.read(name), try await storage.write(name))
      }
      #expect(read == "cloudsync-server \(note.trace)" && written == read)
      #expect(try await storage.read(name) == "cloudsync-server")
      #expect(storage.reading.engine == "postgresql" && storage.reading.isThere)
    }
  }

  @Test func `a database that is away is said to be, and costs no one long`() async throws {
    let place = try PostgreSQLServer()
    try await ServerPair.run(on: place) { pair in
      let ada = try await pair.person("Ada")
      place.stopAtOnce()
      // The first ones wait a moment for it.
      _ = try? await pair.first.storage.account(ada.asks(.read))
      let start = ContinuousClock.now
      for _ in 0..<20 {
        await #expect {
          _ = try await pair.first.storage.account(ada.asks(.read))
        } throws: { ($0 as? SyncError)?.code == .storeUnavailable }
      }
      #expect(start.duration(to: .now) < .seconds(10))
      try place.start()
      #expect(
        try await ServerPair.wait {
          (try? await pair.first.storage.account(ada.asks(.read))) != nil
        })
    }
    place.stop()
  }

  @Test func `a server that comes back while its data are being moved says so`() async throws {
    try await TestServer.run(over: PostgreSQLAddress(PostgreSQLServer.shared().database())) {
      server in
      let ada = try await server.person("Ada")
      let address = try #require((server.state.storage as? ServerDatabase)?.postgreSQL)
      // As after a restart of PostgreSQL: a move is there before the servers are again.
      let mover = try PostgreSQLSession(address.direct)
      let isAlone = try await ServerPair.wait {
        try mover.run(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname=current_database() AND pid<>pg_backend_pid()
          """)
        return try mover.row("SELECT pg_try_advisory_lock(\(PostgreSQLSchema.presence))") == ["t"]
      }
      #expect(isAlone)
      try mover.run("INSERT INTO moves VALUES('m', 'source', 'the folder /elsewhere', 1, NULL)")
      let answer = try await server.get("/v1/account", ada.token)
      #expect(answer.status == 503 && answer.headers["retry-after"] == "30", "\(answer.status)")
      #expect(answer.text.contains("being moved"), "\(answer.text)")
      try mover.run("DELETE FROM moves")
      try mover.run("SELECT pg_advisory_unlock(\(PostgreSQLSchema.presence))")
      #expect(
        try await ServerPair.wait { try await server.get("/v1/account", ada.token).status == 200 })
    }
  }
}
