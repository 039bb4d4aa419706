import SyncKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The few things about files that SQLite does not do for us.
enum POSIX {
  /// What lies at a path, symbolic links followed.
  struct Entry {
    let isFile: Bool
    let size: Int
    let inode: UInt64
    /// Nanoseconds since 1970 of the file's birth; 0 where the file system does not tell.
    let birth: Int64
  }

  /// The error as a word for a message.
  static func words(_ code: Int32) -> String { String(cString: strerror(code)) }

  /// What lies at the path; nil when nothing does.
  static func entry(_ path: String) throws -> Entry? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      let code = errno
      guard code == ENOENT || code == ENOTDIR else { throw failure("look at", path, code) }
      return nil
    }
    return Entry(
      isFile: status.st_mode & S_IFMT == S_IFREG, size: Int(status.st_size),
      inode: UInt64(status.st_ino), birth: birth(path, status))
  }

  /// Whether anything bears this name, a broken symbolic link included.
  static func isTaken(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Makes a folder and those above it; what it makes has mode 0700 whatever the umask.
  static func makeFolders(_ path: String) throws {
    guard !path.isEmpty, path != "/", try entry(path) == nil else { return }
    try makeFolders(folder(of: path))
    if mkdir(path, 0o700) == 0 {
      chmod(path, 0o700)
      try synchronize(folder(of: path))
    } else if errno != EEXIST {
      throw failure("make the folder", path, errno)
    }
  }

  /// The folder that a path is in.
  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.utf8.startIndex ? "/" : String(path[..<slash])
  }

  /// Makes an empty file of mode 0600 whatever the umask, where none is.
  static func makePrivateFile(_ path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure("make", path, errno) }
    defer { close(file) }
    guard fchmod(file, 0o600) == 0 else { throw failure("make", path, errno) }
  }

  /// Brings a file's content, or a folder's names, to the disk.
  static func synchronize(_ path: String) throws {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure("open", path, errno) }
    defer { close(file) }
    #if canImport(Darwin)
    if fcntl(file, F_FULLFSYNC) == 0 { return }
    #endif
    // Some file systems cannot synchronise a folder and say EINVAL.
    guard fsync(file) == 0 || errno == EINVAL else { throw failure("write", path, errno) }
  }

  /// Gives a file its final name unless that name is taken.
  ///
  /// - Returns: Whether the file has the name now; when it is taken, the file is removed.
  static func publish(_ path: String, as name: String) throws -> Bool {
    defer { unlink(path) }
    if link(path, name) == 0 {
      try synchronize(folder(of: name))
      return true
    }
    let code = errno
    if code == EEXIST { return false }
    // A file system without hard links.
    guard !isTaken(name), rename(path, name) == 0 else { throw failure("make", name, code) }
    try synchronize(folder(of: name))
    return true
  }

  /// Removes a file if there is one.
  static func remove(_ path: String) { unlink(path) }

  /// Renames a file; nothing happens when there is none.
  static func move(_ path: String, to name: String) throws {
    guard rename(path, name) == 0 || errno == ENOENT else {
      throw failure("rename", path, errno)
    }
  }

  /// Whether the file system that holds the path is mounted read-only.
  static func isOnReadOnlyMedium(_ path: String) -> Bool {
    var status = statvfs()
    return statvfs(path, &status) == 0 && UInt(status.f_flag) & UInt(ST_RDONLY) != 0
  }

  /// The error for a call that failed.
  static func failure(_ what: String, _ path: String, _ code: Int32) -> SyncError {
    SyncError(
      SyncError.Code(storeErrno: code), "Cannot \(what) '\(path)'.", cause: words(code))
  }
}

extension SyncError.Code {
  /// What an error number of the local disk means.
  init(storeErrno code: Int32) {
    switch code {
    case ENOSPC, EDQUOT: self = .storeDiskFull
    case EROFS, EACCES, EPERM: self = .storeReadOnly
    default: self = .storeIO
    }
  }
}
