public import SyncKit

extension SyncStore {
  /// The records of a query.
  ///
  /// Without an index that serves the query, every record of the type is looked at; with a limit, no more than twice as
  /// many are kept in memory.
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` for a property that is no field, `store.damaged` and the like.
  public func fetch<Model: SyncedRecord>(_ query: RecordQuery<Model>) throws -> [Model] {
    let read = Model.schema.read
    return try records(query.checked()).compactMap { Model($0.key.id, $0.fields, read) }
  }

  /// How many records a query has; its limit counts.
  public func count<Model: SyncedRecord>(_ query: RecordQuery<Model>) throws -> Int {
    try count(query.checked())
  }

  /// The records of a query, now and again whenever a write of this process or a sync has changed them.
  ///
  /// - A listener that is slow gets the newest records and not those in between.
  /// - The records are read at most once in `pause`, also while a sync brings many changes.
  /// - Equal results in a row are one.
  /// - What other processes write shows with the next change of this one; see ``SyncKit/SyncStore/events``.
  ///
  /// The stream ends with the store, or when the listening task is cancelled; it throws what ``fetch(_:)`` throws.
  public func observe<Model: SyncedRecord>(
    _ query: RecordQuery<Model>, pause: Duration = .milliseconds(100)
  ) -> AsyncThrowingStream<[Model], any Error> {
    let events = self.events
    return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let listening = Task { [weak self] in
        var last: [[FieldName: Value]]?
        func tell() throws {
          guard let models = try self?.fetch(query) else { return }
          let fields = models.map(\.identified)
          guard fields != last else { return }
          last = fields
          continuation.yield(models)
        }
        do {
          try tell()
          for await event in events where event.concerns(Model.collection) {
            try tell()
            try await Task.sleep(for: pause)
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error is CancellationError ? nil : error)
        }
      }
      continuation.onTermination = { _ in listening.cancel() }
    }
  }
}

extension SyncedRecord {
  /// The stored fields with the id, to compare records of a type that need not be `Equatable`.
  fileprivate var identified: [FieldName: Value] {
    var fields = fields
    fields[FieldName("")] = .string(recordID.text)
    return fields
  }
}

extension SyncEvent {
  fileprivate func concerns(_ collection: CollectionName) -> Bool {
    switch self {
    case .changed(let keys, _): keys.contains { $0.collection == collection }
    case .reload: true
    case .phase, .progress, .finished, .failed: false
    }
  }
}
