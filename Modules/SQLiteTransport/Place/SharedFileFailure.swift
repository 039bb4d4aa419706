import SQLiteFile
import SegmentFormat
import SyncKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What goes wrong with a SQLite file, in the words of a remote.
enum SharedFileFailure {
  /// The file is not there.
  static func missing(_ location: String, _ whenMoved: String) -> SyncError {
    SyncError(
      .remoteUnavailable, "The file \(location) does not exist; is its disk mounted?",
      hint: "Mount it. \(whenMoved)", cause: POSIX.words(ENOENT))
  }

  /// Others were in the way all the time.
  static func busy(_ location: String, _ patience: Duration, _ error: SyncError) -> SyncError {
    let seconds =
      Double(patience.components.seconds) + Double(patience.components.attoseconds) / 1e18
    let time = seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    return SyncError(
      .remoteBusy, "Other processes kept the file \(location) busy for \(time) seconds.",
      hint: "Sync again later.", cause: error.cause)
  }

  /// The error as a remote's; one that is that already stays as it is.
  ///
  /// | Errors | Code | Exit |
  /// |---|---|---|
  /// | the disk is full | `remote.disk-full` | 74 |
  /// | the quota is used up | `remote.quota` | 73 |
  /// | no permission, read-only | `remote.denied` | 77 |
  /// | the file or its medium is gone | `remote.unavailable` | 69 |
  /// | damaged, or with foreign tables | `remote.damaged` | 76 |
  /// | anything else | `remote.io` | 74 |
  static func error(_ error: any Error, _ location: String, _ systemError: Int32) -> any Error {
    guard let error = error as? SyncError else { return error }
    func remote(_ code: SyncError.Code, _ message: String, hint: String? = nil) -> SyncError {
      SyncError(code, message, hint: hint, cause: error.cause)
    }
    let room = "Free space on the remote and sync again."
    switch error.code {
    case .storeDiskFull where systemError == EDQUOT:
      return remote(.remoteQuota, "The quota of the disk of \(location) is used up.", hint: room)
    case .storeDiskFull:
      return remote(.remoteDiskFull, "The disk that holds \(location) is full.", hint: room)
    case .storeReadOnly:
      return remote(
        .remoteDenied, "The file \(location) is not writable for this user.",
        hint: "Everyone who shares it must be able to write the file and its folder.")
    case .storeDamaged:
      return remote(
        .remoteDamaged, "The file \(location) is damaged; its bytes were not changed.",
        hint: "Move it away with its '-wal' and '-shm', and run "
          + "'cloudsync remote add NAME URL --reinit' on every device to fill a new one.")
    case .storeIO:
      switch systemError {
      case ENOENT, ENOTDIR, ENODEV, ENXIO, ESTALE, ENOTCONN:
        return remote(.remoteUnavailable, "The file \(location) no longer responds.")
      default: return remote(.remoteIO, "Reading or writing the file \(location) failed.")
      }
    default: return error
    }
  }
}

extension SyncError.Code {
  /// A shared file is damaged, or holds things that cloudsync did not put there.
  public static let remoteDamaged = Self("remote.damaged", exit: 76)
  /// A shared file lies where other machines reach it, too.
  public static let remoteUnsuitable = Self("remote.unsuitable", exit: 78)
}
