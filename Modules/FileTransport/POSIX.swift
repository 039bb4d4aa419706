import SegmentFormat
import SyncKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// An open file or folder that closes itself.
struct Descriptor: ~Copyable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  /// Hands the number to a caller that closes it.
  consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }

  deinit { close(number) }
}

/// A plain file that is open for reading.
final class OpenFile {
  let descriptor: Descriptor
  /// Its length when it was opened.
  let size: Int

  init(_ descriptor: consuming Descriptor, size: Int) {
    self.descriptor = descriptor
    self.size = size
  }
}

/// What a name in a folder stands for; links are not followed.
struct FolderEntry {
  enum Kind { case file, folder, link, other }

  let kind: Kind
  let size: Int
  /// Seconds since 1970 of the last change of the content, by the medium's clock.
  let modified: Int
  /// Whether its provider has downloaded it.
  let isHere: Bool
  /// Whether its mode lets us read it.
  let isReadable: Bool
}

/// System calls relative to an open folder, with errors as values.
enum POSIX {
  static func words(_ code: Int32) -> String { String(cString: strerror(code)) }

  /// Opens something, again when a signal came between.
  static func openAt(_ folder: Int32, _ name: String, _ flags: Int32, mode: mode_t = 0) -> Int32 {
    while true {
      let number = openat(folder, name, flags | O_CLOEXEC, mode)
      if number >= 0 || errno != EINTR { return number }
    }
  }

  /// Opens a folder in a folder; a link is none.
  static func openFolder(_ folder: Int32, _ name: String) -> Int32 {
    openAt(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  }

  /// How many bytes a person may still write where an open folder is; nil when that cannot be told.
  static func room(_ folder: Int32) -> Int64? {
    var facts = statvfs()
    guard fstatvfs(folder, &facts) == 0 else { return nil }
    return Int64(clamping: UInt64(facts.f_bavail) * UInt64(facts.f_frsize))
  }

  /// What a name stands for; nil with `errno` set when it cannot be told.
  static func entry(_ folder: Int32, _ name: UnsafePointer<CChar>) -> FolderEntry? {
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    let kind: FolderEntry.Kind
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .folder
    case S_IFLNK: kind = .link
    default: kind = .other
    }
    #if canImport(Darwin)
    let isHere = status.st_flags & UInt32(SF_DATALESS) == 0
    let modified = Int(status.st_mtimespec.tv_sec)
    #else
    let isHere = true
    let modified = Int(status.st_mtim.tv_sec)
    #endif
    // The mode answers for nearly every file; only the rest costs a call.
    let isReadable =
      status.st_mode & S_IROTH != 0
      || status.st_uid == geteuid() && status.st_mode & S_IRUSR != 0
      || faccessat(folder, name, R_OK, AT_EACCESS) == 0
    return FolderEntry(
      kind: kind, size: Int(status.st_size), modified: modified, isHere: isHere,
      isReadable: isReadable)
  }

  /// Whether an open file is a plain one, and how long it is.
  static func plainSize(_ file: Int32) -> Int? {
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Reads from where the file stands until `count` bytes or its end.
  ///
  /// - Returns: nil with `errno` set when the medium fails.
  static func read(_ file: Int32, _ count: Int) -> [UInt8]? {
    var isWhole = true
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
      while length < count, let base = buffer.baseAddress {
        let step = systemRead(file, base + length, count - length)
        if step > 0 {
          length += step
        } else if step == 0 {
          return
        } else if errno != EINTR {
          isWhole = false
          return
        }
      }
    }
    return isWhole ? bytes : nil
  }

  /// Reads some bytes at an offset, as many as there is room for at most.
  ///
  /// - Returns: How many; 0 at the end, negative with `errno` set when the medium fails.
  static func read(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    while true {
      let count = pread(file, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 || errno != EINTR { return count }
    }
  }

  /// Writes all of the bytes; false with `errno` set when that is impossible.
  static func write(_ file: Int32, _ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { write(file, $0) }
  }

  /// Writes all of the bytes; false with `errno` set when that is impossible.
  static func write(_ file: Int32, _ buffer: UnsafeRawBufferPointer) -> Bool {
    var offset = 0
    while offset < buffer.count, let base = buffer.baseAddress {
      let step = systemWrite(file, base + offset, buffer.count - offset)
      if step > 0 {
        offset += step
      } else if step == 0 || errno != EINTR {
        if step == 0 { errno = EIO }
        return false
      }
    }
    return true
  }

  /// Brings a file's content to the medium.
  static func synchronizeFile(_ file: Int32) -> Bool {
    #if canImport(Darwin)
    // There, fsync alone leaves the data in the disk's own memory.
    return fcntl(file, F_FULLFSYNC) == 0 || fsync(file) == 0
    #else
    return fdatasync(file) == 0
    #endif
  }

  /// Brings a folder's names to the medium; some file systems cannot, and say EINVAL.
  static func synchronizeFolder(_ folder: Int32) -> Bool {
    fsync(folder) == 0 || errno == EINVAL || errno == ENOTSUP
  }

  /// Reads once, as much as there is; negative or 0 when there is nothing.
  static func take(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard let start = buffer.baseAddress else { return 0 }
    while true {
      let count = systemRead(
        file, start.assumingMemoryBound(to: UInt8.self), buffer.count)
      if count >= 0 || errno != EINTR { return count }
    }
  }

  private static func systemRead(
    _ file: Int32, _ start: UnsafeMutablePointer<UInt8>, _ count: Int
  )
    -> Int
  {
    #if canImport(Darwin)
    Darwin.read(file, start, count)
    #elseif canImport(Glibc)
    Glibc.read(file, start, count)
    #else
    Musl.read(file, start, count)
    #endif
  }

  private static func systemWrite(_ file: Int32, _ start: UnsafeRawPointer, _ count: Int) -> Int {
    #if canImport(Darwin)
    Darwin.write(file, start, count)
    #elseif canImport(Glibc)
    Glibc.write(file, start, count)
    #else
    Musl.write(file, start, count)
    #endif
  }
}
