/// The replicas that removed a withdrawn zone, and what each keeps of it elsewhere.
///
/// A device that withdraws a zone keeps everything that it had applied, as local records; its vector says
/// what that was. The others keep nothing, unless they have something that no such vector covers.
public struct Confirmations: Hashable, Sendable {
  /// What each replica keeps; an empty vector for one that keeps nothing.
  public private(set) var vectors: [ReplicaID: VersionVector]

  /// Collects what replicas have said.
  public init(_ vectors: [ReplicaID: VersionVector] = [:]) { self.vectors = vectors }

  /// The replicas that removed the zone.
  public var replicas: Set<ReplicaID> { Set(vectors.keys) }

  /// What at least one device keeps.
  public var kept: VersionVector {
    vectors.values.reduce(into: VersionVector()) { $0.formUnion($1) }
  }

  /// What one replica says.
  public subscript(replica: ReplicaID) -> VersionVector? {
    get { vectors[replica] }
    set { vectors[replica] = newValue }
  }

  /// Adds what others know.
  public mutating func formUnion(_ other: Confirmations) {
    vectors.merge(other.vectors) { mine, theirs in
      var both = mine
      both.formUnion(theirs)
      return both
    }
  }

  /// Whether the other one says all that this one says.
  public func isSubset(of other: Confirmations) -> Bool {
    vectors.allSatisfy { replica, vector in other.vectors[replica]?.covers(vector) ?? false }
  }
}
