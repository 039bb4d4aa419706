import CommandFoundation
import SettingsSync
import SyncKit

extension WriteResult {
  /// The changes of settings; creating a namespace along the way is not counted.
  init(_ changes: [SettingsEdit.Change], batch: BatchID?, isRehearsed: Bool) {
    self.init()
    if isRehearsed { plan = [] }
    for change in changes {
      if isRehearsed {
        plan?.append(
          contentsOf: change.after.isDeleted
            ? [RecordChange(.delete, change.after.key)]
            : RecordChange.between(change.before, and: change.after))
      }
      guard change.after.key.collection != "namespace" else { continue }
      if change.after.isDeleted {
        deleted += 1
      } else if change.before == nil {
        added += 1
      } else {
        changed += 1
      }
    }
    self.batch = isRehearsed || changes.isEmpty ? nil : batch
  }

  /// Carries writes out in one transaction; a dry run keeps none of them.
  init(
    _ edit: SettingsEdit, over snapshot: SettingsSnapshot, in store: SyncStore, isRehearsed: Bool
  ) throws {
    let (changes, summary) = try store.write { try edit.run($0, over: snapshot) }
    self.init(changes, batch: summary.batch, isRehearsed: isRehearsed)
    unsent = summary.unsent
    let all = try store.settings(of: edit.namespace)
    if all.namespace.declaration.keepsKeyValueStoreLimits,
      let warning = KeyValueStoreLimits.warning(all.synced)
    {
      warnings.append(warning)
    }
  }
}
