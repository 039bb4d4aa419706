#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

func readFile(_ path: String) throws -> [UInt8] {
  let file = open(path, O_RDONLY)
  guard file >= 0 else { throw TestFailure("cannot open \(path)") }
  defer { close(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 20)
  while true {
    let count = read(file, &buffer, buffer.count)
    guard count > 0 else { return bytes }
    bytes += buffer[..<count]
  }
}

func writeFile(_ path: String, _ bytes: [UInt8]) throws {
  let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  guard file >= 0 else { throw TestFailure("cannot make \(path)") }
  defer { close(file) }
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    guard count > 0 else { throw TestFailure("cannot write \(path)") }
    rest = rest.dropFirst(count)
  }
}
