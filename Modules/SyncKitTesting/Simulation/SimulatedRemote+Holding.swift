import SyncKit

/// What a file of a remote holds: changes, or a part of a snapshot.
struct Holding: Sendable {
  let zone: ZoneID
  let series: ReplicaID
  let numbers: ClosedRange<UInt64>
  /// The chained hashes of its changes; of a part of a snapshot those that it stands for.
  let hashes: [ContentHash]

  /// Describes a segment with what it holds.
  init(_ segment: Segment, _ log: [SimulatedLog.Entry], standingFor known: [ContentHash]) {
    zone = segment.info.zone
    series = segment.info.series
    numbers = segment.info.first...segment.info.last
    hashes = series.isSnapshot ? known : log.map(\.hash)
  }

  /// Whether it holds a change under its number.
  fileprivate func has(_ hash: ContentHash, at seq: UInt64) -> Bool {
    numbers.contains(seq) && hashes[Int(seq - numbers.lowerBound)] == hash
  }
}

/// What has gone from a remote and lies in no other file of changes there.
struct Removal: Sendable {
  let name: String
  /// The changes that only a snapshot can stand for now.
  let hashes: [ContentHash]
  /// The snapshots that were whole then.
  let snapshots: Set<ReplicaID>
  /// What they say that they stand for.
  let indexed: Set<ContentHash>
}

// Compaction may remove only what something else holds, at the moment when it goes: a device
// that is away must still find it, also when the device that removed it never comes back.
extension SimulatedRemote.State {
  /// Takes note of a file that is about to go, unless its whole zone was withdrawn.
  mutating func noteRemoval(of name: String) {
    guard let holding = files[name]?.holding, !isErased(holding.zone) else { return }
    let whole = wholeSnapshots(of: holding.zone)
    var gone: [ContentHash] = []
    if !holding.series.isSnapshot {
      gone = unheld(holding, besides: name)
    } else if whole.contains(holding.series) {
      gone = Array(hashIndexes[holding.series] ?? [])
    }
    guard !gone.isEmpty else { return }
    let left = whole.subtracting([holding.series])
    removals.append(
      Removal(
        name: name, hashes: gone, snapshots: left,
        indexed: left.reduce(into: []) { $0.formUnion(hashIndexes[$1] ?? []) }))
  }

  /// Takes note of a part of a snapshot that has come.
  mutating func noteSnapshot(_ holding: Holding) {
    guard holding.series.isSnapshot else { return }
    hashIndexes[holding.series, default: []].formUnion(holding.hashes)
    ends[holding.series] = max(ends[holding.series] ?? 0, holding.numbers.upperBound)
  }

  private func isErased(_ zone: ZoneID) -> Bool {
    erased[zone] != nil || files.keys.contains { $0.contains("/\(zone)/erased-") }
  }

  /// The changes of a file that lie in no other one.
  private func unheld(_ holding: Holding, besides name: String) -> [ContentHash] {
    let others = files.compactMap { other, file -> Holding? in
      guard other != name, let found = file.holding, found.zone == holding.zone,
        found.series == holding.series, found.numbers.overlaps(holding.numbers)
      else { return nil }
      return found
    }
    return zip(holding.numbers, holding.hashes).filter { seq, hash in
      !others.contains { $0.has(hash, at: seq) }
    }.map(\.1)
  }

  /// The snapshots of a zone of which every part lies there; the last part is the first to come.
  private func wholeSnapshots(of zone: ZoneID) -> Set<ReplicaID> {
    var parts: [ReplicaID: [ClosedRange<UInt64>]] = [:]
    for case let holding? in files.values.map(\.holding)
    where holding.zone == zone && holding.series.isSnapshot {
      parts[holding.series, default: []].append(holding.numbers)
    }
    return Set(
      parts.filter { series, parts in
        var next: UInt64 = 1
        for part in parts.sorted(by: { $0.lowerBound < $1.lowerBound })
        where part.lowerBound == next {
          next = part.upperBound + 1
        }
        return next > ends[series] ?? .max
      }.keys)
  }
}
