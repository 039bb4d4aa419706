import CommandFoundation
import SyncKit

/// How generic verbs treat the records of a domain, where its schema does not say it.
public struct DomainRecords: Sendable {
  /// How records are shown.
  public var display: RecordDisplay
  /// How people name records and type values.
  public var input: RecordInput
  /// What is shared as a whole; nil when nothing of the domain is.
  public var sharing: RecordSharing?
  /// What `include` and `exclude` in the configuration choose among, where that is not the ids of roots.
  public var patterns: RecordPatterns?

  /// Says how.
  public init(
    display: RecordDisplay = RecordDisplay(), input: RecordInput = RecordInput(),
    sharing: RecordSharing? = nil, patterns: RecordPatterns? = nil
  ) {
    self.display = display
    self.input = input
    self.sharing = sharing
    self.patterns = patterns
  }
}

/// How the records of a domain are shown.
public struct RecordDisplay: Sendable {
  /// The examples in the help.
  public var example: DomainExample
  /// The columns of a list, before the time and the device; nil for the id and all fields.
  public var columns: (@Sendable (RecordType) -> [RecordColumn]?)?
  /// The fields that documents have even when they are unset, by collection.
  public var steadyFields: [CollectionName: [FieldName]]
  /// The fields of the first collection whose values `stats` counts.
  public var countedFields: [FieldName]

  /// Says how.
  public init(
    example: DomainExample = DomainExample(id: "ID", fields: "FIELD=VALUE"),
    columns: (@Sendable (RecordType) -> [RecordColumn]?)? = nil,
    steadyFields: [CollectionName: [FieldName]] = [:], countedFields: [FieldName] = []
  ) {
    self.example = example
    self.columns = columns
    self.steadyFields = steadyFields
    self.countedFields = countedFields
  }
}

/// How people name the records of a domain and type their values.
public struct RecordInput: Sendable {
  /// The fields of a group that one typed value means; nil when it means none.
  public var group: (@Sendable (_ group: FieldName, _ text: String) -> [FieldName: Value]?)?
  /// The record that a text means which is no id, such as a name; nil when there is none.
  ///
  /// It throws ``SyncError`` `usage` when the text means several.
  public var named:
    (
      @Sendable (_ text: String, _ collection: CollectionName, _ store: SyncStore) throws -> Record?
    )?
  /// What a file is, if the domain is certain that it is one of its own; nil for all others.
  ///
  /// A command that is given a file which another domain recognises names the command that reads it.
  public var recognize: (@Sendable (FileSample) -> RecognizedFile?)?
  /// What a typed text with a unit means for a field, as `5h` for a number of hours; nil for itself.
  var typed: (@Sendable (_ field: FieldName, _ text: String) -> String?)?
  /// Warnings about a draft that can be written nevertheless.
  var concerns: (@Sendable (RecordDraft) -> [Concern])?

  /// Says how.
  public init(
    group: (@Sendable (_ group: FieldName, _ text: String) -> [FieldName: Value]?)? = nil,
    named: (
      @Sendable (_ text: String, _ collection: CollectionName, _ store: SyncStore) throws -> Record?
    )? =
      nil,
    recognize: (@Sendable (FileSample) -> RecognizedFile?)? = nil
  ) {
    self.group = group
    self.named = named
    self.recognize = recognize
  }
}

/// What of a domain is shared as a whole.
public struct RecordSharing: Sendable {
  /// What a record is called that has a tree of its own, such as `subject`.
  public var noun: String
  /// The name of such a record in examples.
  public var example: String
  /// What others see as its name; nil for its field `name`, or its id.
  public var title: (@Sendable (Record) -> String)?

  /// Says what.
  public init(noun: String, example: String, title: (@Sendable (Record) -> String)? = nil) {
    self.noun = noun
    self.example = example
    self.title = title
  }
}

/// What `include` and `exclude` choose among in a domain.
public struct RecordPatterns: Sendable {
  /// The names that an operation writes under; one that stays keeps the operation on the device.
  public var names: @Sendable (RecordOperation) -> [String]
  /// What to do about a record that a pattern keeps from leaving.
  public var advice: String

  /// Says what.
  public init(advice: String, names: @escaping @Sendable (RecordOperation) -> [String]) {
    self.names = names
    self.advice = advice
  }
}

/// What examples of a domain's generic verbs look like, after the name of its command.
public struct DomainExample: Sendable {
  /// A record's id.
  public var id: String
  /// Some assignments of fields.
  public var fields: String
  /// The `add` of a record.
  public var add: String

  /// Makes examples; `add` has the id and the fields unless it is given.
  public init(id: String, fields: String, add: String? = nil) {
    self.id = id
    self.fields = fields
    self.add = add ?? "add \(id) \(fields)"
  }
}
