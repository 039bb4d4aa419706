import SegmentFormat
import SyncKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension SyncError.Code {
  /// What an error number of a remote folder means.
  ///
  /// | Errors | Code | Exit |
  /// |---|---|---|
  /// | the disk is full | `remote.disk-full` | 74 |
  /// | the quota is used up | `remote.quota` | 73 |
  /// | no permission, read-only | `remote.denied` | 77 |
  /// | no such folder, mount or server gone | `remote.unavailable` | 69 |
  /// | anything else | `remote.io` | 74 |
  init(remoteErrno code: Int32) {
    switch code {
    case ENOSPC: self = .remoteDiskFull
    case EDQUOT: self = .remoteQuota
    case EACCES, EPERM, EROFS: self = .remoteDenied
    case ENOENT, ENOTDIR, ELOOP, ENOTCONN, ESTALE, ENODEV, ENXIO, EHOSTDOWN, EHOSTUNREACH,
      ENETUNREACH, ETIMEDOUT:
      self = .remoteUnavailable
    default: self = .remoteIO
    }
  }
}

extension FolderBlobStore {
  /// The error for a call on something inside the folder.
  func failure(_ what: String, _ name: String, _ code: Int32) -> SyncError {
    let hint: String? =
      switch code {
      case ENOSPC, EDQUOT: "Free space on the remote and sync again."
      case EACCES, EPERM:
        "Everyone who shares the folder must be able to read and write everything in it."
      case EROFS: "Its drive is mounted read-only; mount it read-write."
      default: nil
      }
    return SyncError(
      SyncError.Code(remoteErrno: code), "Cannot \(what) '\(name)' in \(location).", hint: hint,
      cause: POSIX.words(code))
  }

  /// The error for a folder inside the folder that cannot be opened.
  func obstruction(
    _ part: String, in folder: borrowing Descriptor, _ code: Int32
  ) -> SyncError {
    let what: String
    switch POSIX.entry(folder.number, part)?.kind {
    case .file: what = "a file"
    case .link: what = "a link, and cloudsync follows no links inside a remote"
    case .other: what = "neither a file nor a folder"
    case .folder, nil: return failure("open the folder", part, code)
    }
    return SyncError(
      .remoteObstructed, "'\(part)' in \(location) is \(what); it must be a folder.",
      hint: "Put the folder back, or move '\(part)' away: the next sync creates the folder.")
  }

  /// The error for the folder itself.
  func unavailable(_ code: Int32) -> SyncError {
    switch code {
    case ENOENT:
      SyncError(
        .remoteUnavailable, "The folder \(location) does not exist; is it mounted?",
        hint: "Mount it. \(whenMoved)", cause: POSIX.words(code))
    case ENOTDIR:
      SyncError(
        .remoteUnavailable, "\(location) is not a folder.", hint: whenMoved,
        cause: POSIX.words(code))
    default:
      SyncError(
        SyncError.Code(remoteErrno: code), "The folder \(location) cannot be opened.",
        cause: POSIX.words(code))
    }
  }
}
