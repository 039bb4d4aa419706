import SyncKitModel
import Synchronization

extension SyncStore {
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
