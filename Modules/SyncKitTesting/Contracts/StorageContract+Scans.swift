import SyncKit

extension StorageContract {
  /// Keys that lie close together in the order of bytes, in that order.
  private static let sortedKeys: [[UInt8]] = [
    [], [0], [0, 0], [0, 255], [1], [1, 0], [1, 0, 5], [1, 1], [127], [128], [254, 255],
    [255], [255, 0], [255, 255], [255, 255, 255],
  ]

  private static func filled(_ contract: StorageContract) throws -> any Storage {
    let storage = try contract.make()
    try storage.write { writer in
      for key in sortedKeys.reversed() { try writer.put(.change, key, key + [42]) }
      try writer.put(.record, [1, 0, 9], [])
    }
    return storage
  }

  static let scanChecks: [ContractCheck<StorageContract>] = [
    ContractCheck("A scan visits keys in the order of their bytes") { contract in
      let entries = try filled(contract).read { try all($0, .change) }
      try expect(entries.map(\.key) == sortedKeys, "the order is \(entries.map(\.key))")
      try expect(entries.allSatisfy { $0.value == $0.key + [42] }, "values are mixed up")
    },
    ContractCheck("A scan visits the prefix and nothing else") { contract in
      let storage = try filled(contract)
      for prefix: [UInt8] in [[0], [1], [1, 0], [255], [255, 255], [2], [255, 255, 255, 255]] {
        let found = try storage.read { try all($0, .change, prefix: prefix) }.map(\.key)
        let expected = sortedKeys.filter { $0.starts(with: prefix) }
        try expect(found == expected, "the prefix \(prefix) gave \(found)")
      }
    },
    ContractCheck("A scan starts after a key") { contract in
      let storage = try filled(contract)
      for prefix: [UInt8] in [[], [1], [255]] {
        for after in sortedKeys + [[0, 1], [1, 0, 4], [200]] {
          let found = try storage.read { try all($0, .change, prefix: prefix, after: after) }
          let expected = sortedKeys.filter {
            $0.starts(with: prefix) && after.lexicographicallyPrecedes($0)
          }
          try expect(
            found.map(\.key) == expected, "\(prefix) after \(after) gave \(found.map(\.key))")
        }
      }
    },
    ContractCheck("A scan backwards visits the same from the last to the first") { contract in
      let storage = try filled(contract)
      for prefix: [UInt8] in [[], [0], [1], [1, 0], [127], [255], [255, 255], [2], [255, 1]] {
        for before in [nil]
          + (sortedKeys + [[0, 1], [1, 0, 4], [200], [255, 255, 0]]).map(\.self)
        {
          let found = try storage.read { try backward($0, .change, prefix: prefix, before: before) }
          let expected = sortedKeys.filter {
            $0.starts(with: prefix) && before.map($0.lexicographicallyPrecedes) ?? true
          }
          try expect(
            found.map(\.key) == expected.reversed()
              && found.allSatisfy { $0.value == $0.key + [42] },
            "\(prefix) before \(String(describing: before)) gave \(found.map(\.key))")
        }
      }
      let none = try contract.make().read { try backward($0, .change, prefix: [], before: nil) }
      try expect(none.isEmpty, "an empty table has an entry")
    },
    ContractCheck("A scan backwards stops on request, and may hold reads and writes") { contract in
      let storage = try filled(contract)
      var visited: [[UInt8]] = []
      try storage.write { writer in
        try writer.scanBackward(.change, prefix: [1], before: nil) { key, _ in
          visited.append(key)
          _ = try writer.get(.change, [0])
          try writer.put(.waiting, key, [1])
          try writer.delete(.change, key)
          return visited.count < 3
        }
      }
      try expect(visited == [[1, 1], [1, 0, 5], [1, 0]], "it visited \(visited)")
      let left = try storage.read { try (all($0, .change, prefix: [1]), all($0, .waiting)) }
      try expect(left.0.map(\.key) == [[1]] && left.1.count == 3, "the writes went astray")
    },
    ContractCheck("A scan stops on request") { contract in
      let storage = try filled(contract)
      var visited = 0
      try storage.read {
        try $0.scan(.change, prefix: [], after: nil) { _, _ in
          visited += 1
          return visited < 3
        }
      }
      try expect(visited == 3, "it visited \(visited) in place of 3")
    },
    ContractCheck("An error from the body of a scan comes through") { contract in
      struct Stop: Error {}
      let storage = try filled(contract)
      do {
        try storage.read { try $0.scan(.change, prefix: [], after: nil) { _, _ in throw Stop() } }
        throw ContractViolation("nothing was thrown")
      } catch is Stop {}
      _ = try storage.read { try all($0, .change) }
    },
    ContractCheck("A scan may hold scans, reads and writes") { contract in
      let storage = try filled(contract)
      var inner = 0
      try storage.write { writer in
        try writer.scan(.change, prefix: [1], after: nil) { key, _ in
          try writer.scan(.change, prefix: [1], after: nil) { _, _ in
            inner += 1
            return true
          }
          _ = try writer.get(.change, [0])
          try writer.put(.waiting, key, [1])
          try writer.delete(.change, key)
          return true
        }
      }
      try expect(inner == 4 + 3 + 2 + 1, "the inner scans visited \(inner)")
      let left = try storage.read { try (all($0, .change, prefix: [1]), all($0, .waiting)) }
      try expect(left.0.isEmpty && left.1.count == 4, "the writes went astray")
    },
  ]
}
