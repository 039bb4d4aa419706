import SyncKit
import SyncKitTesting
import Testing

/// A few changes written by hand: their authors, content, and the others they had seen.
///
/// Asking for a record checks on the way that a replica arrives at what the model says, whatever
/// the order of delivery; so each story is a test of the model and of the merge.
struct Story {
  private(set) var entries: [RandomHistory.Entry] = []

  /// Adds a change and returns its name; without a time it is later than the one before.
  @discardableResult
  mutating func add(
    _ author: ReplicaID, seeing: [Dot] = [], at time: Int? = nil,
    stampedBy stamper: ReplicaID? = nil,
    _ operations: RecordOperation...
  ) -> Dot {
    let own = entries.last { $0.dot.replica == author }
    var context = own?.change.context ?? VersionVector()
    for dot in seeing {
      guard let seen = entries.first(where: { $0.dot == dot }) else { continue }
      context.formUnion(seen.change.context)
      context.formUnion(Self.vector(dot))
    }
    context[author] = nil
    let dot = Dot(author, (own?.dot.seq ?? 0) + 1)
    let milliseconds = Int64(time ?? entries.count + 1)
    let stamp = Stamp(time: Stamp.pack(milliseconds: milliseconds), replica: stamper ?? author)
    let batch = BatchID(from: .seeded(UInt64(entries.count)))
    let change = Change(
      stamp: stamp, batch: batch, context: context, operations: operations)
    entries.append(RandomHistory.Entry(dot: dot, change: change))
    return dot
  }

  /// The model of the story.
  var oracle: Oracle {
    var oracle = Oracle()
    for entry in entries { oracle.insert(entry.change, at: entry.dot) }
    return oracle
  }

  /// What is known of the record in the end.
  func record(
    _ id: RecordID = "x", sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> OracleRecord {
    for order in CausalOrders(of: entries) {
      var replica = StateReplica()
      for entry in order { replica.apply(entry.change, at: entry.dot) }
      #expect(oracle.differences(from: replica.records) == [], sourceLocation: sourceLocation)
    }
    let key = RecordKey(collection: "item", id: id)
    return try #require(oracle.records()[key], sourceLocation: sourceLocation)
  }

  private static func vector(_ dot: Dot) -> VersionVector {
    VersionVector([dot.replica: Head(seq: dot.seq, hash: ContentHash(high: 0, low: dot.seq))])
  }
}

/// All orders in which changes can be applied; use it for a handful only.
struct CausalOrders: Sequence {
  private(set) var orders: [[RandomHistory.Entry]] = []

  init(of entries: [RandomHistory.Entry]) { extend([], VersionVector(), entries) }

  func makeIterator() -> some IteratorProtocol<[RandomHistory.Entry]> { orders.makeIterator() }

  private mutating func extend(
    _ order: [RandomHistory.Entry], _ applied: VersionVector, _ left: [RandomHistory.Entry]
  ) {
    if left.isEmpty { orders.append(order) }
    for (index, entry) in left.enumerated() {
      let (replica, seq) = (entry.dot.replica, entry.dot.seq)
      guard seq == (applied[replica]?.seq ?? 0) + 1, applied.covers(entry.change.context) else {
        continue
      }
      var (applied, left) = (applied, left)
      left.remove(at: index)
      applied[replica] = Head(seq: seq, hash: ContentHash(high: 0, low: seq))
      extend(order + [entry], applied, left)
    }
  }
}

extension ReplicaID {
  static let ann = ReplicaID(high: 0, low: 1)
  static let bob = ReplicaID(high: 0, low: 2)
  static let cleo = ReplicaID(high: 0, low: 3)
}

extension RecordOperation {
  static func create(_ writes: FieldWrite..., id: RecordID = "x") -> Self {
    Self(.create, "item", id, writes)
  }
  static func edit(_ writes: FieldWrite..., id: RecordID = "x", at time: UInt64? = nil) -> Self {
    Self(.edit, "item", id, writes, stamp: time)
  }
  static func touch(_ writes: FieldWrite...) -> Self { Self(.touch, "item", "x", writes) }
  static func delete(id: RecordID = "x") -> Self { Self(.delete, "item", id) }
  static func restore(_ writes: FieldWrite...) -> Self { Self(.restore, "item", "x", writes) }
  static func erase() -> Self { Self(.erase, "item", "x") }
}

/// Writes a register.
func set(_ name: FieldName, _ value: Value) -> FieldWrite { FieldWrite(name: name, value: value) }
/// Writes a register as an overridden edit.
func giveWay(_ name: FieldName, _ value: Value) -> FieldWrite {
  FieldWrite(name: name, value: value, isOverridden: true)
}
/// Covers a register's values and writes none, as the removal of a set's element does.
func remove(_ name: FieldName) -> FieldWrite { FieldWrite(name: name, value: nil) }

extension OracleRecord {
  /// The values that stand in a register, in the order of their dots.
  func values(_ name: FieldName) -> [Value] {
    (registers[name] ?? []).sorted { $0.dot < $1.dot }.map(\.value)
  }
  /// The alive kinds that stand, in the order of their dots.
  var kinds: [AliveKind] { alive.sorted { $0.dot < $1.dot }.map(\.kind) }
}
