import SyncKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The system calls of the tool.
enum POSIX {
  /// Seconds of a clock that only goes forward.
  static func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Milliseconds since 1970.
  static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// A path that does not depend on the working folder.
  static func absolute(_ path: String) throws -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = getcwd(nil, 0) else { throw failure("find", ".") }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }

  static func makeFolder(_ path: String) throws {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure("make", path) }
  }

  static func read(_ path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure("open", path) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw failure("read", path) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(status.st_size))
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = chunk.withUnsafeMutableBytes { systemRead(file, $0) }
      guard count >= 0 else { throw failure("read", path) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }

  /// Writes a whole file; a durable one is on the disk when this returns.
  static func write(_ bytes: [UInt8], to path: String, isDurable: Bool = false) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure("make", path) }
    defer { close(file) }
    try write(bytes, to: file)
    guard !isDurable || fsync(file) == 0 else { throw failure("write", path) }
  }

  static func write(_ bytes: [UInt8], to file: Int32) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(file, $0) }
      guard count > 0 else { throw failure("write", "a file") }
      rest = rest.dropFirst(count)
    }
  }

  /// Opens a file to append to.
  static func appending(to path: String) throws -> Int32 {
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure("make", path) }
    return file
  }

  /// Waits until the written bytes are on the disk.
  static func synchronize(_ file: Int32) throws {
    #if canImport(Darwin)
    let isDone = fcntl(file, F_FULLFSYNC) == 0
    #else
    let isDone = fdatasync(file) == 0
    #endif
    guard isDone else { throw failure("write", "a file") }
  }

  static func closeFile(_ file: Int32) { close(file) }

  /// The files below a folder, by path, with their sizes in bytes.
  static func files(below path: String) -> [String: Int] {
    var found: [String: Int] = [:]
    guard let folder = opendir(path) else { return found }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name == "." || name == ".." { continue }
      var status = stat()
      guard lstat("\(path)/\(name)", &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        found.merge(files(below: "\(path)/\(name)")) { first, _ in first }
      } else {
        found["\(path)/\(name)"] = Int(status.st_size)
      }
    }
    return found
  }

  /// Removes a folder with its content.
  static func remove(_ path: String) {
    for file in files(below: path).keys { unlink(file) }
    removeFolders(path)
  }

  private static func removeFolders(_ path: String) {
    if let folder = opendir(path) {
      var names: [String] = []
      while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != ".", name != ".." { names.append(name) }
      }
      closedir(folder)
      for name in names { removeFolders("\(path)/\(name)") }
    }
    rmdir(path)
  }

  static func failure(_ what: String, _ path: String) -> SyncError {
    SyncError(.failure, "Cannot \(what) '\(path)'.", cause: String(cString: strerror(errno)))
  }

  private static func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    #if canImport(Darwin)
    Darwin.read(file, buffer.baseAddress, buffer.count)
    #elseif canImport(Glibc)
    Glibc.read(file, buffer.baseAddress, buffer.count)
    #else
    Musl.read(file, buffer.baseAddress, buffer.count)
    #endif
  }

  private static func systemWrite(_ file: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
    Darwin.write(file, buffer.baseAddress, buffer.count)
    #elseif canImport(Glibc)
    Glibc.write(file, buffer.baseAddress, buffer.count)
    #else
    Musl.write(file, buffer.baseAddress, buffer.count)
    #endif
  }
}
