public import SyncKit

/// A type whose values are the records of one collection: model and schema in one.
///
/// ```swift
/// struct Book: SyncedRecord {
///   var id = RecordID.random
///   var title = ""
///   var tags: Set<String> = []
///   var note: String?
///
///   static let schema = RecordSchema<Book>("book") {
///     SyncedField("title", \.title)
///     SyncedField("tags", \.tags)
///     SyncedField("note", \.note, policy: KeepBothPolicy())
///   }
/// }
/// ```
///
/// The names in quotes are part of the format of every device: renaming a property changes nothing, renaming a
/// field makes another one. A property that no field names stays in memory.
public protocol SyncedRecord: Identifiable, Sendable where ID: FieldValue {
  /// A record with the values that count where nothing is stored.
  init()

  /// Names the record on every device; a text, a number, a `UUID` or a `RecordID`.
  var id: ID { get set }

  /// The collection, and which property is which field.
  static var schema: RecordSchema<Self> { get }
}

extension SyncedRecord {
  /// The collection's name.
  public static var collection: CollectionName { schema.type.name }

  /// The record's id as it is stored.
  public var recordID: RecordID { Self.recordID(id) }

  static func recordID(_ id: ID) -> RecordID {
    switch id.fieldValue {
    case .string(let text): RecordID(text)
    case .int(let number): RecordID("\(number)")
    case let other: RecordID("\(other)")
    }
  }

  static func id(_ id: RecordID) -> ID? {
    ID(fieldValue: .string(id.text)) ?? Int64(id.text).flatMap { ID(fieldValue: .int($0)) }
  }

  /// The record that a stored one stands for; nil when its id is none of this type.
  ///
  /// What this version of the app does not understand keeps the value of ``init()`` here and stays as it is in the store.
  public init?(_ record: Record) {
    self.init(record.key.id, record.fields, Self.schema.read)
  }

  /// Reads a record by the function of its schema, which many of them can share.
  init?(
    _ id: RecordID, _ fields: [FieldName: Value],
    _ read: ([FieldName: Value], inout Self) -> Void
  ) {
    guard let id = Self.id(id) else { return nil }
    self.init()
    self.id = id
    read(fields, &self)
  }

  /// All fields as they are stored; those that are unset are left out.
  var fields: [FieldName: Value] {
    var fields: [FieldName: Value] = [:]
    Self.schema.write(self, &fields)
    return fields
  }

  /// The fields in which two states of a record differ, and those of them that are to be written in any case.
  func changes(to other: Self) -> (fields: [FieldName: Value], pairs: Set<FieldName>) {
    var fields: [FieldName: Value] = [:]
    var pairs: Set<FieldName> = []
    for syncedField in Self.schema.syncedFields {
      let value = syncedField.write(other)
      guard value != syncedField.write(self) else { continue }
      for (name, value) in syncedField.writes(value) { fields[name] = value }
      pairs.formUnion(syncedField.pair)
    }
    return (fields, pairs)
  }
}

extension RecordID {
  /// A new id that no other record has.
  public static var random: RecordID {
    RecordID(
      UUIDText.random(
        from: SyncEnvironment(now: { 0 }, random: { UInt64.random(in: .min ... .max) })))
  }
}
