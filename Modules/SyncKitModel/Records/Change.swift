/// What an operation does to its record.
public enum OperationKind: UInt8, Sendable {
  /// Writes the record whole: covers every value seen; fields not named, or named with null, become
  /// unset and lose to any concurrent value.
  case create = 0
  /// Writes some fields.
  case edit = 1
  /// Writes some fields by the way, without keeping the record from deletion.
  case touch = 2
  /// Deletes the record; its fields stay restorable.
  case delete = 3
  /// Brings a deleted record back by writing every field again.
  case restore = 4
  /// Removes the record with its content.
  case erase = 5
  /// Drops what is known of a deleted record, once all devices know that it is deleted.
  case forget = 6

  /// What it writes into the alive register; nil for nothing.
  package var alive: AliveKind? {
    switch self {
    case .create, .restore: .created
    case .edit: .edited
    case .touch: .touched
    case .delete: .deleted
    case .erase: .erased
    case .forget: nil
    }
  }
}

/// One register's part of an operation.
public struct FieldWrite: Hashable, Sendable {
  /// The field, group or set element.
  public var name: FieldName
  /// The value; nil covers what was seen and writes nothing (a removed element of a set).
  public var value: Value?
  /// What the register showed before, for history and undo; nil when it showed nothing, ``untold`` when the
  /// change does not carry it.
  public var prior: Value?
  /// Whether a remote value overrode it before it was published (rebase policy `remoteWins`).
  ///
  /// It still covers what its author had seen, and its value stays in the register, behind those that are not
  /// overridden.
  public var isOverridden: Bool

  /// Makes a write.
  public init(name: FieldName, value: Value?, prior: Value? = nil, isOverridden: Bool = false) {
    self.name = name
    self.value = value
    self.prior = prior
    self.isOverridden = isOverridden
  }
}

extension FieldWrite {
  /// The prior value of a write that has no room for it beside the new one.
  public static let untold = Value.null

  /// Whether there was a prior value that the change does not carry.
  public var isPriorUntold: Bool { prior?.isNull == true }
}

/// What a change does to one record.
public struct RecordOperation: Hashable, Sendable {
  /// What it does.
  public var kind: OperationKind
  /// The record's type.
  public var collection: CollectionName
  /// The record's id.
  public var id: RecordID
  /// The registers it writes.
  public var writes: [FieldWrite]
  /// When the source says that it happened, if it is not the change's own time (an import).
  public var stamp: UInt64?

  /// Makes an operation.
  public init(
    _ kind: OperationKind, _ collection: CollectionName, _ id: RecordID,
    _ writes: [FieldWrite] = [],
    stamp: UInt64? = nil
  ) {
    self.kind = kind
    self.collection = collection
    self.id = id
    self.writes = writes
    self.stamp = stamp
  }
}

/// Names the user action that a change is part of; the same on every device.
public struct BatchID: Hashable, Sendable, CustomStringConvertible {
  /// Ten random bytes.
  public let bytes: [UInt8]

  /// Draws a new id.
  public init(from environment: SyncEnvironment) {
    bytes = environment.random().bigEndianBytes + environment.random().bigEndianBytes.prefix(2)
  }

  /// Takes ten bytes; nil for any other number.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 10 else { return nil }
    self.bytes = bytes
  }

  /// Reads the 16-digit text form.
  public init?(_ text: some StringProtocol) {
    guard let bytes = Base32.decode(text) else { return nil }
    self.init(bytes: bytes)
  }

  public var description: String { Base32.encode(bytes) }
}

/// An atomic piece of work in one zone; its dot is its place in its series.
public struct Change: Hashable, Sendable {
  /// The most operations.
  public static let maximumOperations = 1_000
  /// The most bytes.
  public static let maximumBytes = 1 << 20

  /// When it was made; its replica differs from the series' only in a change issued again.
  public var stamp: Stamp
  /// The user action it is part of.
  public var batch: BatchID
  /// Its place in the batch, from 0.
  public var part: Int
  /// Whether it ends the batch; a batch without its end is incomplete.
  public var isLastPart: Bool
  /// What its author had applied, its own series left out.
  public var context: VersionVector
  /// What it does.
  public var operations: [RecordOperation]

  /// Makes a change.
  public init(
    stamp: Stamp, batch: BatchID, part: Int = 0, isLastPart: Bool = true,
    context: VersionVector, operations: [RecordOperation]
  ) {
    self.stamp = stamp
    self.batch = batch
    self.part = part
    self.isLastPart = isLastPart
    self.context = context
    self.operations = operations
  }
}
