import SQLiteFile
import SyncKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// How a shared file comes to be: it has its name only when it is whole.
enum SharedFileDraft {
  /// Makes the file unless one is there that holds something.
  ///
  /// An empty file is taken for a prepared remote; the new one gets its mode and group.
  /// Of several processes that do this at once one makes the file, the others find it.
  ///
  /// - Throws: ``SyncError`` `remote.unavailable` when there is no folder to make it in.
  static func make(_ path: String) throws {
    guard let entry = try POSIX.entry(path) else {
      // A link that leads nowhere has an owner, too.
      return POSIX.isTaken(path) ? () : try makeNew(path)
    }
    guard entry.isFile, entry.size == 0 else { return }
    try replaceEmpty(resolved(path))
  }

  private static func replaceEmpty(_ path: String) throws {
    // Among the processes that found it empty one goes first; the others then see that it was replaced. The
    // folder is locked and not the file: to open and close that would drop this process's own locks.
    let folder = open(POSIX.folder(of: path), O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { throw POSIX.failure("open the folder of", path, errno) }
    defer { close(folder) }
    while flock(folder, LOCK_EX) != 0 {
      guard errno == EINTR else { throw POSIX.failure("lock the folder of", path, errno) }
    }
    var status = stat()
    guard stat(path, &status) == 0, status.st_size == 0 else { return }
    let draft = try fill(path, mode: status.st_mode & 0o777)
    // Only the superuser can keep the owner; others keep the group where they belong to it.
    if chown(draft, status.st_uid, status.st_gid) != 0 {
      _ = chown(draft, uid_t.max, status.st_gid)
    }
    guard rename(draft, path) == 0 else {
      let code = errno
      POSIX.remove(draft)
      throw POSIX.failure("make", path, code)
    }
    try POSIX.synchronize(POSIX.folder(of: path))
  }

  private static func makeNew(_ path: String) throws {
    let folder = POSIX.folder(of: path)
    var status = stat()
    guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw SyncError(
        .remoteUnavailable, "The file '\(path)' cannot be created: its folder does not exist.",
        hint: "Create the folder, or correct the remote's path.")
    }
    let draft = try fill(path, mode: nil)
    _ = try POSIX.publish(draft, as: path)
  }

  /// Makes a whole file under a name of its own in the same folder, with the given permissions or
  /// those that the umask gives.
  private static func fill(_ path: String, mode: mode_t?) throws -> String {
    let draft = draft(of: path)
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw POSIX.failure("make", path, errno) }
    if let mode { fchmod(file, mode) }
    close(file)
    do {
      try write(draft, as: path)
      try POSIX.synchronize(draft)
    } catch {
      for ending in ["", "-wal", "-shm"] { POSIX.remove(draft + ending) }
      throw error
    }
    return draft
  }

  /// What the system says of a write that failed.
  struct Failure: Error {
    var error: SyncError
    var code: Int32
  }

  /// Writes the given number of bytes beside a file and removes them; does nothing where no file may be made.
  ///
  /// - Throws: ``Failure``.
  static func tryWriting(_ count: Int, beside path: String) throws {
    let draft = draft(of: resolved(path))
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      guard [ENOSPC, EDQUOT].contains(errno) else { return }
      throw Failure(error: POSIX.failure("write", path, errno), code: errno)
    }
    defer {
      close(file)
      POSIX.remove(draft)
    }
    // Of chance, since some media write down zeros as nothing.
    var random = SystemRandomNumberGenerator()
    let block = (0..<8_192).map { _ in random.next() as UInt64 }
    var rest = count
    while rest > 0 {
      let step = block.withUnsafeBytes { systemWrite(file, $0.baseAddress, min(rest, $0.count)) }
      if step < 0, errno == EINTR { continue }
      guard step > 0 else {
        throw Failure(error: POSIX.failure("write", path, errno), code: errno)
      }
      rest -= step
    }
    guard fsync(file) == 0 else {
      throw Failure(error: POSIX.failure("write", path, errno), code: errno)
    }
  }

  private static func systemWrite(
    _ file: Int32, _ start: UnsafeRawPointer?, _ count: Int
  ) -> Int {
    #if canImport(Darwin)
    Darwin.write(file, start, count)
    #elseif canImport(Glibc)
    Glibc.write(file, start, count)
    #else
    Musl.write(file, start, count)
    #endif
  }

  private static func draft(of path: String) -> String {
    "\(path).new-\(String(UInt64.random(in: .min ... .max), radix: 36))"
  }

  private static func write(_ draft: String, as path: String) throws {
    let connection = try Connection(draft, as: path)
    defer { connection.close() }
    // It is invisible until it is whole; it is synchronised once, at the end.
    try connection.run(
      "PRAGMA page_size=\(SharedFileFormat.pageSize); PRAGMA synchronous=OFF")
    try connection.keepSmall()
    _ = try connection.texts("PRAGMA journal_mode=WAL")
    try SharedFileFormat.make(connection)
    // A file whose log could not be folded in when it was closed would be useless, and in the way.
    guard try connection.texts("PRAGMA wal_checkpoint(TRUNCATE)").first == "0" else {
      throw SyncError(.storeIO, "The file '\(path)' could not be created.")
    }
  }

  /// Where the file is when its path is a link: the link stays.
  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
