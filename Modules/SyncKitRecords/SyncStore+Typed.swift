public import SyncKit

extension SyncStore {
  /// All records of a type, without deleted ones, in the order of their ids.
  public func all<Model: SyncedRecord>(_ type: Model.Type) throws -> [Model] {
    var models: [Model] = []
    try forEachRecord(in: Model.collection) { record in
      if let model = Model(record) { models.append(model) }
    }
    return models
  }

  /// The records that belong to another one, in the order of their ids.
  public func all<Model: SyncedRecord, Parent: SyncedRecord>(
    _ type: Model.Type, in parent: Parent
  ) throws -> [Model] {
    try fetch(RecordQuery(type, in: parent))
  }

  /// The record with this id; nil when there is none, or a deleted one.
  public func find<Model: SyncedRecord>(_ type: Model.Type, _ id: Model.ID) throws -> Model? {
    guard let record = try record(Model.collection, Model.recordID(id)), !record.isDeleted else {
      return nil
    }
    return Model(record)
  }

  /// The conflicts of the records of a type.
  public func conflicts<Model: SyncedRecord>(of type: Model.Type) throws -> [ModelConflict<Model>] {
    let conflicts = try conflicts().filter { $0.key.collection == Model.collection }
    return try conflicts.compactMap { conflict in
      guard let record = try record(conflict.key), let shown = Model(record) else { return nil }
      guard let property = Model.schema.replacing(conflict.field) else {
        return ModelConflict(conflict, shown)
      }
      // A field and the one in whose place it came are one property.
      let other = conflicts.first {
        $0.key == conflict.key && $0.field != conflict.field
          && Model.schema.replacing($0.field)?.name == property.name
      }
      guard other == nil || conflict.field == property.name else { return nil }
      return ModelConflict(conflict, former: other, of: property, record, shown)
    }
  }

  /// Writes what only the former fields of a type hold into the fields that came in their place.
  ///
  /// Afterwards `replacing` may leave the schema, once no device has a version of the app that writes the former fields, and
  /// all that such versions wrote has been synced: without it, a record that only has a former field reads as unset. What
  /// other people share read-only stays as it is.
  /// - Returns: How many records were written.
  /// - Throws: ``SyncKit/SyncError`` `store.io` and the like; what was written by then stays.
  @discardableResult
  public func convertFormerFields<Model: SyncedRecord>(of type: Model.Type) throws -> Int {
    var keys: [RecordKey] = []
    try forEachRecord(in: Model.collection) { record in
      if record.access?.role.mayWrite ?? true, !Model.unconverted(record.fields).fields.isEmpty {
        keys.append(record.key)
      }
    }
    // So many that a step does not hold up other writers for long.
    for start in stride(from: 0, to: keys.count, by: 500) {
      try write { transaction in
        for key in keys[start..<min(start + 500, keys.count)] {
          guard let record = try transaction.record(key), !record.isDeleted else { continue }
          let (fields, pairs) = Model.unconverted(record.fields)
          if !fields.isEmpty { try transaction.edit(key, fields, repeating: pairs) }
        }
      }
    }
    return keys.count
  }
}

extension SyncedRecord {
  /// The fields of a stored record whose values a former field has.
  fileprivate static func unconverted(
    _ stored: [FieldName: Value]
  ) -> (fields: [FieldName: Value], pairs: Set<FieldName>) {
    var fields: [FieldName: Value] = [:]
    var pairs: Set<FieldName> = []
    for syncedField in schema.syncedFields where syncedField.part.former != nil {
      let value = syncedField.part.value(in: stored)
      guard !value.isNull, value != stored[syncedField.name] else { continue }
      for (name, value) in syncedField.writes(value) { fields[name] = value }
      pairs.formUnion(syncedField.pair)
    }
    return (fields, pairs)
  }
}

/// A property, or a group of them, of which two or more distinct values stand beside each other.
public struct ModelConflict<Model: SyncedRecord>: Sendable {
  /// One of the values.
  public struct Candidate: Sendable {
    /// The record as it would be with this value.
    public let model: Model
    /// The device that wrote it.
    public let device: DeviceName
    /// Milliseconds since 1970 of the write.
    public let at: Int64
    /// Whether this device wrote it.
    public let isMine: Bool

    init(model: Model, _ candidate: Conflict.Candidate) {
      self.model = model
      (device, at, isMine) = (candidate.device, candidate.at, candidate.isMine)
    }

    /// The record as it would be with a value of one property.
    fileprivate init(
      _ candidate: Conflict.Candidate, _ value: Value, of property: SyncedField<Model>,
      _ shown: Model
    ) {
      var model = shown
      property.read(value, &model)
      self.init(model: model, candidate)
    }
  }

  /// The record as it is shown now.
  public let model: Model
  /// The properties that are at stake; more than one for a group.
  public let properties: [any PartialKeyPath<Model> & Sendable]
  /// The names of their fields, in the same order.
  public let fields: [FieldName]
  /// Whether a person has to choose; otherwise it is settled and only listed.
  public let needsDecision: Bool
  /// The values, newest first, each once.
  public let candidates: [Candidate]

  /// A conflict of a property, of its former field, or of both.
  ///
  /// A version with both fields has written both, so each of its values stands beside one of the former field that is
  /// what ``FormerField`` writes for it; a value of the former field without such a one is of an older version.
  init(
    _ conflict: Conflict, former other: Conflict?, of property: SyncedField<Model>,
    _ record: Record, _ shown: Model
  ) {
    let isOfFormer = conflict.field != property.name
    let formerWrites = property.part.former?.write
    let values =
      isOfFormer
      ? [record.fields[property.name] ?? .null] : conflict.candidates.map(\.value)
    func value(of former: Value) -> Value? {
      values.first { !$0.isNull && formerWrites?($0) == former }
    }
    func read(_ former: Conflict.Candidate) -> Candidate {
      let value = property.part.former.map { property.part.value(in: [$0.name: former.value]) }
      return Candidate(former, value ?? .null, of: property, shown)
    }
    var found: [Candidate] = []
    if isOfFormer {
      found = conflict.candidates.map { candidate in
        value(of: candidate.value).map { Candidate(candidate, $0, of: property, shown) }
          ?? read(candidate)
      }
    } else {
      found = conflict.candidates.map { Candidate($0, $0.value, of: property, shown) }
      found += (other?.candidates ?? []).filter { value(of: $0.value) == nil }.map(read)
      found.sort { $0.at > $1.at }
    }
    model = shown
    properties = [property.property]
    fields = [property.name]
    needsDecision = conflict.needsDecision || other?.needsDecision == true
    candidates = found
  }

  init(_ conflict: Conflict, _ shown: Model) {
    let syncedFields = Model.schema.syncedFields.filter { syncedField in
      syncedField.name == conflict.field
        || Model.schema.type.group(of: syncedField.name)?.name == conflict.field
    }
    let registered = Model.schema.type.registered(conflict.field)
    let group = registered?.members.isEmpty == false ? registered : nil
    model = shown
    properties = syncedFields.map(\.property)
    fields = syncedFields.map(\.name)
    needsDecision = conflict.needsDecision
    candidates = conflict.candidates.map { candidate in
      var model = shown
      for syncedField in syncedFields {
        let value =
          if let group {
            // All members are at stake, also those that a candidate leaves unset.
            syncedField.part.value(
              in: Dictionary(
                uniqueKeysWithValues: group.members.map {
                  ($0.name, candidate.value.map?[$0.name] ?? .null)
                }))
          } else {
            candidate.value
          }
        syncedField.read(value, &model)
      }
      return Candidate(model: model, candidate)
    }
  }
}
