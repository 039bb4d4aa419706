import SyncKitModel
import Synchronization

/// The device that writes: an id that is its own, and a name for people.
public struct Device: Hashable, Sendable {
  /// A random id, the same in all domains of an installation.
  public var id: String
  /// What people call the device.
  public var name: String

  /// Names a device.
  public init(id: String, name: String) {
    self.id = id
    self.name = name
  }
}

/// The records of one domain on this device: reads, durable writes, history, conflicts.
///
/// Works without any remote; ``SyncEngine`` syncs it with others.
///
/// - **Durable.** When a write has returned, it survives power loss and is never lost.
/// - **Atomic.** A record and the change that made it are one transaction.
/// - Any number of processes may use one store at the same time.
public final class SyncStore: Sendable {
  /// The domain.
  public let domain: any SyncDomain
  /// The device that writes.
  public let device: Device
  package let rules: Rules
  package let storage: any Storage
  package let coding: any SegmentCoding
  package let environment: SyncEnvironment
  package let hub = EventHub()
  private let symbols = Mutex(SymbolTable())
  package let witness: (any ContinuityWitness)?
  /// Why nothing that is written here is sent; nil when the domain has remotes.
  package let detachment: UnsentEdits.Reason?
  /// Whether the store turned out, on opening, to be a copy or a restored one.
  public let isCopy: Bool

  /// Opens the store of a domain.
  ///
  /// The witness lies beside the store and proves that it is neither copied nor restored; without it only the
  /// remotes can tell. `rebase` sets policies that override the schema's, by field or group; `egress` says
  /// what the owner of the device keeps on it. `detachment` says why the domain has no remote; a writer is
  /// warned then if it did have one.
  ///
  /// The store remembers the schemas with which it was opened. Collections and fields may be added and left
  /// out; one whose type, group or placement has changed is refused by name, since other devices hold values
  /// of it.
  /// - Throws: ``SyncError`` `store.schema`, `store.damaged`, `store.newer`, `store.io`.
  public init(
    _ domain: any SyncDomain, storage: any Storage, coding: any SegmentCoding, device: Device,
    environment: SyncEnvironment, witness: (any ContinuityWitness)? = nil,
    rebase: [Name: RebasePolicy] = [:], egress: EgressRules? = nil,
    detachment: UnsentEdits.Reason? = nil
  ) throws {
    self.domain = domain
    self.storage = storage
    self.coding = coding
    self.device = device
    self.environment = environment
    self.witness = witness
    self.detachment = detachment
    rules = Rules(domain.schema, rebase: rebase, egress: egress)
    try Self.checkSchema(domain.schema, storage)
    isCopy = try Self.checkContinuity(
      storage, witness: witness, rules: Rules(domain.schema, rebase: rebase), coding: coding,
      environment: environment)
  }

  // MARK: Writing

  /// Writes records as one batch in one durable transaction.
  ///
  /// - Returns: What `body` returned, and what was done.
  /// - Throws: What `body` throws; then nothing was written.
  @discardableResult
  public func write<T>(
    _ body: (WriteTransaction) throws -> T
  ) throws -> (result: T, summary: BatchSummary) {
    try write(continuing: nil, isLastPart: true, body)
  }

  /// Writes many drafts as one batch, in transactions of at most ``importChunk`` records.
  ///
  /// `progress` is called after each transaction with the number of drafts written so far.
  /// - Throws: What stops it. When transactions before are committed the error is not safe, and it tells
  ///   what `SyncError.committed` is.
  public func importAll(
    _ drafts: [RecordDraft], progress: (Int) -> Void = { _ in }
  ) throws -> BatchSummary {
    try importAll(drafts, each: Self.importChunk, progress: progress)
  }

  /// The same in transactions of at most `chunk` records.
  package func importAll(
    _ drafts: [RecordDraft], each chunk: Int, progress: (Int) -> Void = { _ in }
  ) throws -> BatchSummary {
    var total = BatchSummary()
    var start = 0
    repeat {
      let end = min(start + chunk, drafts.count)
      do {
        let (_, summary) = try write(
          continuing: total.batch == nil ? nil : total, isLastPart: end == drafts.count
        ) { transaction in
          transaction.inner.expect(records: end - start)
          for draft in drafts[start..<end] { try transaction.save(draft) }
        }
        total.add(summary)
      } catch let error as SyncError {
        throw error.after(total)
      }
      start = end
      progress(end)
    } while start < drafts.count
    return total
  }

  /// How many records one transaction of an import holds at most.
  public static let importChunk = 20_000

  package func write<T>(
    continuing batch: BatchSummary?, isLastPart: Bool, _ body: (WriteTransaction) throws -> T
  ) throws -> (result: T, summary: BatchSummary) {
    let (result, summary, _) = try write(continuing: batch, isLastPart: isLastPart, .local, body)
    return (result, summary)
  }

  /// Writes what follows from an event on another device; returns the records concerned.
  func writeAs<T>(
    _ reason: SyncEvent.Reason, _ body: (WriteTransaction) throws -> T
  ) throws -> (result: T, touched: [RecordKey]) {
    let (result, _, touched) = try write(continuing: nil, isLastPart: true, reason, body)
    return (result, touched)
  }

  private func write<T>(
    continuing batch: BatchSummary?, isLastPart: Bool, _ reason: SyncEvent.Reason,
    _ body: (WriteTransaction) throws -> T
  ) throws -> (T, BatchSummary, touched: [RecordKey]) {
    let (result, summary, touched) = try transaction { inner in
      let author = BatchAuthor(
        inner, batch: batch?.batch ?? BatchID(from: environment), parts: batch?.parts ?? [:],
        ends: batch?.ends ?? [:], isLastPart: isLastPart)
      let transaction = WriteTransaction(
        inner, view: view(inner), domain: domain, author: author)
      let result = try body(transaction)
      try author.finish()
      var summary = transaction.summary
      summary.unsent = try reasonsNotToSend(author.parts.keys, inner)
      return (result, summary, inner.touched)
    }
    hub.send(touched, reason: reason)
    return (result, summary, touched)
  }

  /// One durable transaction.
  package func transaction<T>(_ body: (StoreTransaction) throws -> T) throws -> T {
    let (result, table) = try storage.write { writer in
      let transaction = try StoreTransaction(
        writer, rules: rules, coding: coding, environment: environment,
        symbols: symbols.withLock { $0 })
      let result = try body(transaction)
      try transaction.finish()
      return (result, transaction.symbols)
    }
    symbols.withLock { $0 = table }
    return result
  }

  func saveWitness(_ update: (inout Witness) -> Void) throws {
    guard let witness, var record = try witness.load() else { return }
    let before = record
    update(&record)
    if record != before { try witness.save(record) }
  }

  // MARK: Reading

  /// Reads one consistent moment.
  package func read<T>(_ body: (StoreReader) throws -> T) throws -> T {
    try storage.read { reader in
      let table = try symbols.withLock { $0 }.extended(from: reader)
      symbols.withLock { $0 = table }
      return try body(
        StoreReader(
          storage: reader, rules: rules, symbols: table, device: device, coding: coding))
    }
  }

  /// The record with this key, deleted ones included; nil when nothing is known of it.
  public func record(_ key: RecordKey) throws -> Record? {
    try read { reader in
      let state = try reader.state(key)
      return state.isEmpty ? nil : try reader.view.record(key, state)
    }
  }

  /// The record with this id, whatever its zone.
  public func record(_ collection: Name, _ id: Name) throws -> Record? {
    try read { reader in
      for zone in try reader.zones().keys.sorted() {
        let key = RecordKey(zone: zone, collection: collection, id: id)
        let state = try reader.state(key)
        if !state.isEmpty { return try reader.view.record(key, state) }
      }
      return nil
    }
  }

  /// All records with this id, one a zone at most: ids are unique within a tree only.
  public func records(_ collection: Name, id: Name) throws -> [Record] {
    try read { reader in
      try reader.zones().keys.sorted().compactMap { zone in
        let key = RecordKey(zone: zone, collection: collection, id: id)
        let state = try reader.state(key)
        return state.isEmpty ? nil : try reader.view.record(key, state)
      }
    }
  }

  /// Visits the records of a collection in the order of their zones and ids.
  public func forEachRecord(
    in collection: Name, includingDeleted: Bool = false, _ body: (Record) throws -> Void
  ) throws {
    try read { reader in
      for zone in try reader.zones().keys.sorted() {
        try reader.storage.scan(
          .record, prefix: Keys.prefix(zone, collection), after: nil
        ) { row, packed in
          let key = try Keys.record(parsing: row)
          let record = try reader.view.record(
            key, RecordState(packed: packed, reader.symbols))
          if includingDeleted || !record.isDeleted { try body(record) }
          return true
        }
      }
    }
  }

  /// The records of a collection in the order of their zones and ids.
  public func records(_ collection: Name, includingDeleted: Bool = false) throws -> [Record] {
    var records: [Record] = []
    try forEachRecord(in: collection, includingDeleted: includingDeleted) { records.append($0) }
    return records
  }

  /// How many records exist, by collection.
  public func counts() throws -> [Name: Int] {
    try read { reader in
      try reader.zones().values.reduce(into: [:]) { counts, zone in
        for (name, count) in zone.live where !Rules.isSystem(name) {
          counts[name, default: 0] += count
        }
      }
    }
  }

  /// What happens in the store and to it, for any number of listeners at any time.
  ///
  /// - A listener that comes late first gets the engine's current state.
  /// - **No change goes unheard.** What a listener has not taken yet waits for it, in order. When it lags by
  ///   more than a thousand events, they are joined: one ``SyncEvent/changed(_:reason:)`` for each reason with
  ///   every record, of each remote the last outcome, the last phase and progress. When more than 65,536
  ///   records wait, one ``SyncEvent/reload(_:)`` takes their place.
  /// - What other processes write to the same store is not reported.
  /// - The stream ends with the store, or when the listening task is cancelled.
  public var events: AsyncStream<SyncEvent> { hub.subscribe() }

  private func view(_ transaction: StoreTransaction) -> RecordView {
    let devices = DeviceDirectory(device: device)
    return RecordView(
      rules: rules, state: transaction.record,
      device: { zone, replica in
        try devices.name(
          of: replica, in: transaction.zone(zone), zone: zone, state: transaction.record)
      },
      local: { key in
        try transaction.storage.get(.local, Keys.record(key)).map(ValueMap.init(local:))
          ?? ValueMap()
      },
      scope: transaction.scope(of:))
  }
}

extension SyncError {
  /// The error of an import of which a part is committed already.
  fileprivate func after(_ summary: BatchSummary) -> SyncError {
    guard let batch = summary.batch else { return self }
    var error = self
    error.committed = summary
    error.isSafe = false
    let rest = "Undo the part already written with 'cloudsync undo \(batch)', or import again."
    error.hint = [hint, rest].compactMap(\.self).joined(separator: " ")
    return error
  }
}

extension ValueMap {
  package init(local row: [UInt8]) throws {
    self = try row.reading { try $0.value() }.map ?? ValueMap()
  }
}
