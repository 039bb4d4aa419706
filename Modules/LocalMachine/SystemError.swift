import SyncKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A call to the operating system that failed, before it is known what that means to the caller.
package struct SystemError: Error, Equatable, Sendable {
  /// The number the system gave, such as `ENOENT`.
  package var number: Int32
  /// What was tried, to follow "cannot": `read /etc/hosts`.
  package var attempt: String

  /// Takes the number of the call that has just failed.
  package init(_ attempt: String, number: Int32 = errno) {
    self.number = number
    self.attempt = attempt
  }

  /// Whether there is nothing of that name.
  package var isMissing: Bool { number == ENOENT || number == ENOTDIR }

  /// Whether something of that name was in the way.
  package var isTaken: Bool { number == EEXIST }

  /// The system's word for it, such as "Permission denied".
  package var reason: String { String(cString: strerror(number)) }
}

extension SystemError: CustomStringConvertible {
  package var description: String { "cannot \(attempt): \(reason)" }
}

extension SyncError {
  /// The failure as one of the local store and its folders.
  package init(_ error: SystemError) {
    let code: Code =
      switch error.number {
      case ENOSPC, EDQUOT: .storeDiskFull
      case EROFS, EACCES, EPERM: .storeReadOnly
      default: .storeIO
      }
    self.init(code, error.description)
  }
}
