import Synchronization
import SyncKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A folder of a test's own, and the few things tests do to files behind a store's back.
final class TemporaryFolder: Sendable {
  let path: String
  private let counter = Mutex(0)

  init() throws {
    var template = Array("/tmp/cloudsync-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw Failure(what: "mkdtemp") }
    path = String(cString: made)
  }

  struct Failure: Error { let what: String }

  /// A path in a sub-folder that does not exist yet.
  func unused(_ name: String) -> String {
    let number = counter.withLock {
      $0 += 1
      return $0
    }
    return "\(path)/\(number)/\(name)"
  }

  func remove() { Self.run("rm -rf '\(path)'") }

  @discardableResult static func run(_ command: String) -> Int32 { system(command) }

  static func read(_ path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { throw Failure(what: "open \(path)") }
    defer { close(file) }
    var status = stat()
    fstat(file, &status)
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
    return Array(bytes.prefix(max(count, 0)))
  }

  static func write(_ path: String, _ bytes: [UInt8]) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard file >= 0 else { throw Failure(what: "open \(path)") }
    defer { close(file) }
    let count = bytes.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
    guard count == bytes.count else { throw Failure(what: "write \(path)") }
  }

  /// Flips one bit of a file; flipping it again restores the file.
  static func flip(_ path: String, at offset: Int, bit: Int) throws {
    let file = open(path, O_RDWR)
    guard file >= 0 else { throw Failure(what: "open \(path)") }
    defer { close(file) }
    var byte: UInt8 = 0
    guard pread(file, &byte, 1, off_t(offset)) == 1 else { throw Failure(what: "read \(path)") }
    byte ^= 1 << UInt8(bit)
    guard pwrite(file, &byte, 1, off_t(offset)) == 1 else { throw Failure(what: "write \(path)") }
  }

  static func mode(_ path: String) -> UInt32? {
    var status = stat()
    return lstat(path, &status) == 0 ? UInt32(status.st_mode) & 0o777 : nil
  }

  static func exists(_ path: String) -> Bool { mode(path) != nil }
}
