import LocalMachine
import CommandFoundation
import SyncKitFormats

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Random access to the bytes of a file, for archives that need not be in memory.
final class FileBytes: ByteSource {
  let count: Int
  private let path: String
  private let descriptor: Int32

  /// Opens a file.
  ///
  /// - Throws: ``SystemError``; `ENOENT` if it does not exist, `ESPIPE` for a file without positions.
  init(_ path: String) throws(SystemError) {
    let opened = open(path, O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else { throw SystemError("read \(path)") }
    let size = lseek(opened, 0, SEEK_END)
    guard size >= 0 else {
      let error = SystemError("read \(path)")
      close(opened)
      throw error
    }
    self.path = path
    descriptor = opened
    count = Int(size)
  }

  deinit { close(descriptor) }

  func read(at offset: Int, count wanted: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: wanted)
    var done = 0
    while done < wanted {
      let count = bytes[done...].withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress, $0.count, off_t(offset + done))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemError("read \(path)", number: count < 0 ? errno : EIO) }
      done += count
    }
    return bytes
  }
}
