#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Whole files on this machine: read at once, replaced so that a crash leaves the old or the new.
package enum LocalFile {
  /// Reads a whole file.
  ///
  /// - Parameters:
  ///   - path: A file, or something that can be read like one.
  ///   - limit: How many bytes are read at most; a longer file is cut one byte beyond it, so that the
  ///     caller sees that it is too long.
  /// - Returns: Its bytes.
  /// - Throws: ``SystemError``; `ENOENT` when there is none.
  package static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError("read \(path)") }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while bytes.count <= limit {
      let count = chunk.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError("read \(path)") }
      if count == 0 { break }
      bytes.append(contentsOf: chunk.prefix(count))
    }
    return Array(bytes.prefix(limit + 1))
  }

  /// Puts a file in place, 0600 whatever the umask, and returns once it is on the disk.
  ///
  /// The bytes go to a file of another name beside it, which then replaces it: no process ever reads
  /// half a file. A symbolic link is followed, so that the file it leads to is replaced. On failure the
  /// old file is as it was, and nothing is left behind.
  ///
  /// - Throws: ``SystemError``.
  package static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    try put(LocalFolder.resolved(path), with: bytes) { rename($0, $1) == 0 }
  }

  /// Puts a new file in place, as ``replace(_:with:)`` does, where nothing may bear the name.
  ///
  /// - Throws: ``SystemError``; `EEXIST` when something does.
  package static func create(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    try put(path, with: bytes) { draft, target in
      if link(draft, target) == 0 { return unlink(draft) == 0 }
      guard errno != EEXIST else { return false }
      // A file system without hard links.
      guard FileSignature(target) == nil else {
        errno = EEXIST
        return false
      }
      return rename(draft, target) == 0
    }
  }

  /// Writes a draft of a file, and has it take the name.
  private static func put(
    _ path: String, with bytes: [UInt8], _ publish: (String, String) -> Bool
  ) throws(SystemError) {
    let draft = draft(of: path)
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError("write \(path)") }
    do throws(SystemError) {
      defer { close(descriptor) }
      guard fchmod(descriptor, 0o600) == 0 else { throw SystemError("write \(path)") }
      try write(bytes, to: descriptor, path: path)
      guard fsync(descriptor) == 0 else { throw SystemError("write \(path)") }
      guard publish(draft, path) else { throw SystemError("write \(path)") }
    } catch {
      unlink(draft)
      throw error
    }
    try LocalFolder.flush(LocalFolder.parent(of: path))
  }

  /// The name of a draft of a file, which no other process takes.
  ///
  /// The number of the process is not enough: in a container it is the same at each start, and a draft that was
  /// left by one that was killed would be in the way of all that follow.
  package static func draft(of path: String) -> String {
    "\(path).\(getpid())-\(String(UInt32.random(in: .min ... .max), radix: 36)).tmp"
  }

  /// How many bytes a file has; 0 when it cannot be looked at.
  package static func size(_ path: String) -> Int64 {
    var facts = stat()
    return stat(path, &facts) == 0 ? Int64(facts.st_size) : 0
  }

  /// Whether others than its owner may read or change a file; false for one that cannot be looked at.
  package static func isOpenToOthers(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & 0o077 != 0
  }

  /// Gives a file another name in the same file system; what bore it is gone.
  package static func move(_ path: String, to target: String) throws(SystemError) {
    guard rename(path, target) == 0 else { throw SystemError("write \(target)") }
    try LocalFolder.flush(LocalFolder.parent(of: target))
  }

  /// Removes a file, and returns once its name is gone from the disk; one that is not there is gone already.
  ///
  /// - Throws: ``SystemError``; the file may be there still, or come back with the next loss of power.
  package static func remove(_ path: String) throws(SystemError) {
    guard unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else {
      throw SystemError("remove \(path)")
    }
    do throws(SystemError) { try LocalFolder.flush(LocalFolder.parent(of: path)) } catch {
      // Without its folder there is no name that could come back.
      guard error.isMissing else { throw error }
    }
  }

  /// Removes a temporary file; what cannot be removed stays.
  package static func discard(_ path: String) { unlink(path) }

  /// Writes all of the bytes where an open file stands, however often that is interrupted or cut short; errors
  /// call the file by its path.
  package static func write(
    _ bytes: [UInt8], to descriptor: Int32, path: String
  ) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes {
        systemWrite(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemError("write \(path)") }
      written += count
    }
  }
}

/// The system's `read`, by a name that no method of ours hides.
package func systemRead(_ descriptor: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int
{
  read(descriptor, start, count)
}

/// The system's `write`, by a name that no method of ours hides.
package func systemWrite(_ descriptor: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, start, count)
}
