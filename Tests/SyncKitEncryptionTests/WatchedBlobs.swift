import SegmentFormat
import SyncKit
import SyncKitTesting
import Synchronization

/// A store that says what it is about to do, and does not do it where that is refused.
struct WatchedBlobs: BlobStore {
  let base: InMemoryBlobStore
  var willPut: @Sendable (_ name: String, _ bytes: [UInt8]) throws -> Void = { _, _ in }
  var willDelete: @Sendable (_ name: String) throws -> Void = { _ in }

  var location: String { base.location }

  func prepare(creating mayCreate: Bool) async throws {}

  func list(_ folder: String, _ reach: BlobReach) async throws -> BlobListing {
    try await base.list(folder, reach)
  }

  func get(_ name: String, upTo limit: Int) async throws -> [UInt8]? {
    try await base.get(name, upTo: limit)
  }

  func put(_ name: String, _ bytes: [UInt8], replacing: Bool) async throws -> Bool {
    try willPut(name, bytes)
    return try await base.put(name, bytes, replacing: replacing)
  }

  func delete(_ name: String) async throws {
    try willDelete(name)
    try await base.delete(name)
  }
}

/// How many steps are left before a place is gone.
final class StepsLeft: Sendable {
  private let left: Mutex<Int>

  init(_ count: Int) { left = Mutex(count) }

  func take() throws {
    try left.withLock { left in
      guard left > 0 else { throw SyncError(.remoteIO, "The place is gone.") }
      left -= 1
    }
  }
}
