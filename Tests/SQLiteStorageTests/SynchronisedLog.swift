import CSyncKitSQLite
import Synchronization

/// Counts how often SQLite synchronises each file, by standing between it and the system.
///
/// The system's own functions do the work: only what is called in place of `xSync` counts first.
enum SynchronisedLog {
  private struct State {
    var paths: [UInt: String] = [:]
    var counts: [String: Int] = [:]
  }

  private typealias Open =
    @convention(c) (
      UnsafeMutablePointer<sqlite3_vfs>?, sqlite3_filename?, UnsafeMutablePointer<sqlite3_file>?,
      Int32, UnsafeMutablePointer<Int32>?
    ) -> Int32
  private typealias Sync = @convention(c) (UnsafeMutablePointer<sqlite3_file>?, Int32) -> Int32

  private static let state = Mutex(State())
  private static let system = Mutex<(open: Open?, sync: Sync?)>((nil, nil))

  /// How often a file was synchronised since ``install()``.
  static func count(_ path: String) -> Int { state.withLock { $0.counts[path, default: 0] } }

  /// Stands in the way of each file that is opened from now on.
  static let install: Void = {
    guard let original = sqlite3_vfs_find(nil) else { return }
    let counting = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    counting.initialize(to: original.pointee)
    system.withLock { $0.open = original.pointee.xOpen }
    counting.pointee.xOpen = { vfs, name, file, flags, result in
      let code = system.withLock(\.open)?(vfs, name, file, flags, result) ?? SQLITE_ERROR
      if code == SQLITE_OK, let name, let file { watch(file, String(cString: name)) }
      return code
    }
    counting.pointee.pNext = nil
    sqlite3_vfs_register(counting, 1)
  }()

  private static func watch(_ file: UnsafeMutablePointer<sqlite3_file>, _ path: String) {
    guard let methods = file.pointee.pMethods else { return }
    // As long as the process: a file may be open until its end.
    let counting = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    counting.initialize(to: methods.pointee)
    system.withLock { $0.sync = methods.pointee.xSync }
    counting.pointee.xSync = { file, flags in
      SynchronisedLog.state.withLock { state in
        if let path = state.paths[UInt(bitPattern: file)] { state.counts[path, default: 0] += 1 }
      }
      return SynchronisedLog.system.withLock(\.sync)?(file, flags) ?? SQLITE_ERROR
    }
    state.withLock { $0.paths[UInt(bitPattern: file)] = path }
    file.pointee.pMethods = UnsafePointer(counting)
  }
}
