/// The pages that readers received from a feed, and the entries that writers put into it.
///
/// - A number stands for one segment forever, and a segment has one number.
/// - A page is in order and begins after the requested number.
/// - **Without gaps**: a page that reaches a number contains every segment with a number that it passes, even
///   one whose number becomes known only later.
/// - A segment stored before the request for a last page, by ``staleness`` at least, is in that page or an earlier one.
public struct FeedHistory: Sendable {
  /// A segment with its number.
  public struct Entry: Hashable, Sendable {
    /// The number.
    public var cursor: UInt64
    /// The segment.
    public var name: String

    /// Describes an entry.
    public init(_ cursor: UInt64, _ name: String) {
      self.cursor = cursor
      self.name = name
    }
  }

  /// An answer of the feed.
  public struct Page: Sendable {
    /// The requested number, after which it begins.
    public var after: UInt64
    /// Its entries.
    public var entries: [Entry]
    /// The number that it reaches.
    public var cursor: UInt64
    /// Whether there was more after it.
    public var hasMore: Bool
    /// The epoch that it named; numbers may start again only in another one.
    public var epoch: String

    /// Describes a page.
    public init(
      after: UInt64, entries: [Entry], cursor: UInt64, hasMore: Bool = false, epoch: String = ""
    ) {
      self.epoch = epoch
      self.after = after
      self.entries = entries
      self.cursor = cursor
      self.hasMore = hasMore
    }
  }

  /// The stored segments; the number is the server's, nil without an answer.
  public var stores: [Call<(name: String, cursor: UInt64?)>] = []
  /// The pages that were read.
  public var pages: [Call<Page>] = []

  /// How old an answer may be, in the unit of the calls: servers that share a database hear of each other's commits a
  /// moment later.
  public var staleness: UInt64

  /// Makes an empty history.
  public init(staleness: UInt64 = 0) { self.staleness = staleness }

  /// The violations.
  public func violations() -> [Violation] {
    var violations = numbers()
    let known = Set(
      pages.filter { $0.outcome == .done }.flatMap(\.value.entries)
        + stores.compactMap { store in store.value.cursor.map { Entry($0, store.value.name) } }
    ).sorted { $0.cursor < $1.cursor }
    for call in pages where call.outcome == .done {
      let page = call.value
      violations += order(page, call.client)
      let held = Set(page.entries)
      for entry in known where entry.cursor > page.after && entry.cursor <= page.cursor {
        guard !held.contains(entry) else { continue }
        violations.append(
          Violation(
            "client \(call.client) went from \(page.after) to \(page.cursor) and was not told"
              + " \(entry.name) at \(entry.cursor)"))
      }
      guard !page.hasMore else { continue }
      for store in stores where store.outcome == .done && store.end + staleness < call.start {
        guard let cursor = store.value.cursor, cursor > page.cursor, cursor > page.after else {
          continue
        }
        violations.append(
          Violation(
            "client \(call.client) was told at \(call.start) that it has read everything up to \(page.cursor),"
              + " but \(store.value.name) was stored at \(cursor) before"))
      }
    }
    return violations
  }

  private func order(_ page: Page, _ client: Int) -> [Violation] {
    var violations: [Violation] = []
    var last = page.after
    for entry in page.entries {
      if entry.cursor <= last {
        violations.append(
          Violation("client \(client) received \(entry.cursor) after \(last): out of order"))
      }
      last = entry.cursor
    }
    if page.cursor < last {
      violations.append(
        Violation(
          "a page of client \(client) contains \(last) but claims to end at \(page.cursor)"))
    }
    return violations
  }

  private func numbers() -> [Violation] {
    var names: [UInt64: String] = [:]
    var cursors: [String: UInt64] = [:]
    var violations: [Violation] = []
    func note(_ entry: Entry) {
      if let name = names[entry.cursor], name != entry.name {
        violations.append(Violation("\(entry.cursor) stands for \(name) and for \(entry.name)"))
      }
      if let cursor = cursors[entry.name], cursor != entry.cursor {
        violations.append(Violation("\(entry.name) stands at \(cursor) and at \(entry.cursor)"))
      }
      names[entry.cursor] = entry.name
      cursors[entry.name] = entry.cursor
    }
    for page in pages where page.outcome == .done { page.value.entries.forEach(note) }
    for store in stores {
      if let cursor = store.value.cursor { note(Entry(cursor, store.value.name)) }
    }
    return violations
  }
}
