import LocalMachine

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A new file of mode 0600 that is written from its beginning to its end.
package final class OutputFile {
  private let path: String
  private let descriptor: Int32

  /// Makes it; nothing may bear the name yet.
  package init(creating path: String) throws(SystemError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError("write \(path)") }
    fchmod(descriptor, 0o600)
  }

  deinit { close(descriptor) }

  /// Writes what comes next.
  package func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemError("write \(path)") }
      rest = rest.dropFirst(count)
    }
  }

  /// Brings it to the disk.
  package func finish() throws(SystemError) {
    guard fsync(descriptor) == 0 else { throw SystemError("write \(path)") }
  }
}
