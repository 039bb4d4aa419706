public import SyncKit

extension WriteTransaction {
  /// Creates a record.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` when there is one with this id, or when the domain refuses it.
  public func insert<Model: SyncedRecord>(_ model: Model) throws {
    try insert(model, in: nil)
  }

  /// Creates a record that belongs to another one, such as an item of a list.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` when there is one with this id, or when the domain refuses it;
  ///   `record.not-found` when there is no such parent.
  public func insert<Model: SyncedRecord, Parent: SyncedRecord>(
    _ model: Model, in parent: Parent
  ) throws {
    try insert(model, in: existingKey(of: Parent.self, parent.recordID))
  }

  private func insert<Model: SyncedRecord>(_ model: Model, in parent: RecordKey?) throws {
    if let known = try self.key(of: Model.self, model.recordID, in: parent),
      let record = try record(known),
      !record.isDeleted
    {
      throw SyncError(
        .inputInvalid, "There is a \(Model.collection) '\(model.recordID)' already.",
        hint: "Update it instead.")
    }
    try save(
      RecordDraft(Model.collection, id: model.recordID, parent: parent, fields: model.fields))
  }

  /// Changes a record that is there: only the properties that `change` gives another value are written.
  ///
  /// What another device has written to the other properties meanwhile stays, also what this version of the app does not
  /// understand.
  /// - Returns: The record as it is now.
  /// - Throws: ``SyncKit/SyncError`` `record.not-found`, `input.invalid`; and what `change` throws.
  @discardableResult
  public func update<Model: SyncedRecord>(
    _ type: Model.Type, _ id: Model.ID, _ change: (inout Model) throws -> Void
  ) throws -> Model {
    let key = try existingKey(of: type, Model.recordID(id))
    guard let record = try record(key), let before = Model(record) else {
      throw SyncError.noModel(type, Model.recordID(id))
    }
    var after = before
    try change(&after)
    let (fields, pairs) = before.changes(to: after)
    if !fields.isEmpty { try edit(key, fields, repeating: pairs) }
    return after
  }

  /// Deletes a record; it can be restored.
  ///
  /// - Throws: ``SyncKit/SyncError`` `record.not-found`.
  public func delete<Model: SyncedRecord>(_ type: Model.Type, _ id: Model.ID) throws {
    try delete(existingKey(of: type, Model.recordID(id)))
  }

  /// Decides a conflict: the property has this value on every device.
  ///
  /// A property of a group decides the group: the other members keep what is shown.
  /// - Throws: ``SyncKit/SyncError`` `record.not-found`.
  public func resolve<Model: SyncedRecord, Property: FieldValue>(
    _ type: Model.Type, _ id: Model.ID, _ property: WritableKeyPath<Model, Property>,
    with value: Property
  ) throws {
    let key = try existingKey(of: type, Model.recordID(id))
    guard
      let syncedField = Model.schema.syncedFields.first(where: {
        $0.property as PartialKeyPath<Model> == property
      })
    else {
      throw SyncError(
        .inputInvalid, "This property of \(Model.collection) is no field of its schema.")
    }
    if let group = Model.schema.type.group(of: syncedField.name) {
      var members = ValueMap()
      let shown = try record(key)
      for member in group.members { members[member.name] = shown?[member.name] }
      for (name, value) in syncedField.writes(value.fieldValue) { members[name] = value }
      try resolve(key, register: group.name, value: .map(members))
    } else {
      for (name, value) in syncedField.writes(value.fieldValue) {
        try resolve(key, register: name, value: value)
      }
    }
  }

  private func existingKey<Model: SyncedRecord>(
    of type: Model.Type, _ id: RecordID
  ) throws -> RecordKey {
    guard let key = try key(of: type, id, in: nil), let record = try record(key), !record.isDeleted
    else { throw SyncError.noModel(type, id) }
    return key
  }

  private func key<Model: SyncedRecord>(
    of type: Model.Type, _ id: RecordID, in parent: RecordKey?
  ) throws -> RecordKey? {
    try parent.map { RecordKey(zone: $0.zone, collection: Model.collection, id: id) }
      ?? record(Model.collection, id)?.key
  }
}

extension SyncError {
  static func noModel<Model: SyncedRecord>(_ type: Model.Type, _ id: RecordID) -> SyncError {
    SyncError(.notFound, "There is no \(Model.collection) '\(id)'.")
  }
}
