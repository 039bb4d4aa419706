import SyncKit
import SyncWire

/// Reads the feed of a domain page by page into one inventory.
struct FeedReader {
  let connection: ServerConnection
  let domain: String

  /// No account has more segments; a server that keeps offering more is broken: 20 million.
  private static let mostEntries = 20_000_000
  /// How often a feed may begin another life while it is read.
  private static let mostRestarts = 3

  // A restarted server names another life and may go on with the same numbers all the same,
  // and a page may begin with entries of lower numbers, of a zone in which one has a part only now: what
  // counts is whether the server says that it goes on, and where the page ends.

  /// Reads all that has come behind a position, or all that is there, and whose the account is.
  ///
  /// - Throws: ``SyncError``.
  func inventory(
    since position: FeedPosition?
  ) async throws -> (inventory: Inventory, roots: Set<String>) {
    var position = position
    for _ in 0...Self.mostRestarts {
      if let reading = try await read(since: position) { return reading }
      position = nil
    }
    throw broken("its feed keeps starting over")
  }

  /// One reading; nil when the feed began another life under way.
  private func read(
    since position: FeedPosition?
  ) async throws -> (inventory: Inventory, roots: Set<String>)? {
    var inventory = Inventory()
    var last = position
    // How far the page before went into what stands behind its position.
    var inside: String?
    var isFirst = true
    while true {
      let page = try await connection.message(
        .get(path(behind: last, inside)), as: FeedPage.self)
      if isFirst {
        inventory.isContinuation = position != nil && page.isContinuation
        if !page.isContinuation { last = nil }
      } else if !page.isContinuation {
        return nil
      }
      inventory.segments += page.segments.map(\.reference)
      inventory.erased = page.erased
      inventory.access = page.access
      let reached = FeedPosition(epoch: page.epoch, cursor: page.cursor)
      inventory.position = reached
      guard page.hasMore else { return (inventory, page.roots) }
      let goesOn =
        page.inside != nil
        ? !page.segments.isEmpty : isFirst && last == nil || page.cursor > last?.cursor ?? 0
      guard goesOn, inventory.segments.count <= Self.mostEntries
      else { throw broken("its feed has no end") }
      last = reached
      inside = page.inside
      isFirst = false
    }
  }

  private func path(behind position: FeedPosition?, _ inside: String?) -> String {
    var path = "/domains/\(ServerRequest.escaped(domain))/feed?limit=\(WireProtocol.pageCount)"
    if let position {
      path += "&epoch=\(ServerRequest.escaped(position.epoch))&after=\(position.cursor)"
    }
    if let inside { path += "&inside=\(ServerRequest.escaped(inside))" }
    return path
  }

  private func broken(_ what: String) -> SyncError {
    ServerFailure.broken(connection.settings.address, what).error
  }
}

extension FeedEntry {
  /// The entry as transports name segments; it is found by its number.
  fileprivate var reference: SegmentReference {
    SegmentReference(
      zone: zone, series: series, first: first, last: last, head: head, size: size,
      location: String(cursor))
  }
}
