import SyncKitTesting

@testable import SyncKitEngine
@testable import SyncKitModel
@testable import SyncKitStore

/// A replica that is nothing but a vector and the states of its records.
struct StateReplica: MergingReplica, Equatable {
  var vector = VersionVector()
  var records: [RecordKey: RecordState] = [:]

  mutating func apply(_ change: Change, at dot: Dot) {
    let context = WriteContext(dot: dot, seen: change.context)
    for operation in change.operations {
      let key = RecordKey(collection: operation.collection, id: operation.id)
      records[key, default: RecordState()].apply(operation, stamp: change.stamp, in: context)
    }
    vector[dot.replica] = Head(seq: dot.seq, hash: ContentHash(high: 0, low: dot.seq))
  }

  mutating func join(_ other: StateReplica) {
    for key in Set(records.keys).union(other.records.keys) {
      let (mine, theirs) = (records[key] ?? RecordState(), other.records[key] ?? RecordState())
      records[key] = mine.joined(vector, with: theirs, other.vector)
    }
    vector.formUnion(other.vector)
  }
}
