import RealPlaces
import SyncKit
import SyncKitTesting
import SyncWire
import Testing

@testable import SyncKitServer

@Suite struct PostgreSQLSchemaTests {
  private static let environment = PostgreSQLStorageTests.environment(VirtualClock())

  @Test func `servers that start at once on an empty database make its tables once`() async throws {
    let address = try TestDatabase.address()
    try await withThrowingTaskGroup(of: ServerDatabase.self) { group in
      for _ in 0..<4 {
        group.addTask { try ServerDatabase(address, environment: Self.environment) }
      }
      for try await storage in group { try await storage.close() }
    }
    let rows = try PostgreSQLServer.shared().run(
      "SELECT count(*) FROM schema_version; SELECT count(*) FROM epochs", in: address.text)
    #expect(rows == "1\n1\n")
  }

  @Test func `tables of a newer version are refused and left alone`() async throws {
    let address = try TestDatabase.address()
    try await ServerDatabase(address, environment: Self.environment).close()
    let place = try PostgreSQLServer.shared()
    try place.run("UPDATE schema_version SET version=99", in: address.text)
    #expect {
      try ServerDatabase(address, environment: Self.environment)
    } throws: { ($0 as? SyncError)?.code == .storeNewer }
    #expect(try place.run("SELECT version FROM schema_version", in: address.text) == "99\n")
  }

  @Test func `another program's tables are refused and left alone`() async throws {
    let address = try TestDatabase.address()
    let place = try PostgreSQLServer.shared()
    try place.run("CREATE TABLE schema_version(installed_rank int)", in: address.text)
    #expect {
      try ServerDatabase(address, environment: Self.environment)
    } throws: { ($0 as? SyncError)?.code == .storeDamaged }
    let tables = try place.run(
      "SELECT count(*) FROM pg_tables WHERE schemaname='public'", in: address.text)
    #expect(tables == "1\n")
  }

  @Test func `a reader starts over after a copy is put back, and not after a restart`()
    async throws
  {
    let place = try PostgreSQLServer()
    let folder = try TestFolder()
    let clock = VirtualClock()
    let address = try PostgreSQLAddress(try place.database())
    var kept: ServerStorageContract.Person?
    func store(_ number: UInt64, _ storage: ServerDatabase) async throws {
      guard let ada = kept else { return }
      _ = try await storage.store(
        [.checked(try TestSegments().segment(number))], in: TestSegments.domain, ada.asks(.sync))
    }
    func feed(_ page: FeedPage?, _ storage: ServerDatabase) async throws -> FeedPage {
      guard let ada = kept else { throw TestFailure("there is no person") }
      return try await storage.feed(
        TestSegments.domain, FeedQuestion(epoch: page?.epoch, after: page?.cursor ?? 0),
        ada.asks(.read))
    }
    var pages: [FeedPage] = []
    try await PostgreSQLStorageTests.run(clock: clock, on: address) { storage, administration in
      kept = try await ServerStorageContract.person(
        SQLiteServerStorageTests.place(storage, administration, clock), "Ada")
      try await store(1, storage)
      pages.append(try await feed(nil, storage))
      try place.dump(address.text, to: "\(folder.path)/copy")
      try await store(2, storage)
      pages.append(try await feed(pages[0], storage))
      #expect(pages[1].segments.map(\.first) == [2])
      place.stopAtOnce()
      try place.start()
      var found: FeedPage?
      #expect(
        try await ServerPair.wait {
          found = try? await feed(pages[1], storage)
          return found != nil
        })
      let after = try #require(found)
      #expect(after.isContinuation, "a restart loses a position")
      #expect(after.epoch != pages[1].epoch)
    }
    let restored = try PostgreSQLAddress(try place.database())
    try place.restore("\(folder.path)/copy", into: restored.text)
    try await PostgreSQLStorageTests.run(clock: clock, on: restored) { storage, _ in
      let early = try await feed(pages[0], storage)
      #expect(early.isContinuation, "what was read before the copy still stands")
      // Others come first, and take the numbers that the lost segment had.
      try await store(3, storage)
      try await store(4, storage)
      let late = try await feed(pages[1], storage)
      #expect(!late.isContinuation, "a restored server goes on behind what it has lost")
      #expect(late.segments.map(\.first) == [1, 3, 4])
    }
    place.stop()
  }

  @Test func `values and places of a statement are those of SQLite`() throws {
    #expect(PostgreSQLText.numbered("a=? AND b=?") == "a=$1 AND b=$2")
    #expect(PostgreSQLText.numbered("a=?2 AND b='?' AND c=?") == "a=$2 AND b='?' AND c=$3")
    #expect(PostgreSQLText.numbered("\"?\"=?12") == "\"?\"=$12")
  }

  @Test func `news of many places goes in several texts, and comes as it went`() {
    var news = StorageNews()
    for number in 0..<1_000 {
      news.places.insert(.init(account: "account\(number)", domain: "domain"))
      news.endedTokens.insert("token\(number)")
    }
    let texts = PostgreSQLWord.texts(news, from: "me")
    #expect(texts.count > 1 && texts.allSatisfy { $0.utf8.count < 8_000 })
    var heard = StorageNews()
    for text in texts {
      let (sender, part) = PostgreSQLWord.read(text)
      #expect(sender == "me")
      heard.formUnion(part)
    }
    #expect(heard == news)
    #expect(PostgreSQLWord.texts(StorageNews(), from: "me") == ["me"])
    #expect(
      PostgreSQLWord.read("me\nz later\np a b").news.places == [.init(account: "a", domain: "b")])
  }
}
