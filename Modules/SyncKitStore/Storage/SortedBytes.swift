import SyncKitModel

/// An ordered map from bytes to bytes whose copies share what has not changed.
///
/// Entries lie in short runs, so that an insertion moves a run and not the whole map, and a
/// snapshot costs one reference a run.
struct SortedBytes: Sendable {
  package typealias Entry = (key: [UInt8], value: [UInt8])

  private static let runLength = 256
  private var runs: [[Entry]] = []
  package private(set) var count = 0

  package subscript(key: [UInt8]) -> [UInt8]? {
    get {
      let (run, index, isFound) = find(key)
      return isFound ? runs[run][index].value : nil
    }
    set {
      let (run, index, isFound) = find(key)
      switch (newValue, isFound) {
      case (let value?, true): runs[run][index].value = value
      case (let value?, false): insert((key, value), run, index)
      case (nil, true): remove(run, index)
      case (nil, false): break
      }
    }
  }

  /// The first entry whose key is not less than `key`, or is greater if `isStrict`.
  package func first(from key: [UInt8], isStrict: Bool) -> Entry? {
    var (run, index, isFound) = find(key)
    if isFound, isStrict { index += 1 }
    while run < runs.count {
      if index < runs[run].count { return runs[run][index] }
      run += 1
      index = 0
    }
    return nil
  }

  /// The last entry whose key is less than `key`, or the last of all when it is nil.
  package func last(before key: [UInt8]?) -> Entry? {
    guard let key else { return runs.last?.last }
    let (run, index, _) = find(key)
    if run < runs.count, index > 0 { return runs[run][index - 1] }
    return run > 0 ? runs[run - 1].last : nil
  }

  /// The run that holds or would hold the key, and the place in it.
  private func find(_ key: [UInt8]) -> (run: Int, index: Int, isFound: Bool) {
    var low = 0
    var high = runs.count
    while low < high {
      let middle = (low + high) / 2
      if let last = runs[middle].last, last.key.precedes(key) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low < runs.count else {
      // Behind everything: the end of the last run.
      return (max(runs.count - 1, 0), runs.last?.count ?? 0, false)
    }
    let run = low
    low = 0
    high = runs[run].count
    while low < high {
      let middle = (low + high) / 2
      if runs[run][middle].key.precedes(key) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return (run, low, low < runs[run].count && runs[run][low].key == key)
  }

  private mutating func insert(_ entry: Entry, _ run: Int, _ index: Int) {
    count += 1
    guard run < runs.count else {
      runs.append([entry])
      return
    }
    runs[run].insert(entry, at: index)
    guard runs[run].count > Self.runLength else { return }
    let tail = Array(runs[run].suffix(Self.runLength / 2))
    runs[run].removeLast(tail.count)
    runs.insert(tail, at: run + 1)
  }

  private mutating func remove(_ run: Int, _ index: Int) {
    count -= 1
    runs[run].remove(at: index)
    if runs[run].isEmpty { runs.remove(at: run) }
  }
}

extension [UInt8] {
  /// The least key that is greater than all that begin with these bytes; nil when there is none.
  package var successor: [UInt8]? {
    guard let index = lastIndex(where: { $0 < .max }) else { return nil }
    return self[..<index] + [self[index] + 1]
  }
}
