import SyncKitModel

/// What a record was at a time, if not all changes that made it are here.
///
/// A change carries what it has replaced. So a field was what the last change before that time wrote, else
/// what the first one after it has replaced, else what it is now.
struct RecordPast {
  /// The record as it was shown; its dots mean nothing.
  package private(set) var state: RecordState
  /// Whether there was a value at that time that no change carries any more.
  private(set) var isIncomplete = false
  private let key: RecordKey
  private var settled: Set<FieldName> = []
  private var alive: AliveSibling?

  /// Goes back.
  ///
  /// - Parameters:
  ///   - present: What the record is now.
  ///   - key: The record.
  ///   - changes: All changes of it since a time before `at`, in order.
  ///   - at: Milliseconds.
  package init(of present: RecordState, _ key: RecordKey, after changes: [LoggedChange], at: Int64)
  {
    state = present
    self.key = key
    let later = changes.firstIndex { $0.change.stamp.milliseconds > at } ?? changes.count
    for item in changes[..<later].reversed() {
      for operation in operations(of: item).reversed() where !redo(operation, item) { return }
    }
    for item in changes[later...] {
      for operation in operations(of: item) { takeBack(operation, item) }
    }
    if let alive { state.alive = [alive] }
  }

  private func operations(of item: LoggedChange) -> [RecordOperation] {
    item.change.operations.filter { $0.collection == key.collection && $0.id == key.id }
  }

  /// Takes an operation before the time into account; false when nothing older counts.
  private mutating func redo(_ operation: RecordOperation, _ item: LoggedChange) -> Bool {
    // An overridden value never showed.
    for write in operation.writes where !write.isOverridden && settled.insert(write.name).inserted {
      put(write.name, write.value, item)
    }
    let kind: AliveKind =
      switch operation.kind {
      case .create, .restore: .created
      case .edit, .touch: .edited
      case .delete, .erase, .forget: .deleted
      }
    note(kind, item)
    guard [.create, .restore, .erase, .forget].contains(operation.kind) else { return true }
    for register in state.registers where !settled.contains(register.name) {
      put(register.name, nil, item)
    }
    if let alive { state.alive = [alive] }
    return false
  }

  /// Takes an operation behind the time back.
  private mutating func takeBack(_ operation: RecordOperation, _ item: LoggedChange) {
    for write in operation.writes where !write.isOverridden && settled.insert(write.name).inserted {
      put(write.name, write.prior, item)
      if write.isPriorUntold { isIncomplete = true }
    }
    state.erasures.removeAll { $0 == item.dot }
    // Making or restoring a record shows that it was not there.
    let wasThere = ![.create, .restore, .forget].contains(operation.kind)
    note(wasThere ? .created : .deleted, item)
  }

  private mutating func note(_ kind: AliveKind, _ item: LoggedChange) {
    alive = alive ?? AliveSibling(dot: item.dot, stamp: item.change.stamp, kind: kind)
  }

  private mutating func put(_ name: FieldName, _ value: Value?, _ item: LoggedChange) {
    state.registers.removeAll { $0.name == name }
    guard let value else { return }
    let sibling = Sibling(dot: item.dot, stamp: item.change.stamp, value: value)
    state.registers.insert(
      Register(name: name, siblings: [sibling]), at: state.insertionIndex(of: name))
  }
}
