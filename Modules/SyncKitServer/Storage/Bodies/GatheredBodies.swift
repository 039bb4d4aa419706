import SyncKit

/// Where the body of a segment is.
enum StoredBody: Sendable {
  /// In the database.
  case row([UInt8])
  /// In the bucket.
  case object(BodyObject)
}

/// Bodies from the bucket that a transaction needs, since none may wait for a network.
///
/// What a transaction lacks it says by ``MissingBodies``. It is taken back, the bodies are fetched, and it begins
/// again. What lies under a cursor never changes, so what was fetched still holds.
struct GatheredBodies: Sendable {
  /// By cursor; nil for one whose object is not there.
  private(set) var known: [Int64: [UInt8]?] = [:]

  /// Fetches what is missing.
  mutating func add(_ missing: [Int64: BodyObject], from storage: ServerDatabase) async throws {
    for (cursor, object) in missing { known[cursor] = .some(try await storage.bytes(of: object)) }
  }
}

/// A transaction needs bodies that are in the bucket.
struct MissingBodies: Error {
  var objects: [Int64: BodyObject]
}

extension ServerTables {
  /// Where the body of a segment is; nil when it has none.
  func body(_ cursor: Int64) throws -> StoredBody? {
    let bytes = try first("SELECT bytes FROM contents WHERE cursor=?", .int(cursor)) {
      try $0.blob(0)
    }
    if let bytes { return .row(bytes) }
    return try first("SELECT name, size, hash FROM objects WHERE cursor=?", .int(cursor)) { row in
      .object(
        BodyObject(name: try row.text(0), size: Int(try row.int(1)), hash: try row.blob(2)))
    }
  }

  /// The bytes of a segment; nil when there are none.
  ///
  /// - Throws: ``MissingBodies`` when they are in the bucket and were not fetched yet.
  func bytes(_ cursor: Int64, _ gathered: GatheredBodies) throws -> [UInt8]? {
    switch try body(cursor) {
    case .row(let bytes): return bytes
    case .object(let object):
      guard let known = gathered.known[cursor] else {
        throw MissingBodies(objects: [cursor: object])
      }
      return known
    case nil: return nil
    }
  }
}
