import SegmentFormat
import SyncKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A blob on its way to its name.
struct BlobDraft {
  /// An open folder; stays the caller's.
  let folder: Int32
  /// The name in the folder.
  let name: String
  /// The name in the store, for messages.
  let path: String
  let store: FolderBlobStore

  /// Whether something bears the name; it is durable then.
  func isTaken() throws -> Bool {
    guard let entry = POSIX.entry(folder, name) else { return false }
    guard entry.kind == .file else { return true }
    // Its writer may have been cut off before it was.
    let number = POSIX.openAt(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard number >= 0 else { return true }
    let file = Descriptor(number)
    guard POSIX.synchronizeFile(file.number), POSIX.synchronizeFolder(folder) else {
      throw store.failure("write", path, errno)
    }
    return true
  }

  /// Writes the bytes under a temporary name and then gives it the real one.
  ///
  /// - Returns: Whether they have the name; false when it was taken meanwhile.
  func write(_ bytes: [UInt8], replacing: Bool) throws -> Bool {
    let temporary = TemporaryName.random()
    let file = try open(temporary)
    do {
      try fill(file, bytes)
      let isDone = replacing ? try rename(temporary) : try link(temporary)
      guard POSIX.synchronizeFolder(folder) else { throw store.failure("write", path, errno) }
      return isDone
    } catch {
      unlinkat(folder, temporary, 0)
      throw error
    }
  }

  /// Writes the given number of bytes under a temporary name as ``write(_:replacing:)`` does, and removes them.
  func tryWriting(_ count: Int) throws {
    let trial = TemporaryName.random()
    let file = try open(trial)
    defer { unlinkat(folder, trial, 0) }
    // Of chance, since some media write down zeros as nothing.
    var random = SystemRandomNumberGenerator()
    let block = (0..<8_192).flatMap { _ in
      withUnsafeBytes(of: random.next() as UInt64) { Array($0) }
    }
    var rest = count
    while rest > 0 {
      let part = min(rest, block.count)
      guard POSIX.write(file.number, Array(block.prefix(part))) else {
        throw store.failure("write", path, errno)
      }
      rest -= part
    }
    guard POSIX.synchronizeFile(file.number) else { throw store.failure("write", path, errno) }
  }

  /// Makes an empty file under a temporary name, and removes it.
  ///
  /// - Returns: Its time in seconds since 1970, by the medium's clock; nil when that cannot be told.
  func timeOfTrial() throws -> Int? {
    let trial = TemporaryName.random()
    let file = try open(trial)
    defer { unlinkat(folder, trial, 0) }
    // What a share keeps back until it is synchronised has the time of this device.
    guard POSIX.write(file.number, [0]), POSIX.synchronizeFile(file.number) else {
      throw store.failure("write", path, errno)
    }
    return POSIX.entry(folder, trial)?.modified
  }

  private func open(_ temporary: String) throws -> Descriptor {
    let number = POSIX.openAt(
      folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o666)
    guard number >= 0 else { throw store.failure("write", path, errno) }
    return Descriptor(number)
  }

  private func fill(_ file: borrowing Descriptor, _ bytes: [UInt8]) throws {
    guard POSIX.write(file.number, bytes), POSIX.synchronizeFile(file.number) else {
      throw store.failure("write", path, errno)
    }
  }

  private func rename(_ temporary: String) throws -> Bool {
    guard renameat(folder, temporary, folder, name) == 0 else {
      throw store.failure("write", path, errno)
    }
    return true
  }

  /// A second name is the one way to take a name only if it is free that every Unix has.
  private func link(_ temporary: String) throws -> Bool {
    if linkat(folder, temporary, folder, name, 0) == 0 {
      unlinkat(folder, temporary, 0)
      return true
    }
    switch errno {
    case EEXIST:
      unlinkat(folder, temporary, 0)
      return false
    case EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK, EXDEV, EACCES, EINVAL:
      // A medium without second names. That the name is free has been seen a moment ago, and
      // another writer that takes it meanwhile writes the same bytes.
      return try rename(temporary)
    default: throw store.failure("write", path, errno)
    }
  }
}

extension TemporaryName {
  /// A name that no other process draws.
  static func random() -> String { make(.random(in: .min ... .max)) }

  /// Thirteen letters and digits that no other process draws.
  static func chance() -> String { text(.random(in: .min ... .max)) }
}
