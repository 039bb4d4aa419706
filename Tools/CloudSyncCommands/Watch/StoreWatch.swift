import SyncKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Notices that a store was written to, by anybody, without opening it.
struct StoreWatch {
  /// What changes when a database or its log does.
  private struct Signature: Equatable {
    var inode: UInt64 = 0
    var size: Int64 = -1
    var seconds: Int64 = 0
    var nanoseconds: Int64 = 0
  }

  private let paths: [String]
  private var seen: [Signature]
  /// What is pending all the time, such as another person's records that no other remote may have.
  private var settled = 0
  private var lastPending: Int?

  /// Watches the store at a path.
  init(path: String) {
    paths = [path, path + "-wal"]
    seen = paths.map(Self.signature)
  }

  /// Whether the store was written to since the last time that this was asked.
  mutating func hasChanged() -> Bool {
    let now = paths.map(Self.signature)
    guard now != seen else { return false }
    seen = now
    return true
  }

  /// Whether there is more to bring than there always is.
  func isEdited(pending: Int) -> Bool { pending > settled }

  /// Takes note of how a run that went well has left the store.
  ///
  /// - Returns: Whether somebody has edited meanwhile, so that another run is due.
  mutating func settle(pending: Int) -> Bool {
    seen = paths.map(Self.signature)
    defer { lastPending = pending }
    if pending > settled, pending != lastPending { return true }
    settled = pending
    return false
  }

  private static func signature(_ path: String) -> Signature {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return Signature() }
    #if canImport(Darwin)
    let time = facts.st_mtimespec
    #else
    let time = facts.st_mtim
    #endif
    return Signature(
      inode: UInt64(facts.st_ino), size: Int64(facts.st_size), seconds: Int64(time.tv_sec),
      nanoseconds: Int64(time.tv_nsec))
  }
}
