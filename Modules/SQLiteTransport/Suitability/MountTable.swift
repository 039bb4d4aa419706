#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Which file systems are mounted where, as Linux tells a process (proc_pid_mountinfo(5)).
struct MountTable {
  private var mounts: [(point: String, kind: String)] = []

  /// Reads the text of the table.
  ///
  /// A line is: number, parent, device, root, mount point, options, any number of optional fields,
  /// `-`, kind, source, options.
  init(_ text: String) {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 6, let dash = words[6...].firstIndex(of: "-"), dash + 1 < words.count
      else { continue }
      mounts.append((Self.plain(words[4]), Self.plain(words[dash + 1])))
    }
  }

  /// Reads the table; nil when there is none.
  init?(contentsOf path: String) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = chunk.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
      guard count > 0 else { break }
      bytes += chunk.prefix(count)
    }
    self.init(String(decoding: bytes, as: UTF8.self))
  }

  /// The kind of the file system that holds a path; of several at one place the last covers the rest.
  func fileSystem(of path: String) -> String? {
    var best: (length: Int, kind: String)?
    for (point, kind) in mounts where Self.isAt(path, below: point) {
      if point.utf8.count >= best?.length ?? 0 { best = (point.utf8.count, kind) }
    }
    return best?.kind
  }

  private static func isAt(_ path: String, below point: String) -> Bool {
    point == "/" || path == point || path.hasPrefix("\(point)/")
  }

  /// A field without the `\040` that stands for a space, and the like.
  private static func plain(_ field: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = field.utf8
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let code = UInt8(String(Substring(digits)), radix: 8)
      {
        bytes.append(code)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
