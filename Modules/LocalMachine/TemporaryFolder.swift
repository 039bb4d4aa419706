#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A folder under an unused name that only its owner can read.
package struct TemporaryFolder: Sendable {
  package let path: String

  /// Makes the folder.
  ///
  /// - Parameters:
  ///   - name: What its name begins with.
  ///   - environment: `TMPDIR` says where; `/tmp` otherwise.
  /// - Throws: ``SystemError``.
  package init(_ name: String, _ environment: [String: String]) throws(SystemError) {
    let named = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 }
    let base = named ?? "/tmp"
    var template = Array(LocalFolder.path(base, "\(name)-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError("make a folder in \(base)") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The path of something in the folder.
  package func path(_ name: String) -> String { LocalFolder.path(path, name) }

  /// Removes it with its content; whatever cannot be removed stays.
  package func remove() { Self.remove(path) }

  /// Removes something in it, a folder with its content.
  package func remove(_ name: String) { Self.remove(path(name)) }

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
