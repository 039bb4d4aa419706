#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The inputs in a folder, by name.
enum CorpusFolder {
  static func inputs(_ path: String) -> [(name: String, bytes: [UInt8])] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var inputs: [(name: String, bytes: [UInt8])] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard !name.hasPrefix("."), let bytes = read("\(path)/\(name)") else { continue }
      inputs.append((name, bytes))
    }
    return inputs.sorted { $0.name < $1.name }
  }

  private static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }
}
