import SyncKitModel

/// A kind of personal data: its schema, and the rules that a schema cannot say.
///
/// A domain imports no storage, no transport and no command line. From the schema alone it gets
/// every generic verb, sync, history, undo and conflicts; the hooks have defaults.
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

  /// Reads a file that people of this domain have; nil when the format is not the domain's own.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - format: The file's format by name or extension in lowercase, nil when unknown.
  /// - Returns: The good rows and the bad ones; nil when the format is not the domain's own.
  /// - Throws: ``SyncError`` with code `input.invalid` when the file as a whole cannot be read;
  ///   faults of single rows are reported in the result.
  func importRecords(_ bytes: [UInt8], format: String?) throws -> ImportedRecords?

  /// Reads a file piece by piece where it may be too large for ``importRecords(_:format:)``.
  ///
  /// Asked first, for a file or for each entry of an archive.
  /// - Parameters:
  ///   - name: The file's name, or the entry's path; nil when unknown.
  ///   - format: The file's format by name or extension in lowercase, nil when unknown.
  ///   - head: The first bytes, at least 1,024 unless the file is shorter.
  /// - Returns: What reads the file; nil to have it read whole.
  /// - Throws: ``SyncError`` `input.invalid` when the first bytes show that it cannot be read.
  func streamingImport(
    name: String?, format: String?, head: [UInt8]
  ) throws -> (any StreamingImport)?

  /// Whether record content must never appear in messages; then messages name only the field.
  var isPrivate: Bool { get }

  /// Writes records in a format of the domain's own; nil when it has none of that name.
  func exportRecords(_ records: [Record], format: String) throws -> [UInt8]?
}

extension SyncDomain {
  public func normalize(_ draft: inout RecordDraft) throws {}
  public func complete(_ draft: inout RecordDraft, over record: Record?) throws {}
  public func importRecords(_ bytes: [UInt8], format: String?) throws -> ImportedRecords? { nil }
  public func streamingImport(
    name: String?, format: String?, head: [UInt8]
  ) throws -> (any StreamingImport)? { nil }
  public var isPrivate: Bool { false }
  public func exportRecords(_ records: [Record], format: String) throws -> [UInt8]? { nil }
  /// The domain's name.
  public var name: String { schema.name }
}

/// A record to write: flat fields, whatever the groups.
public struct RecordDraft: Sendable {
  /// The record's type.
  public var collection: Name
  /// Its id; nil to have one derived by the domain or drawn at random.
  public var id: Name?
  /// Its parent, for collections that have one.
  public var parent: RecordKey?
  /// The fields to write; members of groups stand beside plain fields.
  public var fields: [Name: Value]
  /// Values to copy along that are not fields of the type, as in ``Record/others``: for copies of records.
  ///
  /// Values that the type has no room for are left out.
  public var others: [Name: Value] = [:]
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
    _ collection: Name, id: Name? = nil, parent: RecordKey? = nil, fields: [Name: Value],
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

/// What an import file holds.
public struct ImportedRecords: Sendable {
  /// A position in the file that cannot become a record.
  public struct Fault: Sendable {
    /// The row or line, counted from 1; nil when the format has none.
    public var row: Int?
    /// The column or key.
    public var column: String?
    /// What is wrong, as a sentence.
    public var message: String

    /// Describes a fault.
    public init(row: Int?, column: String? = nil, message: String) {
      self.row = row
      self.column = column
      self.message = message
    }
  }

  /// A record with its position in the file.
  public struct Row: Sendable {
    /// The row or line, counted from 1.
    public var row: Int?
    /// What to write.
    public var draft: RecordDraft

    /// Makes a row.
    public init(row: Int?, draft: RecordDraft) {
      self.row = row
      self.draft = draft
    }
  }

  /// The good rows, in the order of the file.
  public var rows: [Row]
  /// The bad ones.
  public var faults: [Fault]
  /// What was left out on purpose, a sentence for each kind; no reason to refuse the file.
  public var notes: [String]

  /// Makes a result.
  public init(rows: [Row], faults: [Fault] = [], notes: [String] = []) {
    self.rows = rows
    self.faults = faults
    self.notes = notes
  }
}
