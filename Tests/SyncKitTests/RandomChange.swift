import SyncKitTesting

@testable import SyncKitEngine
@testable import SyncKitModel
@testable import SyncKitStore

/// A change with everything that the format knows, and what its coding depends on.
struct RandomChange {
  let series: ReplicaID
  let previous: VersionVector
  let change: Change

  init(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let environment = SyncEnvironment.seeded(random.fork("ids"))
    let replicas = (0..<4).map { _ in ReplicaID(from: environment) }
    series = replicas[0]
    var previous = VersionVector()
    var context = VersionVector()
    for replica in replicas.dropFirst() {
      var seq = UInt64.random(in: 1...300, using: &random)
      var head = Head(seq: seq, hash: ContentHash(high: random.next(), low: random.next()))
      if random.chance(50) { previous[replica] = head }
      if random.chance(50) || previous[replica] == nil {
        // After a fork the same number may come with another hash.
        seq += random.chance(10) ? 0 : .random(in: 1...(1 << 40), using: &random)
        head = Head(seq: seq, hash: ContentHash(high: random.next(), low: random.next()))
      }
      if random.chance(80) || previous[replica] != nil { context[replica] = head }
    }
    self.previous = previous
    let stamp = Stamp(time: random.next(), replica: replicas[random.chance(80) ? 0 : 1])
    change = Change(
      stamp: stamp, batch: BatchID(from: environment), part: .random(in: 0...300, using: &random),
      isLastPart: random.chance(50), context: context,
      operations: (0..<Int.random(in: 0...4, using: &random)).map { _ in
        Self.operation(using: &random)
      })
  }

  func encoded() -> [UInt8] {
    change.encoded(series: series, after: previous) { $0 == "item" ? 3 : 1 }
  }

  func decoded(_ bytes: [UInt8]) throws -> Change {
    try bytes.reading { try Change(&$0, series: series, after: previous) }
  }

  private static func operation(using random: inout SeededRandom) -> RecordOperation {
    RecordOperation(
      OperationKind(rawValue: .random(in: 0...5, using: &random)) ?? .edit,
      CollectionName(name(using: &random).text), id(using: &random),
      (0..<Int.random(in: 0...4, using: &random)).map { _ in write(using: &random) },
      stamp: random.chance(30) ? random.next() : nil)
  }

  private static func write(using random: inout SeededRandom) -> FieldWrite {
    let value: Value? = random.chance(15) ? nil : .random(using: &random)
    let prior: Value? = random.chance(50) ? nil : .random(using: &random)
    let names: [FieldName] = ["a", "b", "\u{E9}", "e\u{301}", .element(of: "tags", 1), ""]
    return FieldWrite(
      name: names[Int.random(in: names.indices, using: &random)], value: value, prior: prior,
      isOverridden: random.chance(20))
  }

  private static func name(using random: inout SeededRandom) -> FieldName {
    ["item", "list", "\u{E9}", "e\u{301}"][Int.random(in: 0...3, using: &random)]
  }

  private static func id(using random: inout SeededRandom) -> RecordID {
    let environment = SyncEnvironment.seeded(random.next())
    if random.chance(50) { return RecordID(UUIDText.random(from: environment)) }
    let names: [RecordID] = ["", "EDDF", "\u{0}", "x"]
    return names[Int.random(in: names.indices, using: &random)]
  }
}
