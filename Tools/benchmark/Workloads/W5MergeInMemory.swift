import SyncKitFormats
import SyncKit
import SyncKitTesting

/// W5: two replicas in memory exchange the bytes of their changes.
extension Benchmark {
  mutating func mergeInMemory() throws {
    for _ in 0..<repetitions {
      try step("W5", "merge", "\(count)", "\(min(count, 10_000))")
      try step("W5", "merge", "\(count)", "\(count)")
    }
  }
}

/// The content of a step's process.
enum MergeStep {
  private static let operationsPerChange = 1_000

  static func run(count: Int, edits: Int) throws {
    let operations = try creations(count)
    var base = MemoryReplica(ReplicaID(high: 0, low: 1))
    try base.receive(base.send(operations), from: base.id)
    var a = base.fork(as: ReplicaID(high: 0, low: 2))
    var b = base.fork(as: ReplicaID(high: 0, low: 3))

    let fromA = try a.write(Self.edits(of: operations.prefix(edits), "status", "a was here"))
    let fromB = try b.write(Self.edits(of: operations.prefix(edits), "project", "b was here"))
    let start = POSIX.seconds()
    try a.receive(fromB, from: b.id)
    try b.receive(fromA, from: a.id)
    let time = POSIX.seconds() - start
    guard a.records == b.records else {
      throw SyncError(.failure, "Two replicas in memory are not the same after their merge.")
    }
    report("cloudsync", "merge \(edits) + \(edits) edits, both sides", time, "s")
    let size = a.send([operations[0]].map { edit($0, "note", "a note of usual length") })
    report("cloudsync", "one change", Double(size[0].count), "B")
  }

  private static func creations(_ count: Int) throws -> [RecordOperation] {
    var generator = RecordGenerator(seed: 1)
    let reader = RecordLine(CanonicalDomain())
    return try (0..<count).map { _ in
      let draft = try reader.draft(generator.next().serialized())
      let writes = draft.fields.flatMap { name, value in
        guard case .list(let elements) = value else {
          return [FieldWrite(name: name, value: value)]
        }
        return elements.map { FieldWrite(name: .element(of: name, $0), value: $0) }
      }
      return RecordOperation(
        .create, draft.collection, draft.id ?? "", writes.sorted { $0.name < $1.name })
    }
  }

  private static func edits(
    of operations: some Sequence<RecordOperation>, _ field: FieldName, _ value: Value
  ) -> [RecordOperation] {
    operations.map { edit($0, field, value) }
  }

  private static func edit(
    _ operation: RecordOperation, _ field: FieldName, _ value: Value
  ) -> RecordOperation {
    RecordOperation(
      .edit, operation.collection, operation.id,
      [
        FieldWrite(name: "modified", value: .instant(1_800_000_000_000)),
        FieldWrite(name: field, value: value),
      ])
  }

  /// Records in a dictionary, with the vector of the applied changes.
  private struct MemoryReplica {
    let id: ReplicaID
    private(set) var records: [RecordKey: RecordState] = [:]
    private var vector = VersionVector()

    init(_ id: ReplicaID) { self.id = id }

    func fork(as id: ReplicaID) -> MemoryReplica {
      var fork = MemoryReplica(id)
      fork.records = records
      fork.vector = vector
      return fork
    }

    /// The bytes of the next own changes with these operations.
    func send(_ operations: [RecordOperation]) -> [[UInt8]] {
      let batch = BatchID(from: .seeded(1))
      var context = vector
      context[id] = nil
      let first = (vector[id]?.seq ?? 0) + 1
      let starts = stride(from: 0, to: operations.count, by: operationsPerChange)
      return starts.enumerated().map { number, start in
        let end = min(start + operationsPerChange, operations.count)
        let time = Stamp.pack(milliseconds: 1_800_000_000_000 + Int64(number))
        let change = Change(
          stamp: Stamp(time: time, replica: id), batch: batch, context: context,
          operations: Array(operations[start..<end]))
        let isFirst = first == 1 && number == 0
        return change.encoded(
          series: id, after: isFirst ? VersionVector() : context, versions: { _ in 1 })
      }
    }

    mutating func write(_ operations: [RecordOperation]) throws -> [[UInt8]] {
      let bytes = send(operations)
      try receive(bytes, from: id)
      return bytes
    }

    mutating func receive(_ changes: [[UInt8]], from author: ReplicaID) throws {
      var context = VersionVector()
      for bytes in changes {
        let change = try bytes.reading { try Change(&$0, series: author, after: context) }
        context = change.context
        let dot = Dot(author, (vector[author]?.seq ?? 0) + 1)
        let origin = WriteContext(dot: dot, seen: context)
        for operation in change.operations {
          let key = RecordKey(collection: operation.collection, id: operation.id)
          records[key, default: RecordState()].apply(operation, stamp: change.stamp, in: origin)
        }
        vector[author] = Head(seq: dot.seq, hash: ContentHash(high: 0, low: dot.seq))
      }
    }
  }
}
