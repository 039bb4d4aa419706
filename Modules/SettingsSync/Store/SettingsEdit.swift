public import SyncKit

/// Writes to the settings of a namespace, all in one batch.
///
/// A group is written whole: its keys that change together are one write, and those that do not
/// change keep their values.
public struct SettingsEdit: Sendable {
  /// The namespace.
  public let namespace: String
  /// The synced values to write; nil resets a key, on every device.
  public var edits: [String: SettingValue?]
  /// The values of this device to write; nil removes one.
  public var localEdits: [String: SettingValue?]
  /// Overrides to write by key and condition; nil removes one.
  public var overrides: [(key: String, condition: SettingCondition, value: SettingValue?)] = []
  /// The state of a file, for the next capture.
  public var baseline: (source: String, seen: SettingsBaseline)?

  /// Plans writes.
  public init(
    _ namespace: String, edits: [String: SettingValue?] = [:],
    local: [String: SettingValue?] = [:]
  ) {
    self.namespace = namespace
    self.edits = edits
    localEdits = local
  }

  /// The effect of a write on one record.
  public struct Change: Sendable {
    /// The record before; nil when there was none.
    public var before: Record?
    /// The record after.
    public var after: Record
  }

  /// Carries the writes out.
  ///
  /// - Returns: The changes.
  /// - Throws: ``SyncError`` `input.invalid` for a value that violates the declaration,
  ///   `settings.quota` when the namespace keeps limits and would break them; then nothing is
  ///   written.
  public func run(
    _ transaction: WriteTransaction, over snapshot: SettingsSnapshot
  ) throws -> [Change] {
    let declaration = snapshot.namespace.declaration
    var run = Run(transaction: transaction, snapshot: snapshot)
    var wanted = snapshot.synced
    var records: [RecordID: [String: SettingValue?]] = [:]
    for (key, value) in edits {
      let value = try value.map { try checked($0, for: key, declaration) }
      wanted[key] = value
      records[snapshot.recordID(of: key), default: [:]][key] = .some(value)
    }
    if declaration.keepsKeyValueStoreLimits, let breach = KeyValueStoreLimits.breach(wanted) {
      throw breach
    }
    for (id, values) in records.sorted(by: { $0.key < $1.key }) { try run.write(values, to: id) }
    for item in overrides {
      let value = try item.value.map { try checked($0, for: item.key, declaration) }
      try run.override(item.key, item.condition, value)
    }
    for (key, value) in localEdits.sorted(by: { $0.key < $1.key }) {
      let value = try value.map { try checked($0, for: key, declaration) }
      try run.local(.qualified(namespace, key), value)
    }
    if let baseline { try run.keep(baseline.seen, of: baseline.source) }
    return run.changes
  }

  private func checked(
    _ value: SettingValue, for key: String, _ declaration: SettingsDeclaration
  ) throws -> SettingValue {
    do throws(SettingProblem) { return try declaration.checked(value, for: key) } catch {
      throw SyncError(.inputInvalid, "The setting '\(key)' \(error).")
    }
  }
}

/// The writes of one transaction.
private struct Run {
  let transaction: WriteTransaction
  let snapshot: SettingsSnapshot
  var changes: [SettingsEdit.Change] = []
  private var root: RecordKey?

  init(transaction: WriteTransaction, snapshot: SettingsSnapshot) {
    self.transaction = transaction
    self.snapshot = snapshot
    root = snapshot.root
  }

  /// The namespace's record, made when first needed.
  private mutating func namespace() throws -> RecordKey {
    if let root { return root }
    let draft = RecordDraft(.namespace, id: RecordID(snapshot.namespace.name), fields: [:])
    let key = try transaction.save(draft).key
    root = key
    if let after = try transaction.record(key) { changes.append(.init(before: nil, after: after)) }
    return key
  }

  /// Writes values to the record of a group, or to that of a key.
  mutating func write(_ values: [String: SettingValue?], to id: RecordID) throws {
    let declaration = snapshot.namespace.declaration
    guard declaration.groups[id.text] != nil else {
      try save(values[id.text].flatMap { $0 }.map { .single($0) }, id, declaration.merge(id.text))
      return
    }
    var whole: [String: SettingValue] = [:]
    for key in declaration.groups[id.text] ?? [] { whole[key] = snapshot.synced[key] }
    for (key, value) in values { whole[key] = value }
    try save(whole.isEmpty ? nil : .group(whole), id, .newest)
    // Values of a device that did not know the group move into it.
    for key in declaration.groups[id.text] ?? [] where RecordID(key) != id {
      if snapshot.settings[RecordID(key)] != nil { try save(nil, RecordID(key), .newest) }
    }
  }

  private mutating func save(_ content: SettingRecord?, _ id: RecordID, _ merge: MergeRule) throws {
    let before = snapshot.settings[id]
    guard let content else {
      if let before { try delete(before) }
      return
    }
    let parent = try namespace()
    let draft = RecordDraft(
      .setting, id: id, parent: parent, fields: content.fields(merge: merge))
    try save(draft, before)
  }

  mutating func override(
    _ key: String, _ condition: SettingCondition, _ value: SettingValue?
  ) throws {
    let parent = try namespace()
    let id = RecordID("\(key)@\(condition)")
    let record = RecordKey(zone: parent.zone, collection: .override, id: id)
    let before = try transaction.record(record)
    guard let value else {
      if let before, !before.isDeleted { try delete(before) }
      return
    }
    var fields = SettingRecord.single(value).fields()
    fields[.key] = .string(key)
    fields[.condition] = .string("\(condition)")
    try save(RecordDraft(.override, id: id, parent: parent, fields: fields), before)
  }

  /// Writes a value that never leaves this device.
  mutating func local(_ id: RecordID, _ value: SettingValue?) throws {
    let key = RecordKey(zone: .local, collection: .localValue, id: id)
    let before = try transaction.record(key)
    guard let value else {
      if let before, !before.isDeleted { try delete(before) }
      return
    }
    try save(
      RecordDraft(.localValue, id: id, fields: SettingRecord.single(value).fields()), before)
  }

  /// Keeps the state of a file, in a field that stays on this device.
  mutating func keep(_ baseline: SettingsBaseline, of source: String) throws {
    let key = try namespace()
    var all = try transaction.record(key).map { SettingsBaseline.all($0) } ?? [:]
    guard all[source] != baseline else { return }
    all[source] = baseline
    try transaction.edit(key, [.baselines: SettingsBaseline.stored(all)])
  }

  private mutating func save(_ draft: RecordDraft, _ before: Record?) throws {
    let (outcome, key) = try transaction.save(draft)
    guard outcome != .unchanged, let after = try transaction.record(key) else { return }
    changes.append(.init(before: before.flatMap { $0.isDeleted ? nil : $0 }, after: after))
  }

  private mutating func delete(_ record: Record) throws {
    try transaction.delete(record.key)
    var after = record
    after.isDeleted = true
    changes.append(.init(before: record, after: after))
  }
}

extension SyncStore {
  /// Writes settings as one batch.
  ///
  /// - Throws: ``SyncError`` as ``SettingsEdit/run(_:over:)``.
  @discardableResult
  public func write(
    _ edit: SettingsEdit
  ) throws -> (changes: [SettingsEdit.Change], summary: BatchSummary) {
    let snapshot = try settings(of: edit.namespace)
    let (changes, summary) = try write { try edit.run($0, over: snapshot) }
    return (changes, summary)
  }
}
