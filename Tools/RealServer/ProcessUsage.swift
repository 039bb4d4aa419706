#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The memory and processor time of a running process, from Linux.
public struct ProcessUsage: Sendable {
  /// Bytes of memory in use now.
  public var resident: Int
  /// The peak since its start.
  public var peak: Int
  /// Seconds of processor time, of user and system together.
  public var cpu: Double

  /// Measures a process; nil if it does not run, and on systems without this data.
  public init?(of process: Int32) {
    guard let status = Self.text("/proc/\(process)/status"),
      let line = Self.text("/proc/\(process)/stat")
    else { return nil }
    func kibibytes(_ key: String) -> Int? {
      status.split(separator: "\n").first { $0.hasPrefix("\(key):") }
        .flatMap { Int($0.dropFirst(key.count + 1).filter(\.isNumber)) }
    }
    // The name of the program may contain anything, so the fields are counted from after its parenthesis.
    guard let resident = kibibytes("VmRSS"), let peak = kibibytes("VmHWM"),
      let end = line.lastIndex(of: ")")
    else { return nil }
    let fields = line[end...].split(separator: " ")
    guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else {
      return nil
    }
    self.resident = resident << 10
    self.peak = peak << 10
    cpu = (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  private static func text(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while case let count = read(file, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
