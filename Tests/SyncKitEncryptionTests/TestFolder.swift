import SyncKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A folder that goes with its last user.
final class TestFolder: Sendable {
  let path: String

  init() throws {
    let base = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    var template = Array("\(base)/cloudsync-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SyncError(.remoteIO, "There is no folder.") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The names and the bytes of everything below it.
  func everything() throws -> [UInt8] {
    var bytes: [UInt8] = []
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      bytes += Array(name.utf8)
      if let data = FileManager.default.contents(atPath: "\(path)/\(name)") { bytes += Array(data) }
    }
    return bytes
  }
}
