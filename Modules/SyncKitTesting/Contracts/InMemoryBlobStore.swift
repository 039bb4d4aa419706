import SegmentFormat
import SyncKit
import Synchronization

/// A blob store that lives and dies with its process, with a way in for tests.
public final class InMemoryBlobStore: BlobStore {
  public let location: String
  private let content = Mutex<[String: [UInt8]]>([:])

  /// Makes an empty store.
  public init(location: String = "the memory") { self.location = location }

  /// All blobs by name; set it to play a provider, a user or a hostile writer.
  public var files: [String: [UInt8]] {
    get { content.withLock { $0 } }
    set { content.withLock { $0 = newValue } }
  }

  public func prepare(creating mayCreate: Bool) async throws {}

  public func list(_ folder: String, _ reach: BlobReach) async throws -> BlobListing {
    let start = folder.isEmpty ? "" : folder + "/"
    var listing = BlobListing()
    var folders: Set<String> = []
    for (name, bytes) in files where name.hasPrefix(start) {
      let rest = name.dropFirst(start.count)
      if reach == .folder, let slash = rest.firstIndex(of: "/") {
        folders.insert(start + rest[..<slash])
      } else {
        listing.blobs.append(BlobEntry(name: name, size: bytes.count))
      }
    }
    listing.folders = folders.sorted()
    return listing
  }

  public func get(_ name: String, upTo limit: Int) async throws -> [UInt8]? {
    files[name].map { Array($0.prefix(limit)) }
  }

  public func put(_ name: String, _ bytes: [UInt8], replacing: Bool) async throws -> Bool {
    content.withLock { files in
      guard replacing || files[name] == nil else { return false }
      files[name] = bytes
      return true
    }
  }

  public func delete(_ name: String) async throws {
    content.withLock { $0[name] = nil }
  }
}
