import CSyncKitSQLite
import FileTransport
import SQLiteStorage
import SegmentFormat
import SyncKit
import SyncKitRecords

/// W7: what an app does with typed records: writes, pages, and a list that follows a sync.
extension Benchmark {
  mutating func queries() throws {
    for _ in 0..<repetitions {
      let folder = scratch + "/w7"
      POSIX.remove(folder)
      try POSIX.makeFolder(folder)
      try step("W7", "queries", folder, "\(count)")
      for peer in candidates where peer.isPeer {
        let output = scratch + "/peer"
        _ = try peer.run("queries", folder + "/peer", "\(count)", output: output)
        try addLines("W7", of: output)
      }
    }
  }
}

/// A record of an app.
struct Card: SyncedRecord {
  var id = ""
  var title = ""
  var isDone = false
  var due = 0
  var note: String?

  static let schema = RecordSchema<Card>("card") {
    SyncedField("title", \.title)
    SyncedField("isDone", \.isDone)
    SyncedField("due", \.due)
    SyncedField("note", \.note)
    SyncedIndex(\.isDone, \.due)
  }

  /// The same cards for every candidate: every tenth is open, their dates come in no order.
  static func made(_ number: Int) -> Card {
    let mixed = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
    let text = String(mixed, radix: 16)
    return Card(
      id: "card-\(text)", title: "Card number \(number)", isDone: number % 10 != 0,
      due: Int(mixed >> 44), note: number % 3 == 0 ? "A note of some length, \(text)" : nil)
  }
}

/// The content of a step's process; see ``WriteStep``.
enum QueryStep {
  private static let pages = 200
  private static let pageSize = 50

  static func run(in folder: String, count: Int) async throws {
    let cards = (0..<count).map(Card.made)
    let store = try makeStore(folder + "/a.sqlite", "a")
    var start = POSIX.seconds()
    try store.write { transaction in
      for card in cards { try transaction.insert(card) }
    }
    report("cloudsync", "typed inserts", Double(count) / (POSIX.seconds() - start), "records/s")
    let page = RecordQuery(Card.self).where(\.isDone == false).order(by: \.due).limit(pageSize)
    try measurePages("cloudsync", "page of 50 by an index") { try store.fetch(page).count }
    let scan = RecordQuery(Card.self).where(\.isDone == false).order(by: \.title).limit(pageSize)
    start = POSIX.seconds()
    let found = try store.fetch(scan).count
    report("cloudsync", "page of 50 without", (POSIX.seconds() - start) * 1e3, "ms")
    guard found == min(pageSize, (count + 9) / 10) else { throw SyncError(.bug, "a page is short") }
    start = POSIX.seconds()
    _ = try store.count(RecordQuery(Card.self).where(\.isDone == false))
    report("cloudsync", "count of a tenth", (POSIX.seconds() - start) * 1e3, "ms")

    let floor = try CardFloor(at: folder + "/floor.sqlite")
    start = POSIX.seconds()
    try floor.insert(cards)
    report("floor", "typed inserts", Double(count) / (POSIX.seconds() - start), "records/s")
    measurePages("floor", "page of 50 by an index") { floor.page(pageSize) }
    try await measureObserver(store, folder)
  }

  private static func measurePages(
    _ candidate: String, _ measure: String, _ body: () throws -> Int
  ) rethrows {
    let times = try (0..<pages).map { _ in
      let start = POSIX.seconds()
      _ = try body()
      return POSIX.seconds() - start
    }
    report(candidate, measure, times.sorted()[pages / 2] * 1e3, "ms")
  }

  /// How often an observed list is read again while another device's records arrive.
  private static func measureObserver(_ store: SyncStore, _ folder: String) async throws {
    let other = try makeStore(folder + "/b.sqlite", "b")
    let engines = [store, other].map {
      let path = folder + "/remote"
      return SyncEngine(
        store: $0,
        remotes: [
          Remote(
            "folder", location: "file:\(path)",
            transport: FileTransport(path: path, createIfParentExists: true))
        ])
    }
    try await engines[0].syncNow()
    let page = RecordQuery(Card.self).where(\.isDone == false).order(by: \.due).limit(pageSize)
    let listening = Task {
      var results = 0
      for try await _ in other.observe(page) { results += 1 }
      return results
    }
    let start = POSIX.seconds()
    try await engines[1].syncNow()
    let seconds = POSIX.seconds() - start
    listening.cancel()
    let results = try await listening.value
    report(
      "cloudsync", "an observed page during a pull", Double(results) / max(seconds, 1), "results/s")
  }

  private static func makeStore(_ path: String, _ name: String) throws -> SyncStore {
    try SyncStore(
      RecordDomain("cards", Card.self), storage: SQLiteStorage(path: path),
      coding: DeflateSegmentCoding(), device: Device(id: name, name: name),
      environment: Replica.environment)
  }
}

/// The same cards in a table of SQLite with an index, and nothing else.
private final class CardFloor {
  private let database: OpaquePointer
  private let select: OpaquePointer

  init(at path: String) throws {
    var opened: OpaquePointer?
    guard sqlite3_open(path, &opened) == SQLITE_OK, let opened else {
      throw SyncError(.failure, "SQLite cannot open '\(path)'.")
    }
    database = opened
    let schema = """
      PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
      CREATE TABLE card(id TEXT PRIMARY KEY, title TEXT, isDone INT, due INT, note TEXT) WITHOUT ROWID;
      CREATE INDEX open ON card(isDone, due)
      """
    sqlite3_exec(database, schema, nil, nil, nil)
    var statement: OpaquePointer?
    sqlite3_prepare_v2(
      database, "SELECT * FROM card WHERE isDone=0 ORDER BY due, id LIMIT ?1", -1, &statement, nil)
    guard let statement else { throw SyncError(.bug, "a statement is invalid") }
    select = statement
  }

  deinit {
    sqlite3_finalize(select)
    sqlite3_close(database)
  }

  func insert(_ cards: [Card]) throws {
    var statement: OpaquePointer?
    sqlite3_prepare_v2(database, "INSERT INTO card VALUES(?1,?2,?3,?4,?5)", -1, &statement, nil)
    defer { sqlite3_finalize(statement) }
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    sqlite3_exec(database, "BEGIN IMMEDIATE", nil, nil, nil)
    for card in cards {
      sqlite3_bind_text(statement, 1, card.id, -1, copied)
      sqlite3_bind_text(statement, 2, card.title, -1, copied)
      sqlite3_bind_int64(statement, 3, card.isDone ? 1 : 0)
      sqlite3_bind_int64(statement, 4, Int64(card.due))
      if let note = card.note {
        sqlite3_bind_text(statement, 5, note, -1, copied)
      } else {
        sqlite3_bind_null(statement, 5)
      }
      guard sqlite3_step(statement) == SQLITE_DONE else {
        throw SyncError(
          .failure, "SQLite failed.", cause: String(cString: sqlite3_errmsg(database)))
      }
      sqlite3_reset(statement)
    }
    sqlite3_exec(database, "COMMIT", nil, nil, nil)
  }

  /// Reads a page as values; returns how many records it has.
  func page(_ size: Int) -> Int {
    sqlite3_bind_int64(select, 1, Int64(size))
    var cards: [Card] = []
    while sqlite3_step(select) == SQLITE_ROW {
      func text(_ column: Int32) -> String? {
        sqlite3_column_text(select, column).map { String(cString: $0) }
      }
      cards.append(
        Card(
          id: text(0) ?? "", title: text(1) ?? "", isDone: sqlite3_column_int64(select, 2) != 0,
          due: Int(sqlite3_column_int64(select, 3)), note: text(4)))
    }
    sqlite3_reset(select)
    return cards.count
  }
}
