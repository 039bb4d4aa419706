import SyncKitModel

/// What a remote was known to hold of a zone at a time, as numbers of its logs.
///
/// From such marks a device knows how long changes have been on a remote, whichever device wrote them and whatever
/// their author's clock said.
package struct RemoteMark: Hashable, Sendable {
  /// Milliseconds, by the clock of this device.
  package var time: Int64
  /// The last number of each series, by the names of this store.
  package var last: [ReplicaID: UInt64]

  package func covers(_ series: ReplicaID, _ seq: UInt64) -> Bool { last[series] ?? 0 >= seq }
}

extension RemoteMark {
  fileprivate init(key: [UInt8], row: [UInt8]) throws {
    guard key.count > 8 else { throw Keys.damaged("the content of a remote") }
    time = Int64(bitPattern: UInt64(bigEndian: key.suffix(8)))
    last = try row.reading { reader in
      var last: [ReplicaID: UInt64] = [:]
      for _ in 0..<(try reader.count(of: 17)) { last[try reader.replica()] = try reader.varint() }
      return last
    }
  }

  fileprivate var encoded: [UInt8] {
    var writer = ByteWriter(reserving: 19 * last.count + 4)
    writer.write(count: last.count)
    for (series, seq) in last.sorted(by: { $0.key < $1.key }) {
      writer.write(series)
      writer.write(varint: seq)
    }
    return writer.bytes
  }
}

extension StorageReader {
  /// What a remote was known to hold of a zone, the oldest mark first.
  package func marks(of zone: ZoneID, on remote: String) throws -> [RemoteMark] {
    try entries(.meta, prefix: Keys.marks(on: remote, zone)).map {
      try RemoteMark(key: $0, row: $1)
    }
  }
}

extension StorageWriter {
  /// Remembers what a remote holds now of the zones of which it held something else before.
  ///
  /// There are few marks: one for each ``RemoteHistory/pause`` within ``RemoteHistory/age``, and the newest one.
  package func mark(
    _ acknowledged: [ZoneID: VersionVector], after former: [ZoneID: VersionVector],
    on remote: String,
    at now: Int64, _ history: RemoteHistory
  ) throws {
    guard history.age > 0 else { return }
    for (zone, vector) in acknowledged.sorted(by: { $0.key < $1.key }) where former[zone] != vector
    {
      for mark in Self.needless(try marks(of: zone, on: remote), now: now, history) {
        try delete(.meta, Keys.mark(on: remote, zone, mark.time))
      }
      let mark = RemoteMark(time: now, last: vector.heads.mapValues(\.seq))
      try put(.meta, Keys.mark(on: remote, zone, now), mark.encoded)
    }
  }

  /// The marks that a new one makes needless.
  private static func needless(
    _ marks: [RemoteMark], now: Int64, _ history: RemoteHistory
  ) -> [RemoteMark] {
    // A clock that was ahead must not keep everything from growing old.
    var needless = marks.filter { $0.time > now }
    var left = marks[..<(marks.count - needless.count)]
    if left.count >= 2, now - left[left.endIndex - 2].time < history.pause {
      needless.append(left.removeLast())
    }
    // Of those that are old enough the newest says all.
    while left.count >= 2, left[left.startIndex + 1].time <= now &- history.age {
      needless.append(left.removeFirst())
    }
    return needless
  }
}
