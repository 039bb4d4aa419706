/// What readers hold of a feed after they have read it to its end, each from where the server told it to go on.
///
/// A reader that is told to begin at the start forgets what it holds. So one that was told to go on although an entry
/// that it holds is gone, or although one came in before its place, ends with other entries than the feed.
public struct ReaderHistory: Sendable {
  /// The entries of the feed at the end, read from the start.
  public var feed: [FeedHistory.Entry] = []
  /// What each reader holds.
  public var held: [Int: Set<FeedHistory.Entry>] = [:]

  /// Makes an empty history.
  public init() {}

  /// The violations.
  public func violations() -> [Violation] {
    let feed = Set(feed)
    var violations: [Violation] = []
    for (client, held) in held.sorted(by: { $0.key < $1.key }) {
      for entry in held.subtracting(feed).sorted(by: { $0.cursor < $1.cursor }) {
        violations.append(
          Violation(
            "client \(client) was not told that \(entry.name) at \(entry.cursor) is gone"))
      }
      for entry in feed.subtracting(held).sorted(by: { $0.cursor < $1.cursor }) {
        violations.append(
          Violation(
            "client \(client) has read to the end without \(entry.name) at \(entry.cursor)"))
      }
    }
    return violations
  }
}
