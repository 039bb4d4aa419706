import CSyncKitSQLite
import SQLiteFile
import SyncKit

/// A shared file that is open, closed when its last holder releases it.
final class OpenFile {
  /// In KiB; a transaction that touches more goes to the log early.
  private static let cacheSize = 16_384
  /// The log is merged when it has this many pages, 8 MiB, and is cut to that size.
  private static let checkpointPages = 1_024

  let connection: Connection
  /// The number of the last change of the tables that was looked at.
  private var verified: String?

  private init(_ connection: Connection) { self.connection = connection }

  deinit { connection.close() }

  /// Opens a file that exists, after a look at its header.
  ///
  /// - Throws: ``SyncError`` `remote.marker`, `remote.unavailable`, `format.newer`, or with codes of
  ///   a store, for ``SharedFileFailure`` to translate.
  static func open(
    _ path: String, whenMoved: String = "Correct the remote's path."
  ) throws -> OpenFile {
    let location = "'\(path)'"
    guard !path.isEmpty, !path.utf8.contains(0), let entry = try POSIX.entry(path) else {
      throw SharedFileFailure.missing(location, whenMoved)
    }
    guard entry.isFile else {
      throw SyncError(
        .remoteUnavailable, "\(location) is not a file.", hint: whenMoved)
    }
    guard entry.size > 0 else {
      throw SyncError(
        .remoteMarker, "The file \(location) is empty; it may have been emptied or replaced.",
        hint: "Bring the file back, or refill it with 'cloudsync remote add NAME URL --reinit'.")
    }
    let file = OpenFile(try Connection(path))
    do {
      try SharedFileFormat.check(header: file.connection.header(100), location)
      guard !file.connection.isReadOnly else {
        throw SyncError(.storeReadOnly, "The file \(location) is not writable for this user.")
      }
      try file.prepare()
    } catch {
      // What was refused stays as it is, its log included.
      try? file.connection.configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
      try? file.connection.keepLog()
      throw error
    }
    return file
  }

  /// Whether the path now leads to another file, or to none.
  var hasMoved: Bool { connection.hasMoved }

  /// Makes sure, within a transaction, that the tables are ours.
  func verify() throws {
    let version = try connection.texts("PRAGMA schema_version").first
    guard verified == nil || verified != version else { return }
    try SharedFileFormat.verify(connection)
    verified = version
  }

  private func prepare() throws {
    // Waiting happens elsewhere, where no thread is held up.
    connection.setTimeout(0)
    try connection.harden()
    try connection.keepLog()
    try connection.useDurableLog()
    try connection.run(
      """
      PRAGMA cache_size=-\(Self.cacheSize); PRAGMA wal_autocheckpoint=\(Self.checkpointPages);
      PRAGMA journal_size_limit=\(Self.checkpointPages * SharedFileFormat.pageSize);
      PRAGMA secure_delete=ON; PRAGMA temp_store=MEMORY
      """)
  }
}
