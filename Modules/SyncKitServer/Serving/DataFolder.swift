import SQLiteFile
import SyncKit
import SyncWire
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The folder that a server keeps everything in: 0700, its files 0600, one server at a time.
public struct DataFolder: Sendable {
  /// Its absolute path.
  public let path: String

  /// Opens a folder, and makes it with those above it if there is none.
  ///
  /// - Throws: ``SyncError`` `server.unsafe` when it belongs to another user, others may read it or its
  ///   group may write it; `store.io` and the like when it cannot be made.
  public init(_ path: String) throws {
    try POSIX.makeFolders(path)
    var facts = stat()
    guard stat(path, &facts) == 0 else { throw POSIX.failure("examine", path, errno) }
    guard facts.st_mode & S_IFMT == S_IFDIR else {
      throw SyncError(.serverUnsafe, "'\(path)' is not a folder")
    }
    guard facts.st_uid == geteuid() else {
      throw SyncError(
        .serverUnsafe, "the data folder '\(path)' belongs to another user",
        hint: "run as its owner, or name another folder with --data")
    }
    guard facts.st_mode & 0o027 == 0 else {
      throw SyncError(
        .serverUnsafe, "others can read the data folder '\(path)', or its group can write it",
        hint: "chmod 700 '\(path)'")
    }
    self.path = path
  }

  /// Opens a folder that must be there.
  ///
  /// - Throws: ``SyncError`` `input.missing` when it is not; else as ``init(_:)``.
  public init(existing path: String) throws {
    guard try POSIX.entry(path) != nil else {
      throw SyncError(
        .inputMissing, "there is no server's data folder at '\(path)'",
        hint: "name it with --data, or create one with 'cloudsync-server serve'")
    }
    try self.init(path)
  }

  /// The right to be the one server of the folder, until it is released or the process ends.
  public final class Lock: Sendable {
    private let descriptor: Mutex<Int32?>

    fileprivate init(_ descriptor: Int32) { self.descriptor = Mutex(descriptor) }

    deinit { release() }

    /// Releases it; again does nothing.
    public func release() {
      descriptor.withLock { descriptor in
        if let open = descriptor {
          // A program that this process is just starting still has the file open for a moment.
          flock(open, LOCK_UN)
          close(open)
        }
        descriptor = nil
      }
    }
  }

  /// Takes the folder for this process.
  ///
  /// - Throws: ``SyncError`` `store.busy` when another one has it; trying later helps. `server.moved` when that one moves
  ///   the data.
  public func lock() throws -> Lock {
    let name = "\(path)/server.lock"
    let descriptor = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw POSIX.failure("open", name, errno) }
    fchmod(descriptor, 0o600)
    let lock = Lock(descriptor)
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      if code == EINTR { continue }
      guard code == EWOULDBLOCK else { throw POSIX.failure("lock", name, code) }
      if let moved = ServerMove.underWay(in: path) { throw moved }
      throw SyncError(
        .storeBusy, "another server already uses the data folder '\(path)'",
        hint: "stop it first, or name another folder with --data")
    }
    return lock
  }

  /// How many bytes are free where the folder is; nil when unknown.
  func freeBytes() -> UInt64? {
    var facts = statvfs()
    guard statvfs(path, &facts) == 0 else { return nil }
    return UInt64(facts.f_bavail) * UInt64(facts.f_frsize)
  }
}
