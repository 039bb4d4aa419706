import LocalMachine
import SyncKit
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The right of one process at a time to sync, compact or restore a store.
///
/// An `flock(2)` on a file beside the store, which the kernel releases when the process ends in
/// whatever way: no lock is ever stale. The file stays, since removing it would let two processes hold
/// locks on two files of one name. Local writes do not wait for it.
package final class StoreLock: Sendable {
  private let descriptor: Mutex<Int32?>

  /// Takes the lock, waiting for it if need be.
  ///
  /// - Parameters:
  ///   - path: The lock file, made 0600 whatever the umask; its folder must exist. It belongs in the data
  ///     folder: all runs on a device agree on that one.
  ///   - wait: How long to wait for another holder; zero for one try.
  /// - Throws: ``SyncError`` `store.busy` when it is still held; trying later helps. `store.io` and the
  ///   like when the file cannot be made.
  package init(_ path: String, wait: Duration = .zero) async throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SyncError(SystemError("lock \(path)")) }
    fchmod(descriptor, 0o600)
    self.descriptor = Mutex(descriptor)
    do {
      try await Self.take(descriptor, path, wait: wait)
    } catch {
      release()
      throw error
    }
    Self.sign(descriptor)
  }

  deinit { release() }

  /// Whether a process holds the lock just now; never waits and never makes the file.
  package static func isHeld(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  /// Releases the lock; again does nothing.
  package func release() {
    descriptor.withLock { descriptor in
      if let open = descriptor {
        // A program that this process is just starting still has the file open for a moment.
        flock(open, LOCK_UN)
        close(open)
      }
      descriptor = nil
    }
  }

  private static func take(_ descriptor: Int32, _ path: String, wait: Duration) async throws {
    let clock = ContinuousClock()
    // A mere check holds it for a moment.
    let end = clock.now.advanced(by: max(wait, .milliseconds(20)))
    var pause = Duration.milliseconds(5)
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK:
        let now = clock.now
        guard now < end else { throw busy(descriptor, path) }
        try await clock.sleep(for: min(pause, now.duration(to: end)))
        pause = min(pause * 2, .milliseconds(200))
      default: throw SyncError(SystemError("lock \(path)"))
      }
    }
  }

  private static func busy(_ descriptor: Int32, _ path: String) -> SyncError {
    var bytes = [UInt8](repeating: 0, count: signatureSize)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    let digits = bytes.prefix(max(0, count)).prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    let holder = digits.isEmpty ? "" : " (process \(String(decoding: digits, as: UTF8.self)))"
    return SyncError(
      .storeBusy, "another run\(holder) holds \(path)",
      hint: "wait for it with --lock-wait, such as --lock-wait 30s")
  }

  /// Leaves the process number for the message of a process that finds it taken.
  ///
  /// It is always as many bytes: a file that was cut before it is written goes to the disk at once when it is
  /// closed, for which a run with nothing to do would wait.
  private static func sign(_ descriptor: Int32) {
    var bytes = Array("\(getpid())".utf8)
    bytes += repeatElement(UInt8(ascii: " "), count: signatureSize - 1 - bytes.count)
    bytes.append(UInt8(ascii: "\n"))
    _ = pwrite(descriptor, bytes, bytes.count, 0)
  }

  private static let signatureSize = 20
}
