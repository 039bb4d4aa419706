public import SyncKit

extension SyncStore {
  /// Declares the settings of an app, in one batch with the changes that follow from it.
  ///
  /// Values of keys that now belong to a group move into its record.
  /// - Throws: ``SyncError`` `input.invalid` when a stored value violates the declaration.
  @discardableResult
  public func declare(
    _ declaration: SettingsDeclaration, for name: String
  ) throws -> (changes: [SettingsEdit.Change], summary: BatchSummary) {
    var snapshot = try settings(of: name)
    let before = snapshot
    snapshot.namespace.declaration = declaration
    var edit = SettingsEdit(name)
    for (key, value) in snapshot.synced where declaration.isFallback(value, of: key) {
      edit.edits[key] = .some(nil)
    }
    for keys in declaration.groups.values {
      // Any key of the group writes all of it.
      guard let key = keys.first(where: { before.settings[RecordID($0)] != nil }),
        edit.edits[key] == nil
      else { continue }
      edit.edits[key] = snapshot.synced[key]
    }
    let (changes, summary) = try write { transaction in
      let draft = RecordDraft(
        .namespace, id: RecordID(name), fields: [.declaration: declaration.value.stored])
      let (outcome, root) = try transaction.save(draft)
      var changes: [SettingsEdit.Change] = []
      if outcome != .unchanged, let after = try transaction.record(root) {
        changes.append(SettingsEdit.Change(before: nil, after: after))
      }
      snapshot.root = root
      return try changes + edit.run(transaction, over: snapshot)
    }
    return (changes, summary)
  }
}
