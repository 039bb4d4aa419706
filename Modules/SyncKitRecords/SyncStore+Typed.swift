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
    try conflicts().compactMap { conflict in
      guard conflict.key.collection == Model.collection, let record = try record(conflict.key),
        let shown = Model(record)
      else { return nil }
      return ModelConflict(conflict, shown)
    }
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

  init(_ conflict: Conflict, _ shown: Model) {
    let syncedFields = Model.schema.syncedFields.filter { syncedField in
      syncedField.name == conflict.field || syncedField.part.former?.name == conflict.field
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
          } else if syncedField.name == conflict.field {
            candidate.value
          } else {
            syncedField.part.value(in: [conflict.field: candidate.value])
          }
        syncedField.read(value, &model)
      }
      return Candidate(
        model: model, device: candidate.device, at: candidate.at, isMine: candidate.isMine)
    }
  }
}
