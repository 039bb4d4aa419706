/// Where a series stands: the number of its last change, and the hash that chains up to it.
public struct Head: Hashable, Sendable {
  /// The number of the last change.
  public var seq: UInt64
  /// The chained hash of that change.
  public var hash: ContentHash

  /// Names the change `seq` with its hash.
  public init(seq: UInt64, hash: ContentHash) {
    self.seq = seq
    self.hash = hash
  }
}

/// For each replica the last change that is known, all before it included.
///
/// Every vector carries hashes: without them two copies of one replica that went different ways
/// would have equal vectors and differ unseen.
public struct VersionVector: Hashable, Sendable {
  /// The heads by series.
  public private(set) var heads: [ReplicaID: Head]

  /// Makes a vector from heads.
  public init(_ heads: [ReplicaID: Head] = [:]) { self.heads = heads }

  /// The head of one series, nil when nothing of it is known.
  public subscript(replica: ReplicaID) -> Head? {
    get { heads[replica] }
    set { heads[replica] = newValue }
  }

  /// Whether the change with this dot is included.
  public func covers(_ dot: Dot) -> Bool {
    guard let head = heads[dot.replica] else { return false }
    return dot.seq <= head.seq
  }

  /// Whether every series of `other` is known here at least as far.
  public func covers(_ other: VersionVector) -> Bool {
    other.heads.allSatisfy { replica, head in (heads[replica]?.seq ?? 0) >= head.seq }
  }

  /// How many changes are included, all series taken together.
  package var changes: UInt64 { heads.values.reduce(0) { $0 &+ $1.seq } }

  /// The series in the order of their ids; the only order that may reach bytes.
  public var sorted: [(replica: ReplicaID, head: Head)] {
    heads.map { ($0.key, $0.value) }.sorted { $0.replica < $1.replica }
  }

  /// Takes the longer head of each series.
  public mutating func formUnion(_ other: VersionVector) {
    heads.merge(other.heads) { $0.seq >= $1.seq ? $0 : $1 }
  }
}
