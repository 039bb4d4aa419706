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

  private func box(_ id: Name, in parent: Name? = nil, _ fields: [Name: Value] = [:]) -> RecordDraft
  {
    RecordDraft(
      "box", id: id, parent: parent.map { RecordKey(collection: "box", id: $0) }, fields: fields)
  }

  private func nested(_ depth: Int) -> Value {
    (0..<depth).reduce(.int(1)) { value, _ in .list([value]) }
  }

  @Test(arguments: [("plan", 32), ("outline", 31), ("sketch", 31)] as [(Name, Int)])
  func `what no reader would take is refused, and the deepest value that it takes is kept`(
    field: Name, depth: Int
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
        let parent = number == 0 ? nil : Name("\(number - 1)")
        try transaction.save(box(Name("\(number)"), in: parent))
      }
    }
    try a.store.write { transaction in
      for number in 0..<991 { try transaction.save(box(Name("beside \(number)"))) }
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
        try transaction.save(box(Name("beside \(number)"), ["label": "again"]))
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
      // From below: nobody edits an ancestor that is not there yet.
      for number in (0..<depth).reversed() {
        let parent = number == 0 ? nil : Name("\(number - 1)")
        try transaction.save(box(Name("\(number)"), in: parent))
      }
    }
    let deepest = Name("\(depth - 1)")
    try a.store.write { try $0.save(box(deepest, ["label": "deep"])) }
    for device in [a, b, a] { try await device.engine.syncNow() }
    #expect(try b.store.record("box", deepest)?["label"] == "deep")
    #expect(try a.digests == b.digests)
  }
}
