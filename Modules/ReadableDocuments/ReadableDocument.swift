import SyncKitModel
import SyncKitStore

/// A domain that can show its state as one readable file.
public protocol DocumentedDomain: SyncDomain {
  /// How the domain is shown.
  var document: any ReadableDocument { get }
}

/// How a domain shows its state as one readable file, for apps that know nothing of segments.
///
/// The file is a tree of JSON objects: arrays of records under fixed keys, and a few members at the
/// top. A domain says what a record's own members are and reads them back; the tree, the order, what
/// is new and what an edit of the file means are the same for every domain.
///
/// ## What a document promises
///
/// - **Repeatable.** ``write(_:)`` gives the same members for the same record, everywhere.
/// - **Its own reader.** ``read(_:of:in:over:)`` understands what ``write(_:)`` gives, and whatever else
///   apps write in its place.
/// - **Nothing dropped.** Members it does not know are fields too, or part of one.
/// - **Nothing private.** Only what may leave the device is ever written.
public protocol ReadableDocument: Sendable {
  /// Where the file lies below the remote, such as `Notes/Notes.json`; at most one folder deep.
  var path: String { get }
  /// The folder below the remote for one file of each root, such as `Notes/Lists`; nil when the domain
  /// is not shown that way.
  var folder: String? { get }
  /// The version of the readable part: written, and the newest that is read.
  var version: Int64 { get }
  /// Where the records stand, from the top.
  var levels: [DocumentLevel] { get }
  /// The members at the top that ``head(newest:device:)`` decides, or that mean nothing; a member
  /// that is not named here is kept as it is.
  var headNames: Set<FieldName> { get }

  /// The members at the top, without the version and the records.
  ///
  /// - Parameters:
  ///   - newest: Milliseconds since 1970 of the newest change of the content; nil without content.
  ///   - device: The id of the device that made it.
  /// - Returns: The members, all of them named in ``headNames``.
  func head(newest: Int64?, device: String?) -> ValueMap

  /// A record's own members; what stands in it is added by the caller.
  func write(_ record: DocumentRecord) -> ValueMap

  /// Reads a record's own members.
  ///
  /// A field that is not in the result is not spoken of; one that is null is unset.
  /// - Parameters:
  ///   - object: The members; those that hold other records are left out.
  ///   - collection: The record's type.
  ///   - parent: The id of the record it stands in; nil at the top.
  ///   - base: The members that ``write(_:)`` gave for it when the edit began; nil for a new
  ///     record. Where two members say the same thing, the one that differs from it counts.
  /// - Returns: What they say.
  /// - Throws: ``SyncError`` `input.invalid` with a sentence when it cannot be a record.
  func read(
    _ object: ValueMap, of collection: CollectionName, in parent: RecordID?, over base: ValueMap?
  ) throws -> DocumentRecord

  /// What decides where a record stands in its array, the most important value first; equals are in the order of their ids.
  func order(of record: DocumentRecord) -> [Value]
}

extension ReadableDocument {
  public var folder: String? { nil }

  public func order(of record: DocumentRecord) -> [Value] { [] }
}

/// An array of records in a document.
public struct DocumentLevel: Sendable {
  /// The type of the records.
  public var collection: CollectionName
  /// The key that holds the array.
  public var key: FieldName
  /// The arrays within each record.
  public var children: [DocumentLevel]

  /// Describes an array of records.
  public init(_ collection: CollectionName, key: FieldName, children: [DocumentLevel] = []) {
    self.collection = collection
    self.key = key
    self.children = children
  }
}

/// A record on its way into a document or out of one.
public struct DocumentRecord: Sendable {
  /// Its type.
  public var collection: CollectionName
  /// Its id; in a record that was read, the id that it gets if it is new.
  public var id: RecordID
  /// What the document calls it; the record's id where it says nothing else.
  public var published: String
  /// The fields, members of groups beside plain ones.
  public var fields: [FieldName: Value]
  /// Milliseconds since 1970 of its creation, if known.
  public var created: Int64?
  /// Milliseconds since 1970 of its last edit, if known.
  public var modified: Int64?
  /// Milliseconds since 1970 of its deletion; nil while it exists.
  public var deleted: Int64?
  /// The device that edited it last; passed over in what was read.
  public var device: String

  /// Makes a record.
  public init(
    _ collection: CollectionName, id: RecordID, published: String? = nil,
    fields: [FieldName: Value],
    created: Int64? = nil, modified: Int64? = nil, deleted: Int64? = nil, device: String = ""
  ) {
    self.collection = collection
    self.id = id
    self.published = published ?? id.text
    self.fields = fields
    self.created = created
    self.modified = modified
    self.deleted = deleted
    self.device = device
  }
}
