#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The network name of this machine.
package enum HostName {
  /// The name up to its first dot; `device` if the machine has none.
  package static var current: String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "device" }
    let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let name = String(decoding: bytes, as: UTF8.self)
    let first = name.split(separator: ".").first.map(String.init) ?? ""
    return first.isEmpty ? "device" : first
  }
}
