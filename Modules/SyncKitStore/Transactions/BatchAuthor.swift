import SyncKitModel

/// Writes the changes of one user action: numbers, stamps, applies and stores its operations.
package final class BatchAuthor {
  /// A change that still grows; one object, so that what it holds is never copied for an addition.
  private final class OpenChange {
    let stamp: Stamp
    /// Its dot, and what it has seen.
    let context: WriteContext
    let part: Int
    var operations = ChangeWriter()
    var size = 0
    var editedAncestors: Set<RecordKey> = []

    init(_ zone: ZoneState, _ stamp: Stamp, part: Int) {
      self.stamp = stamp
      self.part = part
      context = WriteContext(dot: Dot(zone.own, zone.ownLast + 1), seen: zone.context)
    }
  }

  package let batch: BatchID
  package private(set) var parts: [ZoneID: Int]
  /// The number of the batch's last change in each zone.
  package private(set) var ends: [ZoneID: UInt64]
  private let transaction: StoreTransaction
  private let isLastPart: Bool
  private var open: [ZoneID: OpenChange] = [:]

  /// Begins a batch, or continues one of which each zone already has `parts` changes, up to `ends`.
  package init(
    _ transaction: StoreTransaction, batch: BatchID, parts: [ZoneID: Int] = [:],
    ends: [ZoneID: UInt64] = [:], isLastPart: Bool = true
  ) {
    self.transaction = transaction
    self.batch = batch
    self.parts = parts
    self.ends = ends
    self.isLastPart = isLastPart
  }

  /// Applies an operation and makes it part of the batch.
  ///
  /// - Throws: ``SyncError`` `input.invalid` for what no reader would take, or what is too large.
  package func append(_ operation: RecordOperation, in zone: ZoneID) throws {
    try operation.checkNames()
    try operation.checkDepth()
    let operation = operation.shortened(to: Change.maximumBytes)
    let size = operation.estimatedSize
    guard size <= Change.maximumBytes else {
      throw SyncError(
        .inputInvalid, "\(operation.collection)/\(operation.id) is larger than 1 MiB.",
        hint: "Keep large content outside of records.")
    }
    try append(operation, of: size, in: zone)
  }

  /// Applies an operation that writes again what is already here, and so must not fail because of its size: a
  /// record that was written bit by bit may be too much for one change, and continues in the next ones.
  func reappend(_ operation: RecordOperation, in zone: ZoneID) throws {
    for part in operation.parts(upTo: Change.maximumBytes) {
      try append(part, of: part.estimatedSize, in: zone)
    }
  }

  private func append(_ operation: RecordOperation, of size: Int, in zone: ZoneID) throws {
    let key = RecordKey(zone: zone, collection: operation.collection, id: operation.id)
    let ancestors =
      operation.kind.isEditOfAncestors ? try ancestors(of: key, after: operation) : []
    let change = try openChange(in: zone, for: size, editing: ancestors)
    if try !transaction.create(key, operation, dot: change.context.dot, stamp: change.stamp) {
      try transaction.updateRecord(key) { state in
        state.apply(operation, stamp: change.stamp, in: change.context)
      }
    }
    change.operations.append(operation)
    change.size += size
    try edit(ancestors, in: zone)
  }

  /// Stores what is open; call once, last.
  package func finish() throws {
    let written = open.keys.sorted()
    for zone in written { try close(zone, isLastPart: isLastPart) }
    if isLastPart { try markEnds(besides: Set(written)) }
  }

  /// Marks the end of a batch where it was written before, so that it never counts as interrupted: when it
  /// was written, its author could not know that nothing would follow.
  private func markEnds(besides written: Set<ZoneID>) throws {
    var isMarked = !written.isEmpty
    var sealed: [ZoneID] = []
    for (zone, seq) in ends.sorted(by: { $0.key < $1.key }) where !written.contains(zone) {
      if try markEnd(zone, seq) {
        isMarked = true
      } else if try !transaction.zone(zone).isClosed && transaction.isWritable(zone) {
        sealed.append(zone)
      }
    }
    guard !isMarked, let zone = sealed.first else { return }
    // What is sealed stays as it is; a change without operations says that it was the last one.
    _ = try openChange(in: zone, for: 0, editing: [])
    try close(zone, isLastPart: true, isEmpty: true)
  }

  /// Marks a change of the batch as its last; false when it is sealed.
  private func markEnd(_ zone: ZoneID, _ seq: UInt64) throws -> Bool {
    let key = Keys.change(zone, seq)
    guard let row = try transaction.storage.get(.change, key) else { return false }
    var unsealed = try UnsealedChange(key: key, row: row)
    let series = try transaction.zone(zone).own
    let change = try unsealed.bytes.reading(allowingRest: true) {
      try Change(&$0, series: series, after: VersionVector())
    }
    guard change.batch == batch else { return false }
    Change.markLastPart(in: &unsealed.bytes)
    try transaction.storage.put(.change, key, unsealed.bytes)
    return true
  }

  private func openChange(
    in zone: ZoneID, for size: Int, editing ancestors: [RecordKey]
  ) throws -> OpenChange {
    if let change = open[zone] {
      let new = ancestors.count { !change.editedAncestors.contains($0) }
      if change.operations.count + change.editedAncestors.count < Change.maximumOperations - 8,
        change.operations.count + 1 + new <= Change.maximumOperations,
        change.size + size <= Change.maximumBytes
      {
        return change
      }
      try close(zone, isLastPart: false)
    }
    let state = try transaction.zone(zone)
    let time = transaction.clock.tick(now: transaction.environment.now())
    let part = parts[zone] ?? 0
    parts[zone] = part + 1
    let change = OpenChange(state, Stamp(time: time, replica: state.own), part: part)
    open[zone] = change
    return change
  }

  private func close(_ zone: ZoneID, isLastPart: Bool, isEmpty: Bool = false) throws {
    guard let open = open.removeValue(forKey: zone), isEmpty || open.operations.count > 0 else {
      return
    }
    let state = try transaction.zone(zone)
    let head = Change(
      stamp: open.stamp, batch: batch, part: open.part, isLastPart: isLastPart,
      context: open.context.seen, operations: [])
    let bytes = open.operations.encoded(
      head, series: state.own, after: state.ownContext, versions: transaction.rules.version)
    try transaction.store(bytes, as: open.context.dot, seen: open.context.seen, in: zone)
    ends[zone] = open.context.dot.seq
  }

  /// The ancestors that an operation edits besides, the nearest first, as far as they are here.
  private func ancestors(
    of key: RecordKey, after operation: RecordOperation
  ) throws -> [RecordKey] {
    var next: RecordKey?
    if let write = operation.writes.last(where: { $0.name == .parent }) {
      next = write.value?.string.flatMap { RecordKey(parent: $0, in: key.zone) }
    } else if operation.kind == .edit {
      next = try transaction.rules.parent(of: transaction.record(key), key)
    }
    var ancestors: [RecordKey] = []
    guard next != nil else { return ancestors }
    var visited: Set<RecordKey> = [key]
    while let ancestor = next, visited.insert(ancestor).inserted {
      let state = try transaction.record(ancestor)
      guard !state.isEmpty else { break }
      ancestors.append(ancestor)
      next = transaction.rules.parent(of: state, ancestor)
    }
    return ancestors
  }

  private func edit(_ ancestors: [RecordKey], in zone: ZoneID) throws {
    for ancestor in ancestors {
      guard var change = open[zone], !change.editedAncestors.contains(ancestor) else { continue }
      if change.operations.count >= Change.maximumOperations {
        // A tree may be deeper than a change is long.
        change = try openChange(in: zone, for: 0, editing: [])
      }
      change.editedAncestors.insert(ancestor)
      let edit = RecordOperation(.edit, ancestor.collection, ancestor.id)
      try transaction.updateRecord(ancestor) {
        $0.apply(edit, stamp: change.stamp, in: change.context)
      }
      change.operations.append(edit)
    }
  }
}

extension OperationKind {
  /// Whether it counts as work on the record, so that its ancestors must stay too.
  fileprivate var isEditOfAncestors: Bool {
    switch self {
    case .create, .edit, .restore: true
    case .touch, .delete, .erase, .forget: false
    }
  }
}

extension RecordOperation {
  /// Refuses names that no reader would take; a change with one could never be applied anywhere.
  fileprivate func checkNames() throws {
    guard collection.text.utf8.count <= NameLimit.collection, !collection.text.utf8.contains(0),
      !id.text.isEmpty, id.text.utf8.count <= NameLimit.id
    else {
      throw SyncError(
        .inputInvalid, "\(collection)/\(id) cannot name a record.",
        hint: "An id has 1 to \(NameLimit.id) bytes.")
    }
    // By index, here and below: a loop over the writes copies each of them.
    for index in writes.indices where writes[index].name.text.utf8.count > NameLimit.field {
      throw SyncError(
        .inputInvalid,
        "'\(writes[index].name.field)' of \(collection)/\(id) has a name or element that is too long.",
        hint: "An element of a set has at most about 600 bytes.")
    }
  }

  /// Refuses values that no reader would take.
  fileprivate func checkDepth() throws {
    for index in writes.indices {
      try writes[index].value?.checkDepth(of: writes[index].name)
      try writes[index].prior?.checkDepth(of: writes[index].name)
    }
  }

  /// Leaves out prior values, the largest first, until it is no larger than `limit`, if that is enough.
  fileprivate func shortened(to limit: Int) -> RecordOperation {
    var size = estimatedSize
    guard size > limit else { return self }
    var operation = self
    let largest = writes.indices.sorted {
      (writes[$0].priorSize, $1) > (writes[$1].priorSize, $0)
    }
    for index in largest where size > limit && writes[index].prior != nil {
      operation.writes[index].prior = FieldWrite.untold
      size += operation.writes[index].priorSize - writes[index].priorSize
    }
    return operation
  }

  /// The operation in parts of at most `limit` bytes; a part of one write may be larger.
  fileprivate func parts(upTo limit: Int) -> [RecordOperation] {
    guard estimatedSize > limit else { return [self] }
    var parts: [RecordOperation] = []
    var part = RecordOperation(kind, collection, id, stamp: stamp)
    let empty = part.estimatedSize
    var size = empty
    for write in writes {
      let single = RecordOperation(.edit, collection, id, [write], stamp: stamp).shortened(
        to: limit)
      let length = single.estimatedSize - empty
      if !part.writes.isEmpty, size + length > limit {
        parts.append(part)
        part = RecordOperation(.edit, collection, id, stamp: stamp)
        size = empty
      }
      part.writes += single.writes
      size += length
    }
    return parts + [part]
  }

  /// About how many bytes the operation takes.
  package var estimatedSize: Int {
    writes.indices.reduce(16 + collection.text.utf8.count + id.text.utf8.count) {
      $0 + writes[$1].estimatedSize
    }
  }
}

extension FieldWrite {
  /// About how many bytes the write takes.
  fileprivate var estimatedSize: Int {
    4 + name.text.utf8.count + (value?.estimatedSize ?? 0) + priorSize
  }

  fileprivate var priorSize: Int { prior?.estimatedSize ?? 0 }
}

extension Value {
  /// About how many bytes the value takes.
  package var estimatedSize: Int {
    switch self {
    case .null, .bool: 1
    case .int, .double, .instant: 10
    case .string(let text): 4 + text.utf8.count
    case .bytes(let bytes): 4 + bytes.count
    case .list(let values): values.reduce(4) { $0 + $1.estimatedSize }
    case .map(let map):
      map.members.reduce(4) { $0 + 2 + $1.name.text.utf8.count + $1.value.estimatedSize }
    }
  }
}
