import SyncKitModel

/// A kind of personal data: its schema, and the rules that a schema cannot say.
///
/// A domain imports no storage, no transport and no command line. From the schema alone it gets
/// every generic verb, sync, history, undo and conflicts; the hooks have defaults. File formats of its own
/// are protocols beside it: ``ImportingDomain``, ``ExportingDomain``.
///
/// `DomainContract` in SyncKitTesting checks a conformance.
public protocol SyncDomain: Sendable {
  /// The collections and their rules.
  var schema: DomainSchema { get }

  /// Brings a draft into its normal form, derives its id, or refuses it.
  ///
  /// Called before every create and edit with the fields that are about to be written.
  /// - Throws: ``SyncError`` with code `input.invalid` and a sentence that names the field.
  func normalize(_ draft: inout RecordDraft) throws

  /// Adds to a normalised draft the fields that follow from others, or refuses it for what is there.
  ///
  /// Called after ``normalize(_:)`` in the transaction of the write, so that what is derived from a
  /// field can be left alone while the field keeps its value. The record is as the store shows it,
  /// nil when it is new or deleted.
  /// - Throws: ``SyncError`` with code `input.invalid` and a sentence that names the field.
  func complete(_ draft: inout RecordDraft, over record: Record?) throws
}

extension SyncDomain {
  public func normalize(_ draft: inout RecordDraft) throws {}
  public func complete(_ draft: inout RecordDraft, over record: Record?) throws {}
  /// Whether what records hold must never stand in a message; see ``DomainSchema/isPrivate``.
  package var isPrivate: Bool { schema.isPrivate }
  /// The domain's name.
  public var name: String { schema.name }
}

/// A record to write: flat fields, whatever the groups.
public struct RecordDraft: Sendable {
  /// The record's type.
  public var collection: CollectionName
  /// Its id; nil to have one derived by the domain or drawn at random.
  public var id: RecordID?
  /// Its parent, for collections that have one.
  public var parent: RecordKey?
  /// The fields to write; members of groups stand beside plain fields.
  public var fields: [FieldName: Value]
  /// Values to copy along that are not fields of the type, as in ``Record/others``: for copies of records.
  ///
  /// Values that the type has no room for are left out.
  public var others: [FieldName: Value] = [:]
  /// Fields that an edit writes although they have the value already, since they belong to others that it changes.
  package var repeats: Set<FieldName> = []
  /// Whether the write creates the record or edits some fields of an existing one.
  public var isNew: Bool
  /// Milliseconds since 1970 when the source says the write happened, for imports; a future time
  /// counts as now.
  public var at: Int64?
  /// How much the write says about the record, whatever the weight of its fields.
  ///
  /// A `touch` is what no person asked for, such as a value learned by the way; it never revives a
  /// deleted record.
  public var weight: Field.Weight

  /// Makes a draft.
  public init(
    _ collection: CollectionName, id: RecordID? = nil, parent: RecordKey? = nil,
    fields: [FieldName: Value],
    isNew: Bool = true, at: Int64? = nil, weight: Field.Weight = .edit
  ) {
    self.collection = collection
    self.id = id
    self.parent = parent
    self.fields = fields
    self.isNew = isNew
    self.at = at
    self.weight = weight
  }
}
