import SyncKitTesting
import Testing

@testable import SyncKitEngine
@testable import SyncKitModel
@testable import SyncKitStore

/// Replicas agree with the model and with each other, whatever reaches them how.
struct MergeTests {
  @Test(arguments: 0..<8 as Range<UInt64>)
  func `random histories keep the contract`(block: UInt64) {
    let contract = MergeContract(seeds: block * 250..<(block + 1) * 250)
    #expect(contract.violations(of: StateReplica()) == [])
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `long histories keep the contract`(block: UInt64) {
    let seeds = 10_000 + block * 5..<10_000 + (block + 1) * 5
    let contract = MergeContract(seeds: seeds, changes: 60...100)
    #expect(contract.violations(of: StateReplica()) == [])
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `every causal order of a short history gives the same state`(block: UInt64) {
    for seed in block * 100..<(block + 1) * 100 {
      let history = RandomHistory(seed: seed, changes: 2 + Int(seed % 4))
      for order in CausalOrders(of: history.entries) {
        var replica = StateReplica()
        for entry in order { replica.apply(entry.change, at: entry.dot) }
        #expect(history.oracle.differences(from: replica.records) == [], "seed \(seed)")
      }
    }
  }

  /// Three changes by three replicas: every combination of what they do and of what they had seen.
  @Test(arguments: Self.operations)
  func `every triple of operations merges as the model says`(first: RecordOperation) {
    for second in Self.operations {
      for third in Self.operations {
        for secondSees in [false, true] {
          for thirdSees in [[], [1], [2], [1, 2]] where !(secondSees && thirdSees == [2]) {
            var story = Story()
            let one = story.add(.bob, first)
            let two = story.add(.ann, seeing: secondSees ? [one] : [], second)
            story.add(.cleo, seeing: thirdSees.map { $0 == 1 ? one : two }, third)
            let oracle = story.oracle
            for order in CausalOrders(of: story.entries) {
              var replica = StateReplica()
              for entry in order { replica.apply(entry.change, at: entry.dot) }
              let differences = oracle.differences(from: replica.records)
              if differences != [] {
                Issue.record("\(first.kind), \(second.kind), \(third.kind): \(differences)")
              }
            }
          }
        }
      }
    }
  }

  static let operations: [RecordOperation] = [
    .create(set("a", 1)), .create(set("b", .null)), .edit(set("a", 2)), .edit(remove("a")),
    .touch(set("a", 3)), .delete(), .restore(set("a", 4)), .erase(),
  ]

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `replicas that gossip in changes and in states end alike`(seed: UInt64) {
    let history = RandomHistory(seed: seed, changes: 30)
    var random = SeededRandom(seed: seed).fork("gossip")
    var replicas = Array(repeating: StateReplica(), count: 4)
    for _ in 0..<40 {
      let index = Int.random(in: replicas.indices, using: &random)
      let peer = replicas[Int.random(in: replicas.indices, using: &random)]
      switch Int.random(in: 0..<3, using: &random) {
      case 0: replicas[index].join(peer)
      case 1: replicas[index].receive(history, to: peer.vector, using: &random)
      default:
        let part = history.part(using: &random)
        replicas[index].receive(history, to: part, using: &random)
      }
    }
    for index in replicas.indices {
      replicas[index].receive(history, to: history.vector, using: &random)
      #expect(history.oracle.differences(from: replicas[index].records) == [])
      #expect(replicas[index].canonicalBytes == replicas[0].canonicalBytes)
    }
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `what is shown is what the model shows`(seed: UInt64) {
    let history = RandomHistory(seed: seed, changes: 20)
    var random = SeededRandom(seed: seed)
    var replica = StateReplica()
    replica.receive(history, to: history.vector, using: &random)
    for (key, record) in history.oracle.records() {
      let state = replica.records[key]
      for rule in DeleteRule.allCases {
        #expect(rule.shown(state?.alive ?? []) == record.shown(rule))
        #expect(rule.shown(state?.alive ?? [])?.kind.isVisible == record.exists(rule))
      }
      let shown = record.shown { _ in NewestPolicy() }
      for name in state?.registers.map(\.name) ?? [] {
        let current = state?.current(name)
        let value = current.map { NewestPolicy().shown($0.candidates) }
        #expect(value ?? .null == shown[name] ?? .null)
        let isConflict = record.conflicts { _ in NewestPolicy() }.contains(name)
        #expect((current?.isConflicted ?? false) == isConflict || name.field != name)
      }
    }
  }
}

extension StateReplica {
  fileprivate mutating func receive(
    _ history: RandomHistory, to vector: VersionVector, using random: inout SeededRandom
  ) {
    for entry in history.delivery(from: self.vector, to: vector, using: &random) {
      apply(entry.change, at: entry.dot)
    }
  }

  /// All states as the bytes that digests are made of.
  fileprivate var canonicalBytes: [UInt8] {
    var writer = ByteWriter()
    for (key, state) in records.sorted(by: { $0.key < $1.key }) {
      writer.write(text: key.description)
      state.writeCanonical(to: &writer)
    }
    return writer.bytes
  }
}
