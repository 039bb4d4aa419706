import CommandFoundation
@testable import CloudSyncCommands

/// Media for a test: small ones, and read-only ones.
///
/// Only the superuser can make them; other users skip the tests that need them.
enum Mounts {
  static let areAllowed: Bool = {
    guard let folder = try? TemporaryFolder(), (try? mount(folder.path, "size=64k")) == true else {
      return false
    }
    unmount(folder.path)
    return true
  }()

  /// Mounts an empty medium of a size, such as `size=64k`.
  static func mount(_ path: String, _ options: String) throws -> Bool {
    try run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", path])
  }

  /// Makes a medium read-only, or writable again.
  static func remount(_ path: String, isReadOnly: Bool) throws -> Bool {
    try run(["mount", "-o", isReadOnly ? "remount,ro" : "remount,rw", path])
  }

  static func unmount(_ path: String) { _ = try? run(["umount", "-l", path]) }

  private static func run(_ command: [String]) throws -> Bool {
    try ChildProcess.run(command, hidesErrors: true, seconds: 20).status == 0
  }
}
