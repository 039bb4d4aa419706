import SyncKit

/// What has been acknowledged in a world: every batch, with what its author had seen.
///
/// Naive on purpose: it trusts no context and no vector, only what lay in the author's store.
struct WrittenBatches {
  struct Batch {
    let number: Int
    let id: BatchID
    let author: Int
    let step: Int
    var operations: [RecordKey: [RecordOperation]]
    /// The batches that had taken effect at the author's when it wrote.
    let seen: BitSet
    /// The zones in which it went down with a store that was put back, or with a remote, before any device
    /// else had it: what goes to several zones may come in some of them.
    var lost: Set<ZoneID> = []

    /// Whether nothing of it is left, rightly.
    var isRolledBack: Bool {
      !lost.isEmpty && operations.keys.allSatisfy { lost.contains($0.zone) }
    }
  }

  private(set) var batches: [Batch] = []
  /// Every sealed change that any device ever had, by its hash.
  private var archive: [ContentHash: SimulatedLog.Entry] = [:]
  private var numbers: [BatchID: Int] = [:]

  func number(_ id: BatchID) -> Int? { numbers[id] }

  /// Takes note of what is new in a device's store, and of what the device has now seen.
  ///
  /// - Returns: What the new batches have written, zone by zone.
  @discardableResult
  mutating func observe(
    _ device: SimulatedDevice, step: Int, coding: any SegmentCoding
  ) throws -> Set<LocalWrite> {
    var found: [(zone: ZoneID, change: Change)] = []
    let (segments, last) = try SimulatedLog.segments(
      in: device.storage, after: device.lastSegment, coding: coding)
    device.lastSegment = last
    // Its author may have let a change go by the end of the step.
    for bytes in device.log.take() {
      let segment = try coding.read(bytes)
      guard archive[segment.info.head] == nil else { continue }
      for entry in try SimulatedLog.changes(of: segment, coding: coding) {
        archive[entry.hash] = entry
      }
    }
    for segment in segments {
      for entry in try SimulatedLog.changes(of: segment, coding: coding) {
        found.append((entry.zone, entry.change))
        archive[entry.hash] = entry
      }
    }
    // What came as state was seen all the same.
    for entry in try indexed(device) {
      if let known = numbers[entry.change.batch] { device.seen.insert(known) }
    }
    found += try SimulatedLog.unsealed(in: device.storage)

    var fresh: [BatchID] = []
    var operations: [BatchID: [RecordKey: [RecordOperation]]] = [:]
    for (zone, change) in found {
      if let known = numbers[change.batch] {
        device.seen.insert(known)
        continue
      }
      if operations[change.batch] == nil {
        fresh.append(change.batch)
        operations[change.batch] = [:]
      }
      for operation in change.operations {
        let key = RecordKey(zone: zone, collection: operation.collection, id: operation.id)
        operations[change.batch, default: [:]][key, default: []].append(operation)
      }
    }
    for id in fresh {
      numbers[id] = batches.count
      batches.append(
        Batch(
          number: batches.count, id: id, author: device.number, step: step,
          operations: operations[id] ?? [:], seen: device.seen))
      device.seen.insert(batches.count - 1)
    }
    return Set(
      found.filter { operations[$0.change.batch] != nil }
        .map { LocalWrite(batch: $0.change.batch, zone: $0.zone) })
  }

  /// What was done to a record last, of what the author of a batch had seen: nothing of that had seen it, and
  /// no device had forgotten it.
  func latest(of key: RecordKey, seenBy batch: Batch) -> [Int] {
    let touching = batches.indices.filter { number in
      batch.seen.contains(number) && batches[number].operations[key] != nil
    }
    return touching.filter { number in
      batches[number].operations[key]?.contains { $0.kind != .forget } == true
        && !touching.contains { batches[$0].seen.contains(number) }
    }
  }

  /// The changes that a device knows as state only.
  func indexed(_ device: SimulatedDevice) throws -> [SimulatedLog.Entry] {
    try past(of: device.storage.read { try KnownHashes.of($0) })
  }

  /// The changes that a snapshot stands for.
  func indexed(_ segment: Segment, _ coding: any SegmentCoding) throws -> [SimulatedLog.Entry] {
    try past(of: Set(KnownHashes.of(segment, coding)))
  }

  /// Whether a change is one of some, or before one of them in its series.
  func isPast(_ hash: ContentHash, of hashes: Set<ContentHash>) -> Bool {
    past(of: hashes).contains { $0.hash == hash }
  }

  /// The names of what was removed although nothing that was left there stands for it.
  func lost(by removals: [Removal]) -> [String] {
    var pasts: [Set<ReplicaID>: Set<ContentHash>] = [:]
    return removals.filter { removal in
      if pasts[removal.snapshots] == nil {
        pasts[removal.snapshots] = Set(past(of: removal.indexed).map(\.hash))
      }
      let held = pasts[removal.snapshots] ?? []
      return !removal.hashes.allSatisfy { held.contains($0) }
    }.map(\.name)
  }

  /// Some changes and all that is before them in their series: not every hash is kept.
  private func past(of hashes: Set<ContentHash>) -> [SimulatedLog.Entry] {
    var found: [ContentHash: SimulatedLog.Entry] = [:]
    var open = Array(hashes)
    while let hash = open.popLast() {
      guard found[hash] == nil, let entry = archive[hash] else { continue }
      found[hash] = entry
      open.append(entry.previous)
    }
    return Array(found.values)
  }

  /// Takes note that a device's store was put back: what no other device has is gone, rightly.
  mutating func rollBack(_ lost: Set<LocalWrite>) {
    for write in lost {
      if let number = numbers[write.batch] { batches[number].lost.insert(write.zone) }
    }
  }
}
