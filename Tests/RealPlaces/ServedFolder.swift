#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The folder behind a service, as its operator sees it.
public struct ServedFolder: Sendable {
  /// Its path.
  public let path: String

  /// Looks into a folder, which need not be there yet; nil for a path that is none.
  public init?(_ path: String) {
    guard path.hasPrefix("/") else { return nil }
    self.path = path
  }

  /// The paths of all files below it, relative to it.
  public var files: [String] {
    var found: [String] = []
    walk(path) { name, isFolder in if !isFolder { found.append(name) } }
    return found.map { String($0.utf8.dropFirst(path.utf8.count + 1)) ?? $0 }.sorted()
  }

  /// Takes everything in it away.
  public func empty() {
    var found: [(String, Bool)] = []
    walk(path) { found.append(($0, $1)) }
    for (name, isFolder) in found { _ = isFolder ? rmdir(name) : unlink(name) }
  }

  /// Cuts every segment in half.
  public func cut() {
    for name in files where name.hasSuffix(".seg") {
      var status = stat()
      if stat("\(path)/\(name)", &status) == 0 {
        truncate("\(path)/\(name)", status.st_size / 2)
      }
    }
  }

  /// The bytes of a file.
  public func read(_ name: String) -> [UInt8]? {
    guard let file = fopen("\(path)/\(name)", "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&part, 1, part.count, file), count > 0 {
      bytes += part.prefix(count)
    }
    return bytes
  }

  /// Hands out what is below a folder, a folder after what is in it.
  private func walk(_ folder: String, _ take: (String, Bool) -> Void) {
    guard let stream = opendir(folder) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name != ".", name != ".." else { continue }
      let isFolder = entry.pointee.d_type == UInt8(DT_DIR)
      if isFolder { walk("\(folder)/\(name)", take) }
      take("\(folder)/\(name)", isFolder)
    }
  }
}
