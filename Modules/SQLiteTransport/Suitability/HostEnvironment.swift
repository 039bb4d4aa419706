import SQLiteFile

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What a transport needs to know of the machine around its file; a test may say something else.
struct HostEnvironment: Sendable {
  /// The kind of the file system that holds an absolute path without links, such as `ext4` or
  /// `fuse.sshfs`; nil when unknown.
  var fileSystem: @Sendable (_ path: String) -> String?

  /// What the system says.
  static let ofThisMachine = HostEnvironment { path in
    #if canImport(Darwin)
    var status = statfs()
    guard statfs(path, &status) == 0 else { return nil }
    return withUnsafeBytes(of: status.f_fstypename) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    #else
    return MountTable(contentsOf: "/proc/self/mountinfo")?.fileSystem(of: path)
    #endif
  }
}
