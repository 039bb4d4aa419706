import LocalMachine
import CommandFoundation
import SyncKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The earlier states of an app's file, beside it.
///
/// The first one, which cloudsync has never written, is kept for good as `FILE.before-cloudsync`. Later
/// ones are `FILE.before-cloudsync.1`, the newest, to `.9`.
struct FileGenerations {
  /// The file, without links.
  let path: String

  static let maximum = 9

  init(_ path: String) { self.path = LocalFolder.resolved(path) }

  var original: String { "\(path).before-cloudsync" }

  func later(_ number: Int) -> String { "\(original).\(number)" }

  /// The states that there are, the newest first and the original last.
  var all: [String] {
    ((1...Self.maximum).map(later) + [original]).filter { access($0, F_OK) == 0 }
  }

  /// Keeps a state of the file.
  ///
  /// - Returns: The path of it; that of the newest one if they are the same.
  /// - Throws: ``SystemError``; then no state is lost.
  func keep(_ bytes: [UInt8]) throws(SystemError) -> String {
    guard access(original, F_OK) == 0 else {
      try LocalFile.replace(original, with: bytes)
      return original
    }
    if let newest = all.first,
      try LocalFile.read(newest, limit: AppSettingsFile.maximumSize) == bytes
    {
      return newest
    }
    for number in (1..<Self.maximum).reversed() where access(later(number), F_OK) == 0 {
      guard rename(later(number), later(number + 1)) == 0 else {
        throw SystemError("rename \(later(number))")
      }
    }
    try LocalFile.replace(later(1), with: bytes)
    return later(1)
  }

  /// Puts bytes in place with the permissions of the file, which is kept.
  ///
  /// The folder is made if there is none.
  ///
  /// - Parameters:
  ///   - old: The file as it is; nil when there is none.
  ///   - new: The file as it will be.
  /// - Returns: The path of the old file; nil when there was none.
  /// - Throws: ``SyncError`` `store.io`; then the file is as it was.
  func replace(_ old: [UInt8]?, with new: [UInt8]) throws -> String? {
    var facts = stat()
    let mode = stat(path, &facts) == 0 ? facts.st_mode & 0o777 : 0o600
    var kept: String?
    do throws(SystemError) {
      if let old {
        kept = try keep(old)
      } else {
        try LocalFolder.create(LocalFolder.parent(of: path))
      }
      try LocalFile.replace(path, with: new)
    } catch {
      throw SyncError(error)
    }
    if mode != 0o600 { chmod(path, mode) }
    return kept
  }
}
