import SegmentFormat
import SQLiteFile
import SyncKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Tells a file from its copies.
public enum FileIdentity {
  /// A text that changes when the file is copied, restored or moved to another machine.
  ///
  /// It is made of the machine's id, the file's number and its time of birth. Writing into the file
  /// and renaming it keep it; so does writing an older content over it in place, which the number of
  /// the last sealed change has to tell. An inode number alone is not enough: a file system hands
  /// that of a deleted file to the next one.
  ///
  /// - Returns: 26 characters of base32; nil when there is no file to look at.
  /// - Throws: ``SyncError`` `store.io` when it cannot be told at the moment, as with too many open files: a
  ///   device must not take itself for another one then.
  public static func fingerprint(ofFileAt path: String) throws -> String? {
    try fingerprint(path, nil)
  }

  /// The same for a file with a number of its own.
  static func fingerprint(_ path: String, _ seed: UInt64?) throws -> String? {
    guard !path.utf8.contains(0), let entry = try POSIX.entry(path) else { return nil }
    var parts = ByteWriter()
    parts.write(block: try machine())
    parts.write(fixed: entry.inode)
    parts.write(fixed: UInt64(bitPattern: entry.birth))
    if let seed { parts.write(fixed: seed) }
    return parts.bytes.withUnsafeBytes { DeflateSegmentCoding().hash([$0]).description }
  }

  /// A text that is another one on another machine; empty where there is none.
  private static func machine() throws -> [UInt8] {
    #if os(macOS)
    var bytes = [UInt8](repeating: 0, count: 16)
    var wait = timespec(tv_sec: 1, tv_nsec: 0)
    return gethostuuid(&bytes, &wait) == 0 ? bytes : []
    #elseif canImport(Darwin)
    return []
    #else
    let name = "/etc/machine-id"
    let file = open(name, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      // These will be the same next time.
      guard [ENOENT, ENOTDIR, EACCES, EPERM].contains(errno) else {
        throw POSIX.failure("read", name, errno)
      }
      return []
    }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(file, &bytes, bytes.count)
    guard count >= 0 else { throw POSIX.failure("read", name, errno) }
    return Array(bytes.prefix(count))
    #endif
  }
}
