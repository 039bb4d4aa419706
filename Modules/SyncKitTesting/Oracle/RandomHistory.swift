import SyncKit

/// What a few replicas might have done to a few records: changes that collide as often as possible.
///
/// A seed repeats it. The authors pull from each other at random, so contexts form any causal
/// shape; what they write is drawn without regard to sense, because a merge must hold for every
/// history that the format can express, not only for those that today's store writes.
package struct RandomHistory: Sendable {
  /// A change with its place in its series.
  package struct Entry: Sendable {
    /// The change's name.
    package let dot: Dot
    /// What was done.
    package let change: Change

    /// Names a change.
    package init(dot: Dot, change: Change) {
      self.dot = dot
      self.change = change
    }
  }

  /// What repeats the history.
  package let seed: UInt64
  /// The changes in the order in which they were made, which is causal.
  package let entries: [Entry]
  /// All of them.
  package let vector: VersionVector
  /// What replicas had at some time; each is causally closed, and so is every union of some.
  package let moments: [VersionVector]

  /// Makes a history of that many changes by two to five replicas.
  package init(seed: UInt64, changes count: Int = 10) {
    self.seed = seed
    var author = HistoryAuthor(seed: seed)
    var entries: [Entry] = []
    while entries.count < count { entries.append(author.next()) }
    self.entries = entries
    moments = author.moments
    vector = author.moments.reduce(into: VersionVector()) { $0.formUnion($1) }
  }

  /// The model of the whole history.
  package var oracle: Oracle {
    var oracle = Oracle()
    for entry in entries { oracle.insert(entry.change, at: entry.dot) }
    return oracle
  }

  /// The changes that `vector` covers and `start` does not, in any of their causal orders.
  package func delivery(
    from start: VersionVector = VersionVector(), to vector: VersionVector,
    using random: inout SeededRandom
  ) -> [Entry] {
    var left = entries.filter { vector.covers($0.dot) && !start.covers($0.dot) }
    var applied = start
    var order: [Entry] = []
    while !left.isEmpty {
      let ready = left.indices.filter { index in
        let entry = left[index]
        return entry.dot.seq == (applied[entry.dot.replica]?.seq ?? 0) + 1
          && applied.covers(entry.change.context)
      }
      guard let chosen = ready.randomElement(using: &random) else { break }
      let entry = left.remove(at: chosen)
      applied[entry.dot.replica] = Self.head(entry.dot)
      order.append(entry)
    }
    return order
  }

  /// Something that a replica could have: a causally closed part of the history.
  package func part(using random: inout SeededRandom) -> VersionVector {
    var part = VersionVector()
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      if let moment = moments.randomElement(using: &random) { part.formUnion(moment) }
    }
    return part
  }

  /// The head that ends with a change; its hash stands for the series up to there.
  static func head(_ dot: Dot) -> Head {
    Head(seq: dot.seq, hash: ContentHash(high: dot.replica.high ^ dot.replica.low, low: dot.seq))
  }
}

/// Draws one change after the other.
///
/// Each history leaves out some of what could happen: where everything happens all the time, an
/// erasure or a pull soon wipes away every subtler situation.
private struct HistoryAuthor {
  private static let collections: [CollectionName] = ["item", "list"]
  private static let ids: [RecordID] = ["x", "y"]
  private static let fields: [FieldName] = [
    "a", "b", "\u{E9}", "e\u{301}", .element(of: "tags", "red"), .element(of: "tags", "blue"),
  ]
  /// Few values, so that equal ones meet.
  private static let values: [Value] = [.null, 0, 1, "x", .double(.nan), .list([1, 2])]

  private var random: SeededRandom
  private var replicas: [Replica] = []
  private var records: [(collection: CollectionName, id: RecordID)] = []
  private var names: [FieldName] = []
  private var kinds: [OperationKind] = [.edit]
  private let pullChance: Int
  private let reissueChance: Int
  private let overrideChance: Int
  private var time: Int64 = 1_782_000_000_000
  private(set) var moments: [VersionVector] = [VersionVector()]

  private struct Replica {
    let id: ReplicaID
    let skew: Int64
    var seen = VersionVector()
  }

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    pullChance = .random(in: 5...60, using: &random)
    reissueChance = random.chance(20) ? 60 : 5
    overrideChance = random.chance(40) ? 40 : 0
    for _ in 0..<Int.random(in: 2...5, using: &random) {
      replicas.append(
        Replica(
          id: ReplicaID(high: random.next() >> 1, low: random.next()),
          skew: random.chance(20) ? .random(in: -400_000...400_000, using: &random) : 0))
    }
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      records.append((pick(Self.collections), pick(Self.ids)))
    }
    for _ in 0..<Int.random(in: 1...3, using: &random) { names.append(pick(Self.fields)) }
    let weights: [(OperationKind, ClosedRange<Int>)] = [
      (.edit, 0...8), (.touch, 0...3), (.create, 0...3), (.delete, 0...3), (.restore, 0...2),
      (.erase, -2...1), (.forget, -4...1),
    ]
    for (kind, range) in weights {
      let weight = max(0, Int.random(in: range, using: &random))
      kinds += Array(repeating: kind, count: weight)
    }
  }

  mutating func next() -> RandomHistory.Entry {
    let index = Int.random(in: replicas.indices, using: &random)
    if random.chance(pullChance) {
      replicas[index].seen.formUnion(pick(moments))
      moments.append(replicas[index].seen)
    }
    if random.chance(30) { time += 1 }
    let id = replicas[index].id
    var context = replicas[index].seen
    context[id] = nil
    let dot = Dot(id, (replicas[index].seen[id]?.seq ?? 0) + 1)
    let change = Change(
      stamp: Stamp(time: stampTime(replicas[index].skew), replica: stampAuthor(id)),
      batch: BatchID(from: .seeded(random.next())), context: context, operations: operations())
    replicas[index].seen[id] = RandomHistory.head(dot)
    moments.append(replicas[index].seen)
    return RandomHistory.Entry(dot: dot, change: change)
  }

  private mutating func stampTime(_ skew: Int64) -> UInt64 {
    let leap: Int64 = random.chance(5) ? 1 << 40 : 0
    return Stamp.pack(milliseconds: time + skew + leap, counter: random.chance(20) ? 1 : 0)
  }

  /// A change that was issued again carries its first author's stamp.
  private mutating func stampAuthor(_ id: ReplicaID) -> ReplicaID {
    random.chance(reissueChance) ? replicas[0].id : id
  }

  private mutating func operations() -> [RecordOperation] {
    let count = random.chance(25) ? Int.random(in: 2...3, using: &random) : 1
    return (0..<count).map { _ in
      let record = pick(records)
      return RecordOperation(
        pick(kinds), record.collection, record.id, writes(),
        stamp: random.chance(15) ? stampTime(-1) : nil)
    }
  }

  private mutating func writes() -> [FieldWrite] {
    (0..<Int.random(in: 0...3, using: &random)).map { _ in
      let name = pick(names)
      // A removed element writes nothing; the format allows the same for any register.
      return FieldWrite(
        name: name, value: random.chance(20) ? nil : pick(Self.values),
        isOverridden: random.chance(overrideChance))
    }
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &random)]
  }
}
