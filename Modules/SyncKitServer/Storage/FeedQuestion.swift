import SyncWire

/// Where a reader of a feed stands.
public struct FeedQuestion: Sendable, Hashable {
  /// The epoch that the server gave with the cursor; nil for a new reader.
  public var epoch: String?
  /// Where the last page ended.
  public var after: UInt64
  /// Where the last page ended within one place; nil when it ended between two.
  public var inside: FeedOffset?
  /// How many entries to give at most.
  public var limit: Int

  /// Asks from a position on.
  public init(
    epoch: String? = nil, after: UInt64 = 0, inside: FeedOffset? = nil,
    limit: Int = WireProtocol.pageCount
  ) {
    self.epoch = epoch
    self.after = after
    self.inside = inside
    self.limit = limit
  }
}

/// A point among entries that stand at one place, as those of a zone do that was there before its
/// reader was let in.
public struct FeedOffset: Sendable, Hashable {
  /// Where they stand.
  public var place: UInt64
  /// The last entry of them that was given, by its own number.
  public var cursor: UInt64

  /// Names a point.
  public init(place: UInt64, cursor: UInt64) {
    self.place = place
    self.cursor = cursor
  }

  /// Reads the form in which it travels; nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let place = SegmentReading.natural(parts[0]),
      let cursor = SegmentReading.natural(parts[1])
    else { return nil }
    self.init(place: place, cursor: cursor)
  }

  /// The form in which it travels.
  public var text: String { "\(place)-\(cursor)" }
}
