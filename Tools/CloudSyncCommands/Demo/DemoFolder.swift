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

/// The folder of a demonstration, with one subfolder for each device and a shared one.
struct DemoFolder {
  let path: String

  /// Creates the folder under an unused name, readable only by its owner.
  ///
  /// - Throws: ``SyncError`` `store.io` and the like.
  init(_ context: CommandContext) throws(SyncError) {
    let named = context.terminal.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 }
    let base = named ?? "/tmp"
    var template = Array(LocalFolder.path(base, "cloudsync-demo-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw SyncError(SystemError("make a folder in \(base)"))
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The path of something in the folder.
  func path(_ name: String) -> String { LocalFolder.path(path, name) }

  /// Makes a folder in it.
  func make(_ name: String) throws(SyncError) {
    do throws(SystemError) { try LocalFolder.create(path(name)) } catch { throw SyncError(error) }
  }

  /// Removes it with its content; whatever cannot be removed stays.
  func remove() { Self.remove(path) }

  private static func remove(_ path: String) {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return }
    guard facts.st_mode & S_IFMT == S_IFDIR, let folder = opendir(path) else {
      unlink(path)
      return
    }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { remove(LocalFolder.path(path, name)) }
    }
    closedir(folder)
    rmdir(path)
  }
}
