import SyncKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension POSIX {
  /// Sends a text to a socket of the file system and reads the answer until the other end closes.
  static func ask(_ path: String, _ text: String) throws -> String {
    #if canImport(Glibc)
    let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #else
    let file = socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
    guard file >= 0 else { throw failure("open a socket for", path) }
    defer { closeFile(file) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw SyncError(.failure, "The path of the socket '\(path)' is too long.")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let outcome = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard outcome == 0 else { throw failure("reach", path) }
    try write(Array(text.utf8), to: file)
    var answer: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(file, &chunk, chunk.count, 0)
      guard count > 0 else { break }
      answer += chunk[..<count]
    }
    return String(decoding: answer, as: UTF8.self)
  }
}
