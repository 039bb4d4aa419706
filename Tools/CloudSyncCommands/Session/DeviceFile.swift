import CommandFoundation
import SQLiteStorage
import SyncKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The device's own id, kept in the data folder with a fingerprint of its file.
///
/// A copied or restored home has a file with another fingerprint: it is another device and draws an id
/// of its own.
enum DeviceFile {
  /// The id of this device; drawn at the first call.
  ///
  /// - Throws: ``SyncError`` `store.io` and the like if the file cannot be written.
  static func id(in folder: String, environment: SyncEnvironment) throws -> String {
    let path = path(in: folder)
    if let id = try known(path) { return id }
    return try draw(in: folder, environment: environment)
  }

  static func path(in folder: String) -> String { LocalFolder.path(folder, "device") }

  /// Draws a new id, to replace one that another machine has as well.
  ///
  /// - Throws: ``SyncError`` `store.io` and the like; then the former id stays.
  @discardableResult
  static func draw(in folder: String, environment: SyncEnvironment) throws -> String {
    let path = path(in: folder)
    let id = UUIDText.random(from: environment)
    // Not by way of `LocalFile.replace`: the file holds its own fingerprint, which there is none of before it is
    // made, and which renaming keeps.
    let draft = LocalFile.draft(of: path)
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SyncError(SystemError("write \(path)")) }
    defer { close(descriptor) }
    do {
      fchmod(descriptor, 0o600)
      let text = Array("\(id) \(try fingerprint(draft))\n".utf8)
      try LocalFile.write(text, to: descriptor, path: path)
      guard fsync(descriptor) == 0, rename(draft, path) == 0 else {
        throw SystemError("write \(path)")
      }
      try LocalFolder.flush(folder)
    } catch let error as SystemError {
      LocalFile.discard(draft)
      throw SyncError(error)
    } catch {
      LocalFile.discard(draft)
      throw error
    }
    return try known(path) ?? id
  }

  private static func known(_ path: String) throws -> String? {
    let bytes: [UInt8]
    do {
      bytes = try LocalFile.read(path, limit: 4_096)
    } catch {
      guard error.isMissing else { throw SyncError(error) }
      return nil
    }
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 2, try words[1] == fingerprint(path) else { return nil }
    return String(words[0])
  }

  private static func fingerprint(_ path: String) throws -> String {
    try FileIdentity.fingerprint(ofFileAt: path) ?? "unknown"
  }
}
