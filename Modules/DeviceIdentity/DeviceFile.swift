import LocalMachine
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
package enum DeviceFile {
  /// The id of this device; nil where none is kept yet, or only that of another device.
  ///
  /// - Throws: ``SyncError`` `store.io` and the like when the file cannot be read.
  package static func id(in folder: String) throws -> String? { try known(path(in: folder)) }

  /// Keeps an id that was drawn for this device.
  ///
  /// - Throws: ``SyncError`` `store.busy` when another process has kept another one meanwhile, `store.io` and the
  ///   like when the file cannot be made.
  package static func keep(_ id: String, in folder: String) throws {
    let path = path(in: folder)
    let kept = try known(path) ?? write(id, to: path)
    guard kept == id else { throw busy }
  }

  /// The id of this device, drawn and kept when there is none.
  ///
  /// - Throws: ``SyncError`` `store.io` and the like.
  package static func current(
    in folder: String, environment: SyncEnvironment
  ) throws -> String {
    if let known = try id(in: folder) { return known }
    let path = path(in: folder)
    // One that is there is another device's, and is replaced; where there is none, the process that comes first
    // decides for all.
    let isTaken = FileSignature(path) != nil
    return try write(UUIDText.random(from: environment), to: path, isReplacing: isTaken)
  }

  /// Another process has drawn an id for this device meanwhile.
  package static let busy = SyncError(
    .storeBusy, "another run has just set up this device", hint: "run the command again")

  package static func path(in folder: String) -> String { LocalFolder.path(folder, "device") }

  /// Draws a new id, to replace one that another machine has as well.
  ///
  /// - Throws: ``SyncError`` `store.io` and the like; then the former id stays.
  @discardableResult
  package static func draw(in folder: String, environment: SyncEnvironment) throws -> String {
    try write(UUIDText.random(from: environment), to: path(in: folder))
  }

  private static func write(
    _ id: String, to path: String, isReplacing: Bool = true
  ) throws -> String {
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
      guard fsync(descriptor) == 0 else { throw SystemError("write \(path)") }
      // A file system without links has only the other way.
      if !isReplacing, link(draft, path) == 0 || errno == EEXIST {
        unlink(draft)
      } else {
        guard rename(draft, path) == 0 else { throw SystemError("write \(path)") }
      }
      try LocalFolder.flush(LocalFolder.parent(of: path))
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
