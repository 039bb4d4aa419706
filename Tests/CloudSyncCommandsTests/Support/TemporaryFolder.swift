import LocalMachine

#if canImport(Glibc)
import CommandFoundation
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

@testable import CloudSyncCommands

/// A folder for one test, removed with the value.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/cloudsync-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError("make a folder in \(base)") }
    let bytes = template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    path = LocalFolder.resolved(String(decoding: bytes, as: UTF8.self))
  }

  deinit { Self.remove(path) }

  /// Writes a file below the folder, and creates its folders.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    let file = "\(path)/\(name)"
    try LocalFolder.create(LocalFolder.parent(of: file))
    try LocalFile.replace(file, with: Array(text.utf8))
    return file
  }

  func read(_ name: String) throws -> String {
    String(decoding: try LocalFile.read("\(path)/\(name)", limit: 1 << 20), as: UTF8.self)
  }

  /// The permission bits of a file below the folder, 0 if it is missing.
  func mode(of name: String) -> Int {
    var facts = stat()
    guard stat("\(path)/\(name)", &facts) == 0 else { return 0 }
    return Int(facts.st_mode) & 0o777
  }

  /// The segments of a folder remote below a name, the first of each series first.
  func segments(in name: String) throws -> [String] {
    var found: [String] = []
    for entry in try LocalFolder.names(in: "\(path)/\(name)", ending: "") {
      if LocalFolder.exists("\(path)/\(name)/\(entry)") {
        found += try segments(in: "\(name)/\(entry)")
      } else if entry.hasSuffix(".seg") {
        found.append("\(path)/\(name)/\(entry)")
      }
    }
    return found.sorted()
  }

  private static func remove(_ path: String) {
    if LocalFolder.exists(path), let folder = opendir(path) {
      while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != ".", name != ".." { remove("\(path)/\(name)") }
      }
      closedir(folder)
      rmdir(path)
    } else {
      unlink(path)
    }
  }
}
