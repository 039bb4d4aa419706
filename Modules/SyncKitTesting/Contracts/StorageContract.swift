import SyncKit

/// What every ``Storage`` promises, as checks.
///
/// `SyncError` thrown where none is expected counts as broken, too. Durability beyond the life of
/// the storage is tried only when the contract can open a storage again.
public struct StorageContract: Sendable {
  let make: @Sendable () throws -> any Storage
  let reopen: (@Sendable (any Storage) throws -> any Storage)?

  /// Prepares the checks.
  ///
  /// - Parameters:
  ///   - make: Makes an empty storage; called once or more by each check.
  ///   - reopen: Gives up a storage as if the process had ended and opens it again.
  public init(
    _ make: @escaping @Sendable () throws -> any Storage,
    reopening reopen: (@Sendable (any Storage) throws -> any Storage)? = nil
  ) {
    self.make = make
    self.reopen = reopen
  }

  /// All checks.
  public static let checks: [ContractCheck<StorageContract>] =
    valueChecks + scanChecks + transactionChecks

  private static let valueChecks: [ContractCheck<StorageContract>] = [
    ContractCheck("A key that was never put is nil") { contract in
      let storage = try contract.make()
      for table in Table.allCases {
        try expect(try storage.read { try $0.get(table, [1]) } == nil, "\(table) has a value")
      }
    },
    ContractCheck("A value comes back byte for byte") { contract in
      let storage = try contract.make()
      let values: [[UInt8]] = [
        [], [0], [UInt8](0...255), [UInt8](repeating: 0xA5, count: 3 << 20),
      ]
      for (index, value) in values.enumerated() {
        try storage.write { try $0.put(.segment, [UInt8(index), 0, 255], value) }
      }
      for (index, value) in values.enumerated() {
        let found = try storage.read { try $0.get(.segment, [UInt8(index), 0, 255]) }
        try expect(found == value, "\(value.count) bytes came back as \(found?.count ?? -1)")
      }
    },
    ContractCheck("Any bytes are a key, including none") { contract in
      let storage = try contract.make()
      let long = [UInt8](repeating: 7, count: 900)
      let keys: [[UInt8]] = [[], [0], [0, 0], [255], [255, 255], long]
      try storage.write { writer in
        for key in keys { try writer.put(.record, key, [UInt8(key.count % 256)]) }
      }
      for key in keys {
        let found = try storage.read { try $0.get(.record, key) }
        try expect(found == [UInt8(key.count % 256)], "the key \(key.prefix(4)) was mixed up")
      }
    },
    ContractCheck("A put replaces") { contract in
      let storage = try contract.make()
      try storage.write { try $0.put(.meta, [1], [1, 1, 1]) }
      try storage.write { try $0.put(.meta, [1], [2]) }
      let entries = try storage.read { try StorageContract.all($0, .meta) }
      try expect(entries.count == 1 && entries.first?.value == [2], "found \(entries)")
    },
    ContractCheck("A delete removes a key, and without one changes nothing") { contract in
      let storage = try contract.make()
      try storage.write { try $0.put(.meta, [1], [1]) }
      try storage.write {
        try $0.delete(.meta, [1])
        try $0.delete(.meta, [2])
      }
      try expect(try storage.read { try $0.get(.meta, [1]) } == nil, "the value is still there")
    },
    ContractCheck("Tables are separate") { contract in
      let storage = try contract.make()
      try storage.write { writer in
        for table in Table.allCases { try writer.put(table, [9], [table.rawValue]) }
        try writer.delete(.local, [9])
      }
      for table in Table.allCases {
        let found = try storage.read { try $0.get(table, [9]) }
        let expected = table == .local ? nil : [table.rawValue]
        try expect(found == expected, "\(table) has \(found ?? [])")
      }
    },
  ]

  /// All entries of a table in the order in which the storage gives them.
  static func all(
    _ reader: any StorageReader, _ table: Table, prefix: [UInt8] = [], after: [UInt8]? = nil
  ) throws -> [(key: [UInt8], value: [UInt8])] {
    var found: [(key: [UInt8], value: [UInt8])] = []
    try reader.scan(table, prefix: prefix, after: after) { key, value in
      found.append((key, value))
      return true
    }
    return found
  }

  /// The entries of a table before a key, as a scan backwards gives them.
  static func backward(
    _ reader: any StorageReader, _ table: Table, prefix: [UInt8], before: [UInt8]?
  ) throws -> [(key: [UInt8], value: [UInt8])] {
    var found: [(key: [UInt8], value: [UInt8])] = []
    try reader.scanBackward(table, prefix: prefix, before: before) { key, value in
      found.append((key, value))
      return true
    }
    return found
  }
}
