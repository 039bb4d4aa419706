import SQLiteFile
import SyncKit

/// One process's way into a shared file: opens it when it is needed, runs transactions on it, waits
/// for other processes, and notices when it is another file.
actor SharedFile {
  nonisolated let path: String
  private let patience: Duration
  /// What helps when the file is not where it was, as a sentence.
  private let whenMoved: String
  private var open: OpenFile?
  /// Whether the file was replaced, and the owner of the new one is not known yet.
  private var isStrange = false

  init(path: String, patience: Duration, whenMoved: String? = nil) {
    self.path = path
    self.whenMoved = whenMoved ?? "If it has moved, correct the remote's path."
    self.patience = patience
  }

  /// How messages call the file.
  nonisolated var location: String { "'\(path)'" }

  /// Begins an exchange: makes the file if it is missing and may be made, and accepts the one that
  /// is there, whosever it is.
  ///
  /// - Returns: Whether it is another file than in the exchange before.
  func begin(creating mayMake: Bool) async throws -> Bool {
    let wasStrange = isStrange || open?.hasMoved == true
    if wasStrange { open = nil }
    isStrange = false
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw SharedFileFailure.missing(location, whenMoved)
    }
    if mayMake { try translated { try SharedFileDraft.make(path) } }
    return wasStrange
  }

  /// Runs `body` on one state of the file.
  func read<T: Sendable>(_ body: @Sendable (Connection) throws -> T) async throws -> T {
    try await patiently(.read, body)
  }

  /// Runs `body` in a transaction that is durable when this returns.
  func write<T: Sendable>(_ body: @Sendable (Connection) throws -> T) async throws -> T {
    try await patiently(.write, body)
  }

  /// Finds out whether the disk has room for that many more bytes, and leaves nothing there.
  ///
  /// - Throws: ``SyncError`` `remote.disk-full`, `remote.quota`, `remote.io`.
  func tryGrowing(by count: Int) throws {
    do {
      try SharedFileDraft.tryWriting(count, beside: path)
    } catch let failure as SharedFileDraft.Failure {
      throw SharedFileFailure.error(failure.error, location, failure.code)
    }
  }

  /// Moves the log into the file and empties it, unless others are in the way.
  func foldIn() {
    _ = try? open?.connection.texts("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// Tries again while others are in the way, without holding up a thread in between.
  private func patiently<T: Sendable>(
    _ begin: Connection.Frame, _ body: @Sendable (Connection) throws -> T
  ) async throws -> T {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: patience)
    var pause = Duration.milliseconds(1)
    while true {
      do {
        return try run(begin, body)
      } catch let error as SyncError where error.code == .storeBusy {
        guard clock.now < end else {
          throw SharedFileFailure.busy(location, patience, error)
        }
        // Chance keeps two that wait from meeting again and again.
        try await clock.sleep(for: pause * Double.random(in: 0.5...1.5))
        pause = min(pause * 2, .milliseconds(40))
      } catch {
        throw SharedFileFailure.error(error, location, open?.connection.systemError ?? 0)
      }
    }
  }

  private func run<T>(_ begin: Connection.Frame, _ body: (Connection) throws -> T) throws -> T {
    let file = try opened()
    let connection = file.connection
    try connection.run(begin)
    do {
      try file.verify()
      let result = try body(connection)
      try connection.run(.commit)
      return result
    } catch {
      if connection.isInTransaction { try? connection.run(.rollback) }
      // After a failed synchronisation a connection is not to be trusted with what it remembers.
      if (error as? SyncError)?.code == .storeIO { open = nil }
      throw error
    }
  }

  private func opened() throws -> OpenFile {
    if let open, open.hasMoved {
      self.open = nil
      isStrange = true
    }
    guard !isStrange else {
      throw SyncError(
        .remoteUnavailable, "The file \(location) was replaced or removed while it was in use.",
        hint: "Sync again.")
    }
    if let open { return open }
    let file = try OpenFile.open(path, whenMoved: whenMoved)
    open = file
    return file
  }

  private func translated<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch {
      throw SharedFileFailure.error(error, location, 0)
    }
  }
}
