import SyncKit

extension StorageContract {
  private struct Refusal: Error {}

  static let transactionChecks: [ContractCheck<StorageContract>] = [
    ContractCheck("A transaction reads what it has written") { contract in
      let storage = try contract.make()
      try storage.write { try $0.put(.record, [1], [1]) }
      let seen = try storage.write { writer in
        try writer.put(.record, [2], [2])
        try writer.delete(.record, [1])
        return try (writer.get(.record, [2]), all(writer, .record).map(\.key))
      }
      try expect(seen.0 == [2] && seen.1 == [[2]], "it saw \(seen)")
    },
    ContractCheck("An error undoes the whole transaction and comes through") { contract in
      let storage = try contract.make()
      try storage.write { try $0.put(.record, [1], [1]) }
      do {
        try storage.write { writer in
          try writer.put(.record, [1], [2])
          try writer.put(.meta, [2], [2])
          try writer.delete(.record, [1])
          throw Refusal()
        }
        throw ContractViolation("nothing was thrown")
      } catch is Refusal {}
      let left = try storage.read { try ($0.get(.record, [1]), $0.get(.meta, [2])) }
      try expect(left.0 == [1] && left.1 == nil, "writes of the failed transaction were kept")
      try storage.write { try $0.put(.record, [3], [3]) }
      try expect(try storage.read { try $0.get(.record, [3]) } == [3], "it accepts no more writes")
    },
    ContractCheck("A read that fails does no harm") { contract in
      let storage = try contract.make()
      do {
        try storage.read { _ in throw Refusal() }
        throw ContractViolation("nothing was thrown")
      } catch is Refusal {}
      try storage.write { try $0.put(.meta, [1], [1]) }
      try expect(try storage.read { try $0.get(.meta, [1]) } == [1], "the next write is not there")
    },
    ContractCheck("A transaction within a transaction is refused") { contract in
      let storage = try contract.make()
      do {
        try storage.write { _ in try storage.write { try $0.put(.meta, [1], [1]) } }
        throw ContractViolation("it was not")
      } catch is SyncError {}
      do {
        try storage.read { _ in _ = try storage.read { try $0.get(.meta, [1]) } }
        throw ContractViolation("a read within a read was not")
      } catch is SyncError {}
      try expect(try storage.read { try $0.get(.meta, [1]) } == nil, "the inner write was kept")
    },
    ContractCheck("Transactions of many tasks have one order") { contract in
      let storage = try contract.make()
      let tasks = 8
      let rounds = 25
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<tasks {
          group.addTask {
            for round in 0..<rounds {
              try storage.write { writer in
                let count = try writer.get(.meta, [0])?.reduce(0) { $0 << 8 | Int($1) } ?? 0
                try writer.put(.meta, [0], [UInt8((count + 1) >> 8), UInt8((count + 1) & 255)])
                try writer.put(.change, [UInt8(task), UInt8(round)], [])
              }
              let seen = try storage.read { reader in
                try (reader.get(.meta, [0]), all(reader, .change).count)
              }
              let count = seen.0?.reduce(0) { $0 << 8 | Int($1) }
              try expect(count == seen.1, "a read saw \(seen.1) of \(count ?? -1) writes")
            }
          }
        }
        try await group.waitForAll()
      }
      let count = try storage.read { try $0.get(.meta, [0]) }?.reduce(0) { $0 << 8 | Int($1) }
      try expect(count == tasks * rounds, "\(count ?? -1) of \(tasks * rounds) writes counted")
    },
    ContractCheck("Any sequence of calls does what a sorted dictionary does") { contract in
      var storage = try contract.make()
      var model: [[UInt8]: [UInt8]] = [:]
      var random = SystemFreeRandom(state: 0x5EED)
      for round in 0..<60 {
        var next = model
        let fails = random.below(4) == 0
        do {
          try storage.write { writer in
            for _ in 0..<random.below(30) {
              let key = (0..<random.below(4)).map { _ in UInt8(random.below(3) * 127) }
              if random.below(3) == 0 {
                try writer.delete(.symbol, key)
                next[key] = nil
              } else {
                let value = (0..<random.below(40)).map { _ in UInt8(random.below(256)) }
                try writer.put(.symbol, key, value)
                next[key] = value
              }
            }
            if fails { throw Refusal() }
          }
          model = next
        } catch is Refusal {}
        if round % 20 == 19, let reopen = contract.reopen { storage = try reopen(storage) }
        let found = try storage.read { try all($0, .symbol) }
        let expected = model.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        try expect(
          found.elementsEqual(expected) { $0.key == $1.key && $0.value == $1.value },
          "round \(round) left \(found.count) entries in place of \(expected.count)")
      }
    },
    ContractCheck("What was committed is there when the storage is opened again") { contract in
      guard let reopen = contract.reopen else { return }
      let storage = try contract.make()
      try storage.write { try $0.put(.record, [1], [1, 2, 3]) }
      try? storage.write { writer in
        try writer.put(.record, [2], [2])
        throw Refusal()
      }
      let mark = storage.fingerprint
      let again = try reopen(storage)
      let found = try again.read { try all($0, .record) }
      try expect(found.map(\.key) == [[1]] && found.first?.value == [1, 2, 3], "found \(found)")
      try expect(again.fingerprint == mark, "the fingerprint changed without a reason")
    },
  ]
}

/// A small generator that gives the same numbers everywhere.
private struct SystemFreeRandom {
  var state: UInt64

  mutating func below(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(max(limit, 1)))
  }
}
