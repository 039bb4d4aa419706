/// The name of a change: the n-th of one replica, counted densely from 1.
public struct Dot: Hashable, Comparable, Sendable {
  /// No change has a higher number, so that numbers can be counted on without a look at their limits, and
  /// have at most sixteen digits in names of files.
  public static let maximumNumber: UInt64 = 9_999_999_999_999_999

  /// The series the change belongs to.
  public var replica: ReplicaID
  /// Its number there, from 1.
  public var seq: UInt64

  /// Names the `seq`-th change of `replica`.
  public init(_ replica: ReplicaID, _ seq: UInt64) {
    self.replica = replica
    self.seq = seq
  }

  public static func < (left: Dot, right: Dot) -> Bool {
    left.replica != right.replica ? left.replica < right.replica : left.seq < right.seq
  }
}
