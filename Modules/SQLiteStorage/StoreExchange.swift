import CSyncKitSQLite
import SQLiteFile
import SyncKit

/// Puts a store in the place of another one, which is kept beside it.
///
/// Until it is finished or goes away no process writes to the store that is there, as far as that one can be
/// opened at all; reading goes on. Whenever it is cut off, the name leads to the old store with all
/// that it held, or to the new one. Only on a medium where a file cannot have two names may it
/// lead to none, and then the old store lies beside it.
public final class StoreExchange {
  /// How a store that was there is kept.
  public enum Reason: String, CaseIterable, Sendable {
    /// It could not be read; it is kept byte for byte, its log with it.
    case damaged
    /// Another one was wanted; its log is folded in first.
    case replaced
  }

  private let path: String
  private let reason: Reason
  // SQLite's connections belong to one thread; so does an exchange.
  private var hold: Connection?

  /// Begins to replace the store at a path, if there is one, and undoes what an exchange that was
  /// cut off has left.
  ///
  /// The caller holds the store's lock.
  /// - Throws: ``SyncError`` `store.busy` when others write all the time, `store.read-only`,
  ///   `store.io`. Nothing was changed then.
  public init(_ path: String, as reason: Reason, timeout: Int32 = 10_000) throws {
    self.path = path
    self.reason = reason
    try Self.takeBack(path)
    hold = try Self.hold(path, folding: reason == .replaced, timeout)
  }

  deinit { end() }

  /// Gives a new store the name.
  ///
  /// - Parameter new: A whole store on the same file system that no process has open; it is gone from there
  ///   afterwards.
  /// - Returns: Where the old store is kept; nil when there was none.
  /// - Throws: ``SyncError`` `store.busy` when another process has just made a store where none was, and
  ///   `store.disk-full`, `store.read-only`, `store.io`; the old store is in its place then.
  public func finish(with new: String) throws -> String? {
    defer { end() }
    guard try POSIX.entry(new + "-wal")?.size ?? 0 == 0 else {
      // Closing it folds its log in, and does not tell when that failed.
      throw SyncError(
        .storeIO, "The log of the new store '\(new)' could not be merged into it.",
        hint: "Run the command again.")
    }
    for ending in ["-shm", "-wal"] { POSIX.remove(new + ending) }
    try POSIX.synchronize(new)
    let aside = SQLiteStorage.freeName(beside: path, reason.rawValue)
    guard try POSIX.entry(path) != nil, try POSIX.link(path, as: aside) else {
      let aside = try SQLiteStorage.setAside(path, as: reason.rawValue)
      guard try POSIX.publish(new, as: path) else {
        throw SyncError(
          .storeBusy, "Another process has just created the store '\(path)'.",
          hint: "Run the command again.")
      }
      return aside
    }
    // The log goes before the file gets another one: a new store must never find it.
    for ending in ["-shm", "-wal"] { try POSIX.move(path + ending, to: aside + ending) }
    try POSIX.move(new, to: path)
    try POSIX.synchronize(POSIX.folder(of: path))
    return aside
  }

  /// Lets the store go that is there.
  private func end() {
    guard let hold else { return }
    try? hold.run(.rollback)
    hold.close()
    self.hold = nil
  }

  /// Keeps all processes from writing to a store, after its log was folded in if that is wanted; nil when there
  /// is none or it cannot be opened.
  private static func hold(
    _ path: String, folding isFolding: Bool, _ timeout: Int32
  ) throws -> Connection? {
    guard try POSIX.entry(path) != nil else { return nil }
    var opened: Connection?
    do {
      let connection = try Connection(path)
      opened = connection
      connection.setTimeout(timeout)
      try connection.harden()
      // When it is closed, another store may bear the name; nothing may be folded in or removed by it then.
      try connection.configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
      try connection.keepLog()
      for _ in 0..<tries {
        if isFolding { _ = try connection.texts("PRAGMA wal_checkpoint(TRUNCATE)") }
        try connection.run(.write)
        if !isFolding { return connection }
        if try POSIX.entry(path + "-wal")?.size ?? 0 == 0 { return connection }
        try connection.run(.rollback)
      }
      throw SyncError(
        .storeBusy, "Other processes keep writing to the store '\(path)'.",
        hint: "Run the command again when they have finished.")
    } catch let error as SyncError where error.code == .storeDamaged {
      opened?.close()
      return nil
    } catch {
      opened?.close()
      throw error
    }
  }

  private static let tries = 20

  /// Puts back the log of a store that was to be replaced: a file with two names shows it.
  private static func takeBack(_ path: String) throws {
    guard let store = try POSIX.entry(path), store.links > 1 else { return }
    for reason in Reason.allCases {
      var number = 1
      while SQLiteStorage.endings.contains(where: {
        POSIX.isTaken("\(path).\(reason.rawValue)-\(number)\($0)")
      }) {
        let aside = "\(path).\(reason.rawValue)-\(number)"
        number += 1
        guard try POSIX.entry(aside)?.inode == store.inode else { continue }
        let isFree = try POSIX.entry(path + "-wal")?.size ?? 0 == 0
        // Where another process has written since then, two logs go on from one file: both are kept.
        guard try isFree || POSIX.entry(aside + "-wal")?.size ?? 0 == 0 else { continue }
        if isFree { try POSIX.move(aside + "-wal", to: path + "-wal") }
        POSIX.remove(aside + "-wal")
        POSIX.remove(aside + "-shm")
        POSIX.remove(aside)
        try POSIX.synchronize(POSIX.folder(of: path))
      }
    }
  }
}
