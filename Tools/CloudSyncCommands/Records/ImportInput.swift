import LocalMachine

#if canImport(Glibc)
import CommandFoundation
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The bytes of a file or of standard input, piece by piece.
final class ImportInput {
  private let path: String
  private let terminal: Terminal
  /// Nil for standard input.
  private let descriptor: Int32?
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)

  /// Opens a file, or takes standard input for `-`.
  ///
  /// - Throws: ``SystemError``; `ENOENT` if there is no such file.
  init(_ path: String, _ terminal: Terminal) throws(SystemError) {
    self.path = path
    self.terminal = terminal
    guard path != "-" else {
      descriptor = nil
      return
    }
    let opened = open(path, O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else { throw SystemError("read \(path)") }
    descriptor = opened
  }

  deinit { if let descriptor { close(descriptor) } }

  /// The next bytes; none at the end.
  func next() throws(SystemError) -> [UInt8] {
    guard let descriptor else { return try terminal.read() }
    while true {
      let count = chunk.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError("read \(path)") }
      return Array(chunk.prefix(count))
    }
  }

  /// The next bytes, at least this many unless the end comes first.
  func next(atLeast wanted: Int) throws(SystemError) -> [UInt8] {
    var bytes = try next()
    while bytes.count < wanted {
      let more = try next()
      if more.isEmpty { break }
      bytes += more
    }
    return bytes
  }
}
