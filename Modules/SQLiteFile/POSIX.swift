import SyncKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The few things about files that SQLite does not do for us.
package enum POSIX {
  /// What lies at a path, symbolic links followed.
  package struct Entry {
    package let isFile: Bool
    package let size: Int
    package let inode: UInt64
    /// How many names it has.
    package let links: Int
    /// Nanoseconds since 1970 of the file's birth; 0 where the file system does not tell.
    package let birth: Int64
  }

  /// The error as a word for a message.
  package static func words(_ code: Int32) -> String { String(cString: strerror(code)) }

  /// What lies at the path; nil when nothing does.
  package static func entry(_ path: String) throws -> Entry? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      let code = errno
      guard code == ENOENT || code == ENOTDIR else { throw failure("examine", path, code) }
      return nil
    }
    return Entry(
      isFile: status.st_mode & S_IFMT == S_IFREG, size: Int(status.st_size),
      inode: UInt64(status.st_ino), links: Int(status.st_nlink), birth: birth(path, status))
  }

  /// Whether anything bears this name, a broken symbolic link included.
  package static func isTaken(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Makes a folder and those above it; what it makes has mode 0700 whatever the umask.
  package static func makeFolders(_ path: String) throws {
    guard !path.isEmpty, path != "/", try entry(path) == nil else { return }
    try makeFolders(folder(of: path))
    if mkdir(path, 0o700) == 0 {
      chmod(path, 0o700)
      try synchronize(folder(of: path))
    } else if errno != EEXIST {
      throw failure("create the folder", path, errno)
    }
  }

  /// The folder that a path is in.
  package static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.utf8.startIndex ? "/" : String(path[..<slash])
  }

  /// Makes an empty file of mode 0600 whatever the umask, where none is.
  package static func makePrivateFile(_ path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure("make", path, errno) }
    defer { close(file) }
    guard fchmod(file, 0o600) == 0 else { throw failure("make", path, errno) }
  }

  /// Brings a file's content, or a folder's names, to the disk.
  package static func synchronize(_ path: String) throws {
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
  package static func publish(_ path: String, as name: String) throws -> Bool {
    defer { unlink(path) }
    if systemLink(path, name) == 0 {
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

  /// Gives a file a second name; false on a medium that has no second names.
  package static func link(_ path: String, as name: String) throws -> Bool {
    if systemLink(path, name) == 0 { return true }
    switch errno {
    case EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK, EXDEV: return false
    default: throw failure("keep", path, errno)
    }
  }

  /// Removes a file if there is one.
  package static func remove(_ path: String) { unlink(path) }

  /// Renames a file; nothing happens when there is none.
  package static func move(_ path: String, to name: String) throws {
    guard rename(path, name) == 0 || errno == ENOENT else {
      throw failure("rename", path, errno)
    }
  }

  /// The bytes of a whole file; nil when there is none.
  package static func contents(of path: String) throws -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      let code = errno
      guard code == ENOENT || code == ENOTDIR else { throw failure("read", path, code) }
      return nil
    }
    defer { close(file) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(try entry(path)?.size ?? 0)
    var chunk = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = chunk.withUnsafeMutableBytes { systemRead(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("read", path, errno) }
      if count == 0 { return bytes }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  /// Whether the file system that holds the path is mounted read-only.
  package static func isOnReadOnlyMedium(_ path: String) -> Bool {
    var status = statvfs()
    return statvfs(path, &status) == 0 && UInt(status.f_flag) & UInt(ST_RDONLY) != 0
  }

  /// The error for a call that failed.
  package static func failure(_ what: String, _ path: String, _ code: Int32) -> SyncError {
    SyncError(
      SyncError.Code(storeErrno: code), "Cannot \(what) '\(path)'.", cause: words(code))
  }
}

extension POSIX {
  /// When the file was born, in nanoseconds since 1970; 0 when unknown.
  package static func birth(_ path: String, _ status: stat) -> Int64 {
    #if canImport(Darwin)
    return Int64(status.st_birthtimespec.tv_sec) &* 1_000_000_000
      &+ Int64(status.st_birthtimespec.tv_nsec)
    #else
    return birthByStatx(path)
    #endif
  }

  #if !canImport(Darwin)
  /// `statx` is in the C library but not in its Swift module, so it is looked up by name; the
  /// layout of its answer is fixed by the kernel (include/uapi/linux/stat.h).
  private static func birthByStatx(_ path: String) -> Int64 {
    typealias Statx =
      @convention(c) (
        Int32, UnsafePointer<CChar>, Int32, UInt32, UnsafeMutableRawPointer
      ) -> Int32
    guard let symbol = dlsym(nil, "statx") else { return 0 }
    let statx = unsafeBitCast(symbol, to: Statx.self)
    let wantsBirth: UInt32 = 0x800
    let answer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256, alignment: 8)
    defer { answer.deallocate() }
    answer.initializeMemory(as: UInt8.self, repeating: 0)
    guard let base = answer.baseAddress, statx(AT_FDCWD, path, 0, wantsBirth, base) == 0,
      base.load(as: UInt32.self) & wantsBirth != 0
    else { return 0 }
    let seconds = base.load(fromByteOffset: 80, as: Int64.self)
    return seconds &* 1_000_000_000 &+ Int64(base.load(fromByteOffset: 88, as: UInt32.self))
  }
  #endif
}

extension SyncError.Code {
  /// What an error number of the local disk means.
  package init(storeErrno code: Int32) {
    switch code {
    case ENOSPC, EDQUOT: self = .storeDiskFull
    case EROFS, EACCES, EPERM: self = .storeReadOnly
    default: self = .storeIO
    }
  }
}

/// The system's `link`, by a name that no method of ours hides.
private func systemLink(_ path: String, _ name: String) -> Int32 { link(path, name) }

/// The system's `read`, by a name that no method hides.
private func systemRead(_ file: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(file, start, count)
}
