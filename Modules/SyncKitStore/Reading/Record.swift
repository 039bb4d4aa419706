import SyncKitModel

/// The author of an edit, as far as known here.
public struct DeviceName: Hashable, Sendable {
  /// The device's id; the replica's when the device has not introduced itself yet.
  public var id: String
  /// Its name; nil when unknown.
  public var name: String?

  /// Names a device.
  public init(id: String, name: String?) {
    self.id = id
    self.name = name
  }
}

/// A record as it is shown: one value a field, whatever lies beneath.
public struct Record: Sendable {
  /// Where the record's data may be.
  public enum Scope: String, Sendable {
    /// On this device only.
    case local
    /// On this person's devices.
    case synced
    /// On other people's devices too.
    case shared
  }

  /// Which record it is.
  public var key: RecordKey
  /// The fields that are set, members of groups beside plain fields, each with a value of its type.
  ///
  /// Of a collection that this version does not know these are all there are.
  public var fields: [FieldName: Value]
  /// Values that other programs wrote into the record and that are not values of any of its fields.
  ///
  /// By register, as stored: fields that this version does not know; for a group the members that it does not
  /// know, as a map; values of another type than the field's. All of them are kept and travel on. They never
  /// take the place of a field, whatever their name.
  public var others: [FieldName: Value]
  /// The parent; nil when it has none.
  public var parent: RecordKey?
  /// Milliseconds since 1970 of its creation.
  public var created: Int64
  /// Milliseconds since 1970 of its last edit.
  public var modified: Int64
  /// The author of the last edit.
  public var device: DeviceName
  /// Where its data may be.
  public var scope: Scope
  /// Its other participants; nil when it is not shared.
  public var access: ZoneAccess?
  /// The fields and groups with two or more distinct values that are to be listed.
  public var conflicts: [FieldName]
  /// Whether it is deleted, itself or with an ancestor.
  public var isDeleted: Bool
  /// Whether it is deleted with an ancestor only: restoring that one brings it back.
  public var isOrphan: Bool

  /// The value of a field; null when it is unset.
  public subscript(field: FieldName) -> Value { fields[field] ?? .null }

  /// Makes a record, for views built outside of a store.
  public init(
    key: RecordKey, fields: [FieldName: Value], others: [FieldName: Value] = [:],
    parent: RecordKey? = nil, created: Int64 = 0, modified: Int64 = 0,
    device: DeviceName = DeviceName(id: "", name: nil),
    scope: Scope = .local, access: ZoneAccess? = nil, conflicts: [FieldName] = [],
    isDeleted: Bool = false,
    isOrphan: Bool = false
  ) {
    self.key = key
    self.fields = fields
    self.others = others
    self.parent = parent
    self.created = created
    self.modified = modified
    self.device = device
    self.scope = scope
    self.access = access
    self.conflicts = conflicts
    self.isDeleted = isDeleted
    self.isOrphan = isOrphan
  }
}
