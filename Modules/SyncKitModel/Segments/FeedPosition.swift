/// How far a store has read a remote's numbered list; only the remote knows what it means.
public struct FeedPosition: Hashable, Sendable {
  /// Which life of the remote the number belongs to; a restored or emptied one begins another.
  public var epoch: String
  /// The number of the last entry that was read.
  public var cursor: UInt64

  /// Names a position.
  public init(epoch: String, cursor: UInt64) {
    self.epoch = epoch
    self.cursor = cursor
  }
}
