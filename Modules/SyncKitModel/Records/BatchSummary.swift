/// What a write did to a record.
public enum WriteOutcome: String, Sendable {
  /// It was not there before.
  case added
  /// It got other values.
  case changed
  /// It was removed.
  case deleted
  /// It had the wanted values already.
  case unchanged
}

/// How many records a batch has added, changed and deleted.
public struct BatchSummary: Sendable {
  /// The batch; nil when nothing had to be written.
  public package(set) var batch: BatchID?
  /// Records that were not there before.
  public package(set) var added = 0
  /// Records that got other values.
  public package(set) var changed = 0
  /// Records that were removed.
  public package(set) var deleted = 0
  /// Records that had the wanted values already.
  public package(set) var unchanged = 0
  /// Why the edits stay on this device without a choice; empty when they are sent.
  public package(set) var unsent: [UnsentEdits] = []
  /// Where a further part of the same batch goes on.
  package var parts: [ZoneID: Int] = [:]
  /// The number of its last change in each zone.
  package var ends: [ZoneID: UInt64] = [:]

  /// Makes an empty summary.
  public init() {}

  package mutating func count(_ outcome: WriteOutcome) {
    switch outcome {
    case .added: added += 1
    case .changed: changed += 1
    case .deleted: deleted += 1
    case .unchanged: unchanged += 1
    }
  }

  package mutating func add(_ other: BatchSummary) {
    added += other.added
    changed += other.changed
    deleted += other.deleted
    unchanged += other.unchanged
    unsent += other.unsent.filter { !unsent.contains($0) }
    // Where nothing was written the batch stands as it did.
    guard let batch = other.batch else { return }
    self.batch = batch
    parts = other.parts
    ends = other.ends
  }
}
