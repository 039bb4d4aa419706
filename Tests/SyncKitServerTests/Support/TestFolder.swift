#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A folder of a test, gone with the value.
final class TestFolder: Sendable {
  let path: String

  init() throws {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/cloudsync-server-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw RawClient.Failure(what: "no folder in \(base)") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(path) }

  private static func remove(_ path: String) {
    if let folder = opendir(path) {
      defer { closedir(folder) }
      while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        // A link is removed, not followed.
        if name != ".", name != "..", unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
      }
    }
    rmdir(path)
  }
}
