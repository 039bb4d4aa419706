import SegmentFormat
import SyncKit

extension SFTPBlobStore {
  /// The error for a request about something inside the folder.
  ///
  /// The protocol says little about why something failed, so the server is asked whether there is room.
  ///
  /// - Parameters:
  ///   - what: What was to be done, such as `write`.
  ///   - name: With what.
  ///   - status: What the server says.
  ///   - count: How many bytes were to be stored; nil when nothing was.
  ///   - connection: Where to ask for more.
  /// - Returns: The error.
  /// - Throws: ``SFTPEnd`` when the server cannot be asked.
  func failure(
    _ what: String, _ name: String, _ status: SFTPStatus, storing count: Int? = nil,
    _ connection: SFTPConnection
  ) async throws -> SyncError {
    let message = "Cannot \(what) '\(name)' in \(location)."
    let cause = status.message.isEmpty ? "status \(status.code)" : status.message
    let said = status.message.lowercased()
    if status.code == SFTPStatus.permissionDenied {
      return SyncError(
        .remoteDenied, message,
        hint: "The account must be able to read and write everything in the folder.", cause: cause)
    }
    if said.contains("quota") {
      return SyncError(
        .remoteQuota, message, hint: "Make room there, or ask for more, and sync again.",
        cause: cause)
    }
    let room = count == nil ? nil : try await room(connection)
    if room?.isReadOnly == true || said.contains("read-only") {
      return SyncError(
        .remoteDenied, message, hint: "Its disk is mounted read-only; mount it read-write.",
        cause: cause)
    }
    if let count, let room, room.bytes < UInt64(count) || room.files == 0 {
      return SyncError(
        .remoteDiskFull, message, hint: "Free space on the server and sync again.", cause: cause)
    }
    if said.contains("no space") {
      return SyncError(
        .remoteDiskFull, message, hint: "Free space on the server and sync again.", cause: cause)
    }
    if status.isMissing {
      return SyncError(
        .remoteUnavailable, message, hint: "Sync again; another program may have removed it.",
        cause: cause)
    }
    return SyncError(.remoteIO, message, hint: "Sync again.", cause: cause)
  }

  /// The error for the folder itself, and the folder's attributes when it is one.
  func unavailable(_ status: SFTPStatus) -> SyncError {
    let cause = status.message.isEmpty ? nil : status.message
    if status.isMissing {
      return SyncError(
        .remoteUnavailable, "The folder \(location) does not exist.",
        hint: "Make sure that its disk is there. If it has moved, correct the remote's folder.",
        cause: cause)
    }
    let code: SyncError.Code =
      status.code == SFTPStatus.permissionDenied ? .remoteDenied : .remoteUnavailable
    return SyncError(code, "The folder \(location) cannot be opened.", cause: cause)
  }

  /// The error for something that is where a folder has to be.
  func obstruction(_ name: String, _ kind: SFTPAttributes.Kind?) -> SyncError {
    let what =
      switch kind {
      case .file: "a file"
      case .link: "a link, and cloudsync follows no links inside a remote"
      default: "neither a file nor a folder"
      }
    return SyncError(
      .remoteObstructed, "'\(name)' in \(location) is \(what); it must be a folder.",
      hint: "Put the folder back, or move '\(name)' away: the next sync creates the folder.")
  }

  /// The room that the folder's medium has.
  struct Room {
    let bytes: UInt64
    let files: UInt64
    let isReadOnly: Bool
  }

  /// Asks how much room there is; nil when the server does not say.
  func room(_ connection: SFTPConnection) async throws -> Room? {
    guard connection.offers(.room),
      case .extended(let bytes) = try await connection.send(.room(path)).answer()
    else { return nil }
    var reader = SFTPReader(bytes)
    var values: [UInt64] = []
    while values.count < 11, let value = try? reader.long() { values.append(value) }
    guard values.count == 11 else { return nil }
    let (room, isHuge) = values[1].multipliedReportingOverflow(by: values[4])
    // A medium that counts no files says 0 of 0.
    return Room(
      bytes: isHuge ? .max : room, files: values[5] == 0 ? 1 : values[7],
      isReadOnly: values[9] & 1 != 0)
  }
}
