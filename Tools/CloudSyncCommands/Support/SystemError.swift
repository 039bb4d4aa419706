import SyncKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A call to the operating system that failed, before it is known what that means to the caller.
struct SystemError: Error, Equatable, Sendable {
  /// The number the system gave, such as `ENOENT`.
  var number: Int32
  /// What was tried, to follow "cannot": `read /etc/hosts`.
  var attempt: String

  /// Takes the number of the call that has just failed.
  init(_ attempt: String, number: Int32 = errno) {
    self.number = number
    self.attempt = attempt
  }

  /// Whether there is nothing of that name.
  var isMissing: Bool { number == ENOENT || number == ENOTDIR }

  /// Whether something of that name was in the way.
  var isTaken: Bool { number == EEXIST }

  /// The system's word for it, such as "Permission denied".
  var reason: String { String(cString: strerror(number)) }
}

extension SystemError: CustomStringConvertible {
  var description: String { "cannot \(attempt): \(reason)" }
}

extension SyncError {
  /// The failure as one of the local store and its folders.
  init(_ error: SystemError) {
    let code: Code =
      switch error.number {
      case ENOSPC, EDQUOT: .storeDiskFull
      case EROFS, EACCES, EPERM: .storeReadOnly
      default: .storeIO
      }
    self.init(code, error.description)
  }
}
