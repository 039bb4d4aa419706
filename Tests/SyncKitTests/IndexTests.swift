import SegmentFormat
import SyncKitTesting
import Synchronization
import Testing

@testable import SyncKitEngine
@testable import SyncKitModel
@testable import SyncKitStore

/// The domain of these tests with any indexes.
private struct Tasks: SyncDomain {
  let schema: DomainSchema

  init(_ indexes: [RecordIndex], policy: any ConflictPolicy = NewestPolicy()) {
    schema = DomainSchema(
      "tasks",
      [
        RecordType("list", placement: .root, fields: [Field("name", .string)]),
        RecordType(
          "task", placement: .parent, parents: ["list", "task"], isMovable: true,
          fields: [
            Field("title", .string, policy: KeepBothPolicy()), Field("rank", .double),
            Field("due", .instant), Field("done", .bool), Field("tags", .set),
            Field("diary", .string, isLocal: true),
            .group("state", policy: policy, [Field("color", .string), Field("size", .int)]),
          ]
        ).indexed(by: indexes),
      ])
  }
}

private let done = RecordIndex.Part("done", unset: false)
private let indexes = [
  RecordIndex([done, .init("due")]),
  RecordIndex(byParent: true, [.init("rank")]),
  RecordIndex([.init("title")]),
  RecordIndex([.init("color", unset: "red"), .init("size"), .init("rank")]),
]

/// Random edits of a few lists and tasks.
private struct Editor {
  var random: SeededRandom
  private let titles = ["", "a", "ab", "b", "b\u{0}", "c"]
  private let colors = ["red", "green", "blue"]

  mutating func edit(_ device: TestDevice) throws {
    let store = device.store
    let lists = try store.records("list").map(\.key)
    let tasks = try store.records("task", includingDeleted: true).map(\.key)
    switch Int.random(in: 0..<14, using: &random) {
    case 0 where lists.count < 3, _ where lists.isEmpty:
      try store.write { transaction in
        try transaction.save(RecordDraft("list", fields: ["name": "list"]))
      }
    case 1 where !tasks.isEmpty:
      let key = random.one(of: tasks)
      _ = try? store.write { try $0.delete(key) }
    case 2 where lists.count > 1: try store.write { try $0.delete(random.one(of: lists)) }
    case 3:
      if let batch = try store.history().randomElement(using: &random) {
        _ = try? store.undo(batch.id)
      }
    case 4 where !tasks.isEmpty: _ = try? store.restore(random.one(of: tasks))
    case 8: _ = try? store.setScope(random.chance(50) ? .local : .synced, of: random.one(of: lists))
    case 5...7 where !tasks.isEmpty:
      let key = random.one(of: tasks)
      let fields = fields()
      _ = try? store.write { try $0.edit(key, fields) }
    default:
      let parent = random.one(of: lists)
      let fields = fields()
      try store.write { try $0.save(RecordDraft("task", parent: parent, fields: fields)) }
    }
  }

  private mutating func fields() -> [FieldName: Value] {
    var fields: [FieldName: Value] = [:]
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      switch Int.random(in: 0..<7, using: &random) {
      case 0: fields["title"] = .string(random.one(of: titles))
      case 1: fields["rank"] = random.one(of: [.null, 1, .double(1), .double(1.5), 2, -3])
      case 2: fields["due"] = random.one(of: [.null, .instant(1), .instant(2), .instant(30)])
      case 3: fields["done"] = random.one(of: [.null, true, false])
      case 4: fields["color"] = .string(random.one(of: colors))
      case 5: fields["size"] = .int(Int64.random(in: 0..<4, using: &random))
      default: fields["tags"] = .list([.string(random.one(of: colors))])
      }
    }
    return fields
  }

  mutating func query(_ lists: [Record]) -> StoredQuery {
    var query = StoredQuery("task")
    if let list = lists.randomElement(using: &random), random.chance(40) {
      query.parent = ("list", list.key.id)
    }
    if random.chance(80) { query.condition = condition(depth: 2) }
    if random.chance(70) {
      let isDescending = random.chance(50)
      for part in random.one(of: orders) {
        query.order.append(.init(part, isDescending: random.chance(10) != isDescending))
      }
    }
    if random.chance(50) { query.limit = Int.random(in: 0...5, using: &random) }
    return query
  }

  private let orders: [[RecordIndex.Part]] = [
    [.init("due")], [done, .init("due")], [.init("rank")], [.init("title")],
    [.init("size"), .init("rank")],
    [.init("tags")],
  ]

  private mutating func condition(depth: Int) -> FieldCondition {
    let kind = Int.random(in: 0..<(depth > 0 ? 12 : 9), using: &random)
    let comparison: FieldCondition.Comparison = random.one(
      of: [.equal, .equal, .equal, .less, .atMost, .greater, .atLeast])
    switch kind {
    case 0:
      return .comparison(
        .init("due"), comparison, random.one(of: [.null, .instant(2), .instant(9)]))
    case 1, 2: return .comparison(done, .equal, .bool(random.chance(50)))
    case 3: return .comparison(.init("rank"), comparison, random.one(of: [1, .double(1.5), .null]))
    case 4: return .comparison(.init("title"), comparison, .string(random.one(of: titles)))
    case 5: return .comparison(.init("title"), .prefix, .string(random.one(of: titles)))
    case 6:
      return .comparison(.init("color", unset: "red"), comparison, .string(random.one(of: colors)))
    case 7:
      return .comparison(.init("size"), comparison, .int(Int64.random(in: 0..<4, using: &random)))
    case 8: return .comparison(.init("tags"), .contains, "red")
    case 9:
      return .any([
        .comparison(.init("color", unset: "red"), .equal, "green"),
        .comparison(.init("color", unset: "red"), .equal, .string(random.one(of: colors))),
      ])
    case 10: return .not(condition(depth: depth - 1))
    default: return .all([condition(depth: depth - 1), condition(depth: depth - 1)])
    }
  }
}

/// What queries give with indexes and without.
private func expectSameAnswers(
  _ storage: InMemoryStorage, _ editor: inout Editor, _ count: Int,
  _ indexes: [RecordIndex] = indexes
) throws {
  let indexed = try TestDevice("a", of: Tasks(indexes), storage: InMemoryStorage(copying: storage))
    .store
  let plain = try TestDevice("a", of: Tasks([]), storage: InMemoryStorage(copying: storage)).store
  #expect(try indexed.read { try $0.hasIndexes() })
  let lists = try plain.records("list")
  for _ in 0..<count {
    let query = editor.query(lists)
    let (found, expected) = (try indexed.records(query), try plain.records(query))
    #expect(found.map(\.key) == expected.map(\.key), "\(query)")
    #expect(try indexed.count(query) == expected.count)
  }
  #expect(try indexed.verify().flatMap(\.problems) == [])
}

@Suite struct Indexes {
  @Test(arguments: UInt64(0)..<15)
  func `a query finds with an index what it finds without`(seed: UInt64) async throws {
    let remote = InMemoryTransport()
    let clock = VirtualClock()
    let devices = try ["a", "b"].map {
      try TestDevice($0, remote, of: Tasks(indexes), clock: clock)
    }
    var editor = Editor(random: SeededRandom(seed: seed))
    for round in 0..<6 {
      for device in devices { for _ in 0..<12 { try editor.edit(device) } }
      if round.isMultiple(of: 2) {
        for device in devices + [devices[0]] { try await device.engine.syncNow() }
      }
    }
    for device in devices {
      #expect(try device.store.verify().flatMap(\.problems) == [])
      try expectSameAnswers(device.storage, &editor, 60)
    }
  }

  @Test func `an index is built for records that are there, and again when it changes`() throws {
    var editor = Editor(random: SeededRandom(seed: 3))
    let storage = InMemoryStorage()
    let device = try TestDevice("a", of: Tasks([]), storage: storage)
    for _ in 0..<80 { try editor.edit(device) }
    try expectSameAnswers(storage, &editor, 30)
    let other = [RecordIndex([.init("size")]), RecordIndex([.init("title"), done])]
    try expectSameAnswers(storage, &editor, 30, other)
    _ = try TestDevice("a", of: Tasks(indexes), storage: storage)
    try expectSameAnswers(storage, &editor, 30, other)
    let blue = [RecordIndex([.init("color", unset: "blue")])]
    _ = try TestDevice("a", of: Tasks(blue), storage: storage)
    let later = try TestDevice("a", of: Tasks(blue, policy: ExtremePolicy.max), storage: storage)
    #expect(try later.store.verify().flatMap(\.problems) == [])
  }

  @Test func `versions with other indexes may write one store in turns`() throws {
    var editor = Editor(random: SeededRandom(seed: 4))
    let storage = InMemoryStorage()
    let versions = try [[], indexes, [RecordIndex([.init("size")])]].map {
      try TestDevice("a", of: Tasks($0), storage: storage)
    }
    for round in 0..<30 {
      for _ in 0..<3 { try editor.edit(versions[round % 3]) }
      // The one that has just written may answer from its index, the others must not.
      for version in versions {
        let query = editor.query([])
        let plain = try versions[0].store.records(query)
        #expect(try version.store.records(query).map(\.key) == plain.map(\.key))
        #expect(try version.store.verify().flatMap(\.problems) == [])
      }
    }
    try expectSameAnswers(storage, &editor, 30)
  }

  @Test func `a store without indexes writes no row of one`() throws {
    var editor = Editor(random: SeededRandom(seed: 5))
    let device = try TestDevice("a", of: Tasks([]))
    for _ in 0..<40 { try editor.edit(device) }
    #expect(try device.storage.read { try $0.entries(.index) }.isEmpty)
    #expect(try device.storage.read { try $0.get(.meta, Keys.indexes) } == nil)
  }

  @Test func `what an index lacks or has too much is found, and built again`() throws {
    var editor = Editor(random: SeededRandom(seed: 6))
    let storage = InMemoryStorage()
    let device = try TestDevice("a", of: Tasks(indexes), storage: storage)
    for _ in 0..<60 { try editor.edit(device) }
    let rows = try storage.read { try $0.entries(.index) }
    try storage.write { try $0.delete(.index, rows[3].key) }
    #expect(try device.store.verify().flatMap(\.problems).count == 1)
    try device.store.rebuildIndexes()
    #expect(try device.store.verify().flatMap(\.problems) == [])
    #expect(try storage.read { try $0.entries(.index) }.map(\.key) == rows.map(\.key))
    try storage.write { try $0.put(.index, rows[3].key + [7], rows[3].value) }
    #expect(try device.store.verify().flatMap(\.problems).count == 1)
    // A row that leads nowhere is met by the query: it is answered from the records.
    let whole = try device.store.records(StoredQuery("task")).map(\.key)
    var query = StoredQuery("task")
    query.condition = .comparison(done, .equal, false)
    query.order = [.init(.init("due"), isDescending: false)]
    let expected = try TestDevice(
      "a", of: Tasks([]), storage: InMemoryStorage(copying: storage)
    ).store.records(query).map(\.key)
    #expect(try device.store.records(query).map(\.key) == expected)
    #expect(try device.store.verify().flatMap(\.problems) == [] && !whole.isEmpty)
  }

  @Test func `an index that cannot be kept is named, and never used`() async throws {
    let wrong = [
      RecordIndex([.init("diary")]), RecordIndex([.init("tags")]), RecordIndex([.init("none")]),
      RecordIndex([]), RecordIndex([.init("state")]),
    ]
    let device = try TestDevice("a", of: Tasks(wrong))
    #expect(device.store.rules.indexes.isEmpty)
    let found = try await DomainContract(drafts: []).violations(of: Tasks(wrong))
    #expect(found.count(where: { $0.contains("An index of task cannot be kept") }) == wrong.count)
  }

  @Test func `a page is read from an index, and not from all records`() throws {
    let storage = CountingStorage()
    let store = try SyncStore(
      Tasks(indexes), storage: storage, coding: DeflateSegmentCoding(),
      device: Device(id: "a", name: "a"), environment: .seeded(9))
    let list = RecordKey(zone: .home, collection: "list", id: "l")
    try store.write { transaction in
      let parent = try transaction.save(
        RecordDraft("list", id: list.id, fields: ["name": "l"])
      ).key
      for number in 0..<2_000 {
        try transaction.save(
          RecordDraft(
            "task", parent: parent,
            fields: [
              "due": .instant(Int64(number)), "rank": .double(Double(number)),
              "done": .bool(number % 2 == 0),
            ]))
      }
    }
    func reads(_ query: StoredQuery) throws -> (found: Int, reads: Int) {
      storage.reads.withLock { $0 = 0 }
      return try (store.records(query).count, storage.reads.withLock { $0 })
    }
    for isDescending in [false, true] {
      var page = StoredQuery("task")
      page.condition = .comparison(done, .equal, true)
      page.order = [.init(.init("due"), isDescending: isDescending)]
      page.limit = 50
      let (found, count) = try reads(page)
      #expect(found == 50 && count < 300)
      var children = StoredQuery("task")
      children.parent = ("list", list.id)
      children.condition = .comparison(.init("rank"), .atLeast, 1_990)
      children.order = [.init(.init("rank"), isDescending: isDescending)]
      let few = try reads(children)
      #expect(few.found == 10 && few.reads < 100)
    }
    var one = StoredQuery("task")
    one.condition = .comparison(.init("due"), .equal, .instant(7))
    #expect(try reads(one).reads > 2_000, "no index has the date alone")
    one.condition = .all([
      .comparison(.init("due"), .equal, .instant(7)),
      .any([.comparison(done, .equal, true), .comparison(done, .equal, false)]),
    ])
    let few = try reads(one)
    #expect(few.found == 1 && few.reads < 50)
  }
}

/// Counts the rows that are read, in memory.
private final class CountingStorage: Storage {
  private let inner = InMemoryStorage()
  let reads = Mutex(0)
  var fingerprint: String? { nil }

  func read<T>(_ body: (any StorageReader) throws -> T) throws -> T {
    try inner.read { try body(Reader(inner: $0, storage: self)) }
  }
  func write<T>(_ body: (any StorageWriter) throws -> T) throws -> T { try inner.write(body) }

  private struct Reader: StorageReader {
    let inner: any StorageReader
    let storage: CountingStorage

    private func count() { storage.reads.withLock { $0 += 1 } }

    func get(_ table: Table, _ key: [UInt8]) throws -> [UInt8]? {
      count()
      return try inner.get(table, key)
    }

    func scan(
      _ table: Table, prefix: [UInt8], after: [UInt8]?,
      _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
    ) throws {
      try inner.scan(table, prefix: prefix, after: after) {
        count()
        return try body($0, $1)
      }
    }

    func scanBackward(
      _ table: Table, prefix: [UInt8], before: [UInt8]?,
      _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
    ) throws {
      try inner.scanBackward(table, prefix: prefix, before: before) {
        count()
        return try body($0, $1)
      }
    }
  }
}
