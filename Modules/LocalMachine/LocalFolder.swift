#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Folders on this machine.
package enum LocalFolder {
  /// Makes a folder and those above it, each 0700 whatever the umask, and returns once their names are on
  /// the disk; one that exists stays as it is.
  ///
  /// - Throws: ``SystemError``; what was made on the way stays.
  package static func create(_ path: String) throws(SystemError) {
    if exists(path) { return }
    let above = parent(of: path)
    if above != path { try create(above) }
    if mkdir(path, 0o700) == 0 {
      guard chmod(path, 0o700) == 0 else { throw SystemError("make the folder \(path)") }
      // What is written into it is lost with its name.
      try flush(above)
    } else {
      // Another process may have been quicker, which is as good.
      let failure = SystemError("make the folder \(path)")
      guard exists(path) else { throw failure }
    }
  }

  /// Whether there is a folder of that name, or a link to one.
  package static func exists(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }

  /// The names in a folder that end in a suffix and are not hidden, in the order of their bytes; none
  /// when there is no such folder.
  ///
  /// - Throws: ``SystemError`` when it is there and cannot be read.
  package static func names(in path: String, ending suffix: String) throws(SystemError) -> [String]
  {
    guard let folder = opendir(path) else {
      if errno == ENOENT || errno == ENOTDIR { return [] }
      throw SystemError("read the folder \(path)")
    }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(suffix), !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The files in a folder and those below it that are not hidden, relative to it and with `/` between,
  /// in the order of their bytes.
  ///
  /// Links to folders are not followed.
  /// - Throws: ``SystemError`` when a folder cannot be read, `EFBIG` when there are more files.
  package static func files(below root: String, atMost limit: Int) throws(SystemError) -> [String] {
    var found: [String] = []
    var open = [""]
    while let folder = open.popLast() {
      for name in try names(in: folder.isEmpty ? root : path(root, folder), ending: "") {
        let relative = folder.isEmpty ? name : "\(folder)/\(name)"
        var facts = stat()
        guard lstat(path(root, relative), &facts) == 0 else { continue }
        if facts.st_mode & S_IFMT == S_IFDIR {
          open.append(relative)
        } else {
          found.append(relative)
        }
        guard found.count + open.count <= limit else {
          throw SystemError("read the folder \(root)", number: EFBIG)
        }
      }
    }
    return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Brings a folder's list of names to the disk; a medium that cannot is not asked again.
  package static func flush(_ path: String) throws(SystemError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError("flush the folder \(path)") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw SystemError("flush the folder \(path)")
    }
  }

  /// What a path leads to once symbolic links are followed, or the path itself.
  package static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The folder that a path is in: `/` for a name in the root, `.` for a bare name.
  package static func parent(of path: String) -> String {
    let slash = UInt8(ascii: "/")
    var bytes = Array(path.utf8)[...]
    while bytes.count > 1, bytes.last == slash { bytes.removeLast() }
    guard let last = bytes.lastIndex(of: slash) else { return "." }
    bytes = bytes[..<last]
    while bytes.last == slash { bytes.removeLast() }
    return bytes.isEmpty ? "/" : String(decoding: bytes, as: UTF8.self)
  }

  /// A path below a folder, with one slash between.
  package static func path(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }
}
