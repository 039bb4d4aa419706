#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What the network calls this machine.
enum HostName {
  /// The name up to its first dot; `device` when the machine has none.
  static var current: String {
    var buffer = [UInt8](repeating: 0, count: 256)
    let status = buffer.withUnsafeMutableBytes { bytes in
      gethostname(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count - 1)
    }
    guard status == 0 else { return "device" }
    let name = String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
    let first = name.split(separator: ".").first.map(String.init) ?? ""
    return first.isEmpty ? "device" : first
  }
}
