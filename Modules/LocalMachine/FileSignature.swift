#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What changes when a file does, without reading it: which file it is, its size and its time.
package struct FileSignature: Equatable {
  private let device: UInt64
  private let inode: UInt64
  private let size: Int64
  private let seconds: Int64
  private let nanoseconds: Int64

  /// Milliseconds since 1970 of the last write.
  package var modified: Int64 { seconds * 1_000 + nanoseconds / 1_000_000 }

  /// Whether it is the same file, whatever was written to it.
  ///
  /// It holds for as long as a process has one of them open: until then no other file gets its number.
  package func isSameFile(as other: FileSignature) -> Bool {
    device == other.device && inode == other.inode
  }

  /// Nil when there is no such file.
  package init?(_ path: String) {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    #if canImport(Darwin)
    let time = facts.st_mtimespec
    #else
    let time = facts.st_mtim
    #endif
    device = UInt64(truncatingIfNeeded: facts.st_dev)
    inode = UInt64(facts.st_ino)
    size = Int64(facts.st_size)
    seconds = Int64(time.tv_sec)
    nanoseconds = Int64(time.tv_nsec)
  }
}
