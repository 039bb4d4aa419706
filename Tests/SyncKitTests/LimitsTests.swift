import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

/// Boxes in boxes, with room for much.
struct Boxes: SyncDomain {
  let schema = DomainSchema(
    "boxes",
    [
      RecordType(
        "box", parents: ["box"], isMovable: true,
        fields: [
          Field("label", .string, rebase: .localWins),
          Field("plan", .any),
          .group("shape", [Field("outline", .any), Field("scale", .int)]),
          Field("sketch", .any, isLocal: true),
          Field("note", .string, policy: KeepBothPolicy()),
          Field("page1", .string), Field("page2", .string), Field("page3", .string),
        ])
    ])
}

/// What is as deep, as long or as large as anything may be, and a little more.
struct LimitsTests {
  private let remote = InMemoryTransport()

  private func device(_ name: String) throws -> TestDevice {
    try TestDevice(name, remote, of: Boxes())
  }

  private func box(
    _ id: RecordID, in parent: RecordID? = nil, _ fields: [FieldName: Value] = [:]
  ) -> RecordDraft {
    RecordDraft(
      "box", id: id, parent: parent.map { RecordKey(collection: "box", id: $0) }, fields: fields)
  }

  private func nested(_ depth: Int) -> Value {
    (0..<depth).reduce(.int(1)) { value, _ in .list([value]) }
  }

  @Test(arguments: [("plan", 32), ("outline", 31), ("sketch", 31)] as [(FieldName, Int)])
  func `what no reader would take is refused, and the deepest value that it takes is kept`(
    field: FieldName, depth: Int
  ) async throws {
    let (a, b) = (try device("a"), try device("b"))
    let error = #expect(throws: SyncError.self) {
      try a.store.write { try $0.save(box("1", [field: nested(depth + 1)])) }
    }
    #expect(error?.code == .inputInvalid)
    try a.store.write { try $0.save(box("1", [field: nested(depth)])) }
    try a.store.write { try $0.save(box("1", ["label": "another", field: nested(depth - 1)])) }
    let batch = try #require(try a.store.history().first)
    _ = try a.store.undo(batch.id)
    #expect(try a.store.record("box", "1")?[field] == nested(field == "sketch" ? 30 : depth))
    for device in [a, b, a] { try await device.engine.syncNow() }
    #expect(try a.digests == b.digests)
    // A local field stays where it is.
    #expect(try b.store.record("box", "1")?[field] == (field == "sketch" ? .null : nested(depth)))
  }

  @Test func `a batch of many edits deep in a tree is sealed and read`() async throws {
    let (a, b) = (try device("a"), try device("b"))
    try a.store.write { transaction in
      for number in 0..<40 {
        let parent = number == 0 ? nil : RecordID("\(number - 1)")
        try transaction.save(box(RecordID("\(number)"), in: parent))
      }
    }
    try a.store.write { transaction in
      for number in 0..<991 { try transaction.save(box(RecordID("beside \(number)"))) }
      try transaction.save(box("39", ["label": "deep"]))
    }
    for device in [a, b, a] { try await device.engine.syncNow() }
    #expect(try b.store.record("box", "39")?["label"] == "deep")
    #expect(try b.store.history().first?.isComplete == true)
    #expect(try a.digests == b.digests)
    // The edit keeps all of its ancestors.
    try b.store.write { try $0.delete(RecordKey(collection: "box", id: "0")) }
    try a.store.write { transaction in
      for number in 0..<991 {
        try transaction.save(box(RecordID("beside \(number)"), ["label": "again"]))
      }
      try transaction.save(box("39", ["label": "deeper"]))
    }
    for device in [b, a, b] { try await device.engine.syncNow() }
    #expect(try b.store.record("box", "39")?.isDeleted == false)
  }

  @Test func `a tree may be deeper than a change is long`() async throws {
    let (a, b) = (try device("a"), try device("b"))
    let depth = Change.maximumOperations + 20
    try a.store.write { transaction in
      // From below: no edit reaches an ancestor that is not there yet.
      for number in (0..<depth).reversed() {
        let parent = number == 0 ? nil : RecordID("\(number - 1)")
        try transaction.save(box(RecordID("\(number)"), in: parent))
      }
    }
    let deepest = RecordID("\(depth - 1)")
    try a.store.write { try $0.save(box(deepest, ["label": "deep"])) }
    for device in [a, b, a] { try await device.engine.syncNow() }
    #expect(try b.store.record("box", deepest)?["label"] == "deep")
    #expect(try a.digests == b.digests)
  }

  /// So long that two of them have no room in a change.
  private func long(_ letter: String) -> Value {
    .string(String(repeating: letter, count: 600_000))
  }

  @Test
  func `a large value is replaced by another one, and what has no room is not undone to nothing`()
    async throws
  {
    let (a, b) = (try device("a"), try device("b"))
    try a.store.write { try $0.save(box("1", ["page1": long("a"), "page2": "short"])) }
    try a.store.write { try $0.save(box("1", ["page1": long("b"), "page2": "other"])) }
    for device in [a, b] { try await device.engine.syncNow() }
    #expect(try b.store.record("box", "1")?["page1"] == long("b"))
    let batch = try #require(try b.store.history().first)
    let from = Dictionary(
      batch.entries.map { ($0.field, $0.from) }, uniquingKeysWith: { first, _ in first })
    #expect(from["page1"] == .some(.null))
    #expect(from["page2"] == "short")
    #expect(try b.store.undo(batch.id).skipped == ["box/1 page1"])
    #expect(try b.store.record("box", "1")?["page1"] == long("b"))
    #expect(try b.store.record("box", "1")?["page2"] == "short")
    // What is too large by itself is refused as ever.
    let error = #expect(throws: SyncError.self) {
      try a.store.write { try $0.save(box("1", ["page1": long("c"), "page2": long("c")])) }
    }
    #expect(error?.code == .inputInvalid)
  }

  /// A box that is larger than a change, written page by page.
  private func library(_ device: TestDevice) throws -> RecordKey {
    for page in ["page1", "page2", "page3"] as [FieldName] {
      try device.store.write { try $0.save(box("1", [page: long("a")])) }
    }
    return RecordKey(collection: "box", id: "1")
  }

  @Test func `a record that is larger than a change comes back whole and goes again`() async throws
  {
    let (a, b) = (try device("a"), try device("b"))
    let key = try library(a)
    let pages: [FieldName] = ["page1", "page2", "page3"]
    try a.store.write { try $0.delete(key) }
    let restored = try #require(try a.store.restore(key).batch)
    for device in [a, b] { try await device.engine.syncNow() }
    for page in pages { #expect(try b.store.record(key)?[page] == long("a")) }
    #expect(try b.store.undo(restored).skipped.isEmpty)
    #expect(try b.store.record(key)?.isDeleted == true)
    let deletion = try #require(try b.store.history().first)
    #expect(try b.store.undo(deletion.id).skipped.isEmpty)
    for device in [b, a] { try await device.engine.syncNow() }
    for page in pages { #expect(try a.store.record(key)?[page] == long("a")) }
    #expect(try a.digests == b.digests)
  }

  @Test func `a large value that wins over a large one is written again`() async throws {
    let (a, b) = (try device("a"), try device("b"))
    try a.store.write { try $0.save(box("1", ["label": "x"])) }
    for device in [a, b] { try await device.engine.syncNow() }
    try a.store.write { try $0.save(box("1", ["label": long("a")])) }
    try b.store.write { try $0.save(box("1", ["label": long("b")])) }
    for device in [a, b, a] { try await device.engine.syncNow() }
    for device in [a, b] { #expect(try device.store.record("box", "1")?["label"] == long("b")) }
    #expect(try a.store.conflicts().isEmpty)
  }

  @Test func `a tree with a record larger than a change is published and withdrawn`() async throws {
    let a = try Phone("a", remote)
    let b = try Phone("b", remote)
    let name = "\(long("n").string ?? "")"
    try a.add("ada", name)
    try a.edit("ada", ["note": long("a")])
    try a.set(.synced, "ada")
    for phone in [a, b] { try await phone.engine.syncNow() }
    #expect(try b.person("ada")?["name"] == .string(name))
    #expect(try b.person("ada")?["note"] == long("a"))
    try b.edit("ada", ["note": long("b")])
    try a.set(.local, "ada")
    for phone in [a, b] { try await phone.engine.syncNow() }
    #expect(try a.person("ada")?["note"] == long("a"))
    #expect(try b.person("ada")?["name"] == .string(name))
    #expect(try b.person("ada")?["note"] == long("b"))
  }
}
