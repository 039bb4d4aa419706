#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Files for tests: writing, reading, listing.
enum Files {
  static func write(_ bytes: [UInt8], to path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw CommandRunner.Failure(what: "cannot write \(path)") }
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Self.put(file, $0.baseAddress, $0.count) }
      guard count > 0 else { throw CommandRunner.Failure(what: "cannot write \(path)") }
      rest = rest.dropFirst(count)
    }
  }

  static func read(_ path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw CommandRunner.Failure(what: "cannot read \(path)") }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = chunk.withUnsafeMutableBytes { Self.get(file, $0.baseAddress, $0.count) }
      guard count > 0 else { return bytes }
      bytes += chunk.prefix(count)
    }
  }

  static func text(_ path: String) throws -> String {
    String(decoding: try read(path), as: UTF8.self)
  }

  /// The permission bits, 0 if it is missing.
  static func mode(_ path: String) -> Int {
    var facts = stat()
    return stat(path, &facts) == 0 ? Int(facts.st_mode) & 0o777 : 0
  }

  static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  static func remove(_ path: String) {
    for name in names(in: path) { remove("\(path)/\(name)") }
    if rmdir(path) != 0 { unlink(path) }
  }

  private static func put(_ file: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
    Darwin.write(file, start, count)
    #elseif canImport(Musl)
    Musl.write(file, start, count)
    #else
    Glibc.write(file, start, count)
    #endif
  }

  private static func get(_ file: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
    Darwin.read(file, start, count)
    #elseif canImport(Musl)
    Musl.read(file, start, count)
    #else
    Glibc.read(file, start, count)
    #endif
  }
}

extension Files {
  /// Makes a folder in an existing one.
  static func makeFolder(_ path: String) throws {
    guard mkdir(path, 0o700) == 0 else {
      throw CommandRunner.Failure(what: "cannot make the folder \(path)")
    }
  }

  static func move(_ path: String, to other: String) throws {
    guard rename(path, other) == 0 else {
      throw CommandRunner.Failure(what: "cannot move \(path) to \(other)")
    }
  }

  /// Copies what is in a folder and not in another one, as a drive does that brings two states together.
  static func merge(_ path: String, into other: String) throws {
    if mode(other) == 0 { try makeFolder(other) }
    for name in names(in: path) {
      let (from, to) = ("\(path)/\(name)", "\(other)/\(name)")
      var facts = stat()
      guard lstat(from, &facts) == 0 else { continue }
      if facts.st_mode & S_IFMT == S_IFDIR {
        try merge(from, into: to)
      } else if mode(to) == 0 {
        try write(read(from), to: to)
      }
    }
  }
}

extension Files {
  /// The words that stand in the names or the bytes of the files below a folder.
  static func find(
    _ words: [String], under folder: String, leavingOut left: [String] = []
  ) throws -> [String] {
    var found: Set<String> = []
    func look(_ bytes: [UInt8]) {
      let text = String(decoding: bytes, as: UTF8.self)
      found.formUnion(words.filter(text.contains))
    }
    for name in names(in: folder) where !left.contains(name) {
      look(Array(name.utf8))
      let path = "\(folder)/\(name)"
      var facts = stat()
      guard lstat(path, &facts) == 0 else { continue }
      if facts.st_mode & S_IFMT == S_IFDIR {
        found.formUnion(try find(words, under: path, leavingOut: left))
      } else if facts.st_mode & S_IFMT == S_IFREG {
        look(try read(path))
      }
    }
    return words.filter(found.contains)
  }
}
