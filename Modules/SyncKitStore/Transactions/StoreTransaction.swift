import SyncKitModel

/// One write transaction of a store, in terms of zones, records and changes.
///
/// Rows that are written more than once are written once, at the end, in the order of their keys.
package final class StoreTransaction: LogLookup {
  private struct Entry {
    let key: RecordKey
    var state: RecordState
    /// The row of a record that was created here, until its state is asked for.
    var row: [UInt8]?
    var isDirty = false
    let wasVisible: Bool
    let conflicted: [FieldName]
    /// The rows by which it was found.
    var indexRows: [IndexRow] = []
  }

  package let storage: any StorageWriter
  package var source: any StorageReader { storage }
  package let rules: Rules
  package let coding: any SegmentCoding
  package let environment: SyncEnvironment
  package var symbols: SymbolTable
  package var clock: HybridClock
  /// Registers that have become conflicted in this transaction.
  private(set) var newConflicts = 0
  /// The records written in this transaction; what was written out in between may be named twice.
  package private(set) var touched: [RecordKey] = []

  private let known: (names: Int, replicas: Int)
  private let clockRow: ClockRow
  /// The zone of the own change that was stored last.
  private var lastChanged: ZoneID?
  /// Where roots live, by the zones in which they would be created, as far as they were looked up.
  var currentZones: [ZoneID: ZoneID] = [:]
  /// The participants of zones, as far as they were looked up.
  package var sharedZones: [ZoneID: SharedZone?] = [:]
  private var zones: [ZoneID: ZoneState] = [:]
  private var dirtyZones: Set<ZoneID> = []
  private var records: [Entry] = []
  /// Where records are among those, and where the last one is that was asked for: most questions come in
  /// a row about one record.
  private var places: [RecordKey: Int] = [:]
  private var lastPlace = 0
  /// Which zones have no row of a record, as far as it was worth a look.
  private var withoutRows: [ZoneID: Bool] = [:]
  /// Whether the store has the indexes of the schema, once it was looked up.
  private var hasIndexes: Bool?
  package var chains = ChainCache()

  package init(
    _ storage: any StorageWriter, rules: Rules, coding: any SegmentCoding,
    environment: SyncEnvironment, symbols: SymbolTable
  ) throws {
    self.storage = storage
    self.rules = rules
    self.coding = coding
    self.environment = environment
    self.symbols = try symbols.extended(from: storage)
    known = (self.symbols.names.count, self.symbols.replicas.count)
    clockRow = try storage.get(.meta, Keys.clock).map(ClockRow.init(decoding:)) ?? ClockRow()
    clock = HybridClock(last: try clockRow.last(in: storage))
  }

  // MARK: Zones

  /// The state of a zone; a new one, with a new replica, when nothing is known of it.
  package func zone(_ id: ZoneID) throws -> ZoneState {
    if let state = zones[id] { return state }
    var state: ZoneState
    if let known = try storage.zoneState(id) {
      state = known
    } else {
      state = ZoneState(own: ReplicaID(from: environment))
      state.isPublished = id != .local
      dirtyZones.insert(id)
    }
    zones[id] = state
    return state
  }

  /// Whether anything was ever done in a zone; asking leaves nothing behind.
  package func isKnown(_ id: ZoneID) throws -> Bool {
    if zones[id] != nil { return true }
    return try storage.get(.meta, Keys.zone(id)) != nil
  }

  /// All zones in which anything was ever done, in the order of their ids.
  func zoneIDs() throws -> [ZoneID] {
    try Set(storage.zoneStates().keys).union(zones.keys).sorted()
  }

  func setZone(_ id: ZoneID, _ state: ZoneState) {
    zones[id] = state
    dirtyZones.insert(id)
  }

  /// Stores an own change and counts it as the last one of its zone.
  ///
  /// Of what it says itself no other row is written: its number and time are the change's, and most have seen what
  /// the one before had seen.
  func store(_ bytes: [UInt8], as dot: Dot, seen: VersionVector, in id: ZoneID) throws {
    try storage.put(.change, Keys.change(id, dot.seq), bytes)
    var state = try zone(id)
    state.ownLast = dot.seq
    zones[id] = state
    if state.ownContext != seen {
      state.ownContext = seen
      setZone(id, state)
    }
    lastChanged = id
  }

  // MARK: Records

  package func record(_ key: RecordKey) throws -> RecordState { try records[load(key)].state }

  /// Creates a record of which nothing is known, by an operation that is all that there will be known.
  ///
  /// - Returns: False when there is more to it; then the operation has to be applied.
  func create(_ key: RecordKey, _ operation: RecordOperation, dot: Dot, stamp: Stamp) throws -> Bool
  {
    let place = try load(key)
    guard records[place].state.isEmpty,
      let row = RecordState.packed(creating: operation, dot: dot, stamp: stamp, &symbols)
    else { return false }
    records[place].row = row
    try noteWrite(place)
    return true
  }

  private func noteWrite(_ place: Int) throws {
    if !records[place].isDirty {
      records[place].isDirty = true
      touched.append(records[place].key)
    }
    try noteCurrentZone(of: records[place].key)
  }

  func setRecord(_ key: RecordKey, _ state: RecordState) throws {
    try updateRecord(key) { $0 = state }
  }

  /// Changes a record where it lies, without a copy of it; `body` must not ask for other records.
  func updateRecord(_ key: RecordKey, _ body: (inout RecordState) throws -> Void) throws {
    let place = try load(key)
    try body(&records[place].state)
    try noteWrite(place)
  }

  /// Makes room for as many records as are about to be asked for.
  package func expect(records count: Int) {
    records.reserveCapacity(records.count + count)
    places.reserveCapacity(places.count + count)
  }

  /// The records that this transaction has looked at.
  var loadedRecords: [RecordKey] { places.keys.sorted() }

  private func load(_ key: RecordKey) throws -> Int {
    if lastPlace < records.count, records[lastPlace].key == key {
      try unpack(lastPlace)
      return lastPlace
    }
    if let place = places[key] {
      lastPlace = place
      try unpack(place)
      return place
    }
    let row = try hasRows(key.zone) ? storage.get(.record, Keys.record(key)) : nil
    lastPlace = records.count
    places[key] = lastPlace
    guard let row else {
      records.append(Entry(key: key, state: RecordState(), wasVisible: false, conflicted: []))
      return lastPlace
    }
    let state = try RecordState(packed: row, symbols)
    records.append(
      Entry(
        key: key, state: state, wasVisible: rules.isVisible(state, in: key.collection),
        conflicted: rules.conflicted(state, in: key.collection),
        indexRows: rules.indexRows(of: key, state)))
    return lastPlace
  }

  /// Makes the state of a record that so far is a row.
  private func unpack(_ place: Int) throws {
    guard let row = records[place].row else { return }
    records[place].state = try RecordState(packed: row, symbols)
    records[place].row = nil
  }

  /// Whether rows of a zone may be there; with many records it is asked once, and not for each of them.
  private func hasRows(_ zone: ZoneID) throws -> Bool {
    guard records.count >= Self.many else { return true }
    if let isWithout = withoutRows[zone] { return !isWithout }
    var isWithout = true
    try storage.scan(.record, prefix: Keys.prefix(zone), after: nil) { _, _ in
      isWithout = false
      return false
    }
    withoutRows[zone] = isWithout
    return !isWithout
  }

  /// From this number of records on, checking whether there are any saves time.
  private static let many = 32

  /// Removes the rows of every record of a zone; its changes stay as history.
  func removeRecords(in id: ZoneID) throws {
    try flushRecords()
    let prefix = Keys.prefix(id)
    for table in [Table.record, .local, .conflict, .waiting] {
      for (key, row) in try storage.entries(table, prefix: prefix) {
        if table == .record {
          let record = try Keys.record(parsing: key)
          touched.append(record)
          try updateIndexes(of: record, from: storedIndexRows(of: record, row), to: [])
        }
        try storage.delete(table, key)
      }
    }
    var zone = try zone(id)
    zone.live = [:]
    setZone(id, zone)
  }

  /// The children of a record with a row: those that are not deleted themselves, or those that `wants` accepts.
  package func children(
    of key: RecordKey, where wants: ((RecordKey, RecordState) -> Bool)? = nil
  ) throws -> [(key: RecordKey, state: RecordState)] {
    var found: [(key: RecordKey, state: RecordState)] = []
    for type in rules.schema.collections where type.parents.contains(key.collection) {
      for (row, _) in try storage.entries(.record, prefix: Keys.prefix(key.zone, type.name)) {
        let child = try Keys.record(parsing: row)
        let state = try record(child)
        if rules.parent(of: state, child) == key,
          wants?(child, state) ?? rules.isVisible(state, in: child.collection)
        {
          found.append((child, state))
        }
      }
    }
    return found
  }

  // MARK: The end

  /// Writes the records that have changed; the transaction can go on.
  func flushRecords() throws {
    var dirty: [(row: [UInt8], place: Int)] = []
    for place in records.indices where records[place].isDirty {
      dirty.append((Keys.record(records[place].key), place))
    }
    let written = records
    records = []
    places.removeAll(keepingCapacity: true)
    withoutRows = [:]
    dirty.sort { $0.row.precedes($1.row) }
    // In the order of keys the records of a zone and type follow each other: one sum for each run.
    var live: [(place: Int, change: Int)] = []
    for (row, place) in dirty {
      let change = try flush(written, place, row)
      if let last = live.last, written[last.place].key.isBeside(written[place].key) {
        live[live.count - 1].change += change
      } else {
        live.append((place, change))
      }
    }
    for (place, change) in live where change != 0 {
      let key = written[place].key
      var zone = try zone(key.zone)
      zone.live[key.collection, default: 0] += change
      setZone(key.zone, zone)
    }
  }

  /// Writes a record that has changed.
  ///
  /// - Returns: By how many more can be seen.
  private func flush(_ entries: [Entry], _ place: Int, _ row: [UInt8]) throws -> Int {
    let key = entries[place].key
    let collection = key.collection
    if let created = entries[place].row {
      try storage.put(.record, row, created)
      try updateIndexes(of: key, from: [], to: storedIndexRows(of: key, created))
      // Nothing was known of it, and what creates a record shows it.
      return 1
    }
    if entries[place].state.isEmpty {
      try storage.delete(.record, row)
      if rules[collection]?.hasLocalFields != false { try storage.delete(.local, row) }
    } else {
      try storage.put(.record, row, entries[place].state.packed(&symbols))
    }
    try updateIndexes(
      of: key, from: entries[place].indexRows, to: rules.indexRows(of: key, entries[place].state))
    let before = entries[place].conflicted
    let conflicted = rules.conflicted(entries[place].state, in: collection)
    if conflicted.isEmpty, !before.isEmpty {
      try storage.delete(.conflict, row)
    } else if !conflicted.isEmpty, before.isEmpty {
      try storage.put(.conflict, row, [])
    }
    newConflicts += conflicted.filter { !before.contains($0) }.count
    let isVisible = rules.isVisible(entries[place].state, in: collection)
    return isVisible == entries[place].wasVisible ? 0 : isVisible ? 1 : -1
  }

  // MARK: Indexes

  /// Brings the rows by which a record is found from one state to another.
  private func updateIndexes(
    of key: RecordKey, from before: [IndexRow], to after: [IndexRow]
  ) throws {
    let isKept = try hasIndexes ?? keepsIndexes()
    hasIndexes = isKept
    guard isKept, before != after else { return }
    for row in before where !after.contains(row) { try storage.delete(.index, row.key) }
    for row in after where !before.contains(row) { try storage.put(.index, row.key, row.value) }
  }

  private func storedIndexRows(of key: RecordKey, _ row: [UInt8]) throws -> [IndexRow] {
    guard rules.indexes[key.collection] != nil else { return [] }
    return try rules.indexRows(of: key, RecordState(packed: row, symbols))
  }

  /// Writes what has changed; call once, last.
  package func finish() throws {
    try flushRecords()
    for id in dirtyZones.sorted() {
      if let state = zones[id] { try storage.put(.meta, Keys.zone(id), state.encoded) }
    }
    try symbols.save(to: storage, since: known)
    if try !clockRow.covers(clock.last, in: storage) {
      let row = ClockRow(time: clock.last, zone: lastChanged ?? clockRow.zone)
      try storage.put(.meta, Keys.clock, row.encoded)
    }
  }
}

extension SymbolTable {
  /// The table with the rows that other processes have added since.
  func extended(from storage: any StorageReader) throws -> SymbolTable {
    guard let row = try storage.get(.meta, Keys.symbols) else { return SymbolTable() }
    let (names, replicas) = try row.reading { (try $0.varint(), try $0.varint()) }
    var table = self
    if table.names.count > names || table.replicas.count > replicas { table = SymbolTable() }
    while table.names.count < names {
      guard let text = try storage.get(.symbol, Keys.name(table.names.count)) else {
        throw Keys.damaged("the table of names")
      }
      let number = table.names.count
      // A name that is there already would never let the table grow.
      guard table.number(Name(String(decoding: text, as: UTF8.self))) == number else {
        throw Keys.damaged("the table of names")
      }
    }
    while table.replicas.count < replicas {
      guard let row = try storage.get(.symbol, Keys.replica(table.replicas.count)) else {
        throw Keys.damaged("the table of replicas")
      }
      let number = table.replicas.count
      guard table.number(try row.reading { try $0.replica() }) == number else {
        throw Keys.damaged("the table of replicas")
      }
    }
    return table
  }

  package func save(to storage: any StorageWriter, since known: (names: Int, replicas: Int)) throws
  {
    guard names.count > known.names || replicas.count > known.replicas else { return }
    for number in known.names..<names.count {
      try storage.put(.symbol, Keys.name(number), Array(names[number].text.utf8))
    }
    for number in known.replicas..<replicas.count {
      try storage.put(.symbol, Keys.replica(number), replicas[number].bytes)
    }
    var writer = ByteWriter()
    writer.write(count: names.count)
    writer.write(count: replicas.count)
    try storage.put(.meta, Keys.symbols, writer.bytes)
  }
}
