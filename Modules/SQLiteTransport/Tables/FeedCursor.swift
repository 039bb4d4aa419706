import SQLiteFile
import SyncKit

/// What a listener has seen of a file, to tell what is new the next time.
struct FeedCursor: Sendable {
  /// Changes whenever another connection has written.
  let version: String
  private let position: FeedPosition
  private let erased: [String: [ZoneID: Confirmations]]
  /// The domains of what has been stored since the sight before; nil when that is another life.
  private let stored: Set<String>?

  /// Looks at a file, with what was seen of it before.
  init(_ connection: Connection, _ known: FeedCursor? = nil) throws {
    version = try Self.version(connection)
    let feedEpoch = try FeedEpoch(connection)
    position = feedEpoch.position
    erased = try ErasureTable(connection).all()
    if let start = known?.position, try feedEpoch.isContinued(from: start) {
      stored = try SegmentTable(connection).domains(after: start.cursor)
    } else {
      stored = nil
    }
  }

  static func version(_ connection: Connection) throws -> String {
    try connection.texts("PRAGMA data_version").first ?? ""
  }

  /// The news in it; none when only things have changed that are no news.
  func news(since known: FeedCursor) -> [RemoteNews] {
    guard var domains = stored else { return [RemoteNews(domain: nil)] }
    for domain in Set(erased.keys).union(known.erased.keys)
    where erased[domain] != known.erased[domain] {
      domains.insert(domain)
    }
    return domains.sorted().map { RemoteNews(domain: $0) }
  }
}
