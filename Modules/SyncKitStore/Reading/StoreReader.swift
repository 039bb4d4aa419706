import SyncKitModel

/// One consistent moment of a store, in terms of zones and records.
package final class StoreReader: LogLookup {
  package let storage: any StorageReader
  package let rules: Rules
  package let symbols: SymbolTable
  package let device: Device
  package let coding: any SegmentCoding
  package var chains = ChainCache()
  package var source: any StorageReader { storage }
  private var knownZones: [ZoneID: ZoneState]?
  private var knownScopes: [ZoneID: (Record.Scope, ZoneAccess?)] = [:]

  package init(
    storage: any StorageReader, rules: Rules, symbols: SymbolTable, device: Device,
    coding: any SegmentCoding
  ) {
    self.storage = storage
    self.rules = rules
    self.symbols = symbols
    self.device = device
    self.coding = coding
  }

  package func zones() throws -> [ZoneID: ZoneState] {
    if let knownZones { return knownZones }
    let zones = try storage.zoneStates()
    knownZones = zones
    return zones
  }

  package func zone(_ id: ZoneID) throws -> ZoneState {
    try zones()[id] ?? ZoneState(own: ReplicaID(high: 0, low: 0))
  }

  package func state(_ key: RecordKey) throws -> RecordState {
    guard let row = try storage.get(.record, Keys.record(key)) else { return RecordState() }
    return try RecordState(packed: row, symbols)
  }

  package lazy var view: RecordView = {
    let devices = DeviceDirectory(device: device)
    return RecordView(
      rules: rules, state: { [unowned self] in try state($0) },
      device: { [unowned self] zone, replica in
        try devices.name(
          of: replica, in: self.zone(zone), zone: zone, state: { try self.state($0) })
      },
      local: { [unowned self] key in
        try storage.get(.local, Keys.record(key)).map(ValueMap.init(local:)) ?? ValueMap()
      },
      scope: { [unowned self] in try scope(of: $0) })
  }()

  private func scope(of id: ZoneID) throws -> (Record.Scope, ZoneAccess?) {
    if let known = knownScopes[id] { return known }
    let scope = try storage.scope(of: id, zone(id))
    knownScopes[id] = scope
    return scope
  }

  package func unsealed(_ zone: ZoneID) throws -> [UnsealedChange] {
    try storage.entries(.change, prefix: Keys.prefix(zone)).map(UnsealedChange.init(key:row:))
  }
}
