import CSyncKitSQLite
import SyncKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What a result code of SQLite means for a store.
package struct SQLiteFailure {
  /// The extended result code.
  package let code: Int32
  /// The error number of the system call below; 0 when there was none.
  package let systemError: Int32
  /// The error number with which the disk failed to give a part of the file; 0 when it gave all.
  package let unread: Int32
  /// The code without its extension.
  package var primary: Int32 { code & 0xFF }
  /// Whether the file's content is wrong.
  package var isDamage: Bool { meaning == .storeDamaged }

  /// Names the failure as the rest of the program knows it.
  package func error(_ path: String) -> SyncError {
    let meaning = meaning
    return SyncError(
      meaning, Self.sentence(meaning, path), hint: Self.hint(meaning),
      cause: "\(words) (SQLite \(code))" + (reason == 0 ? "" : ", \(POSIX.words(reason))"))
  }

  /// What the code says, in words of our own.
  private var words: String {
    switch primary {
    case SQLITE_BUSY, SQLITE_LOCKED: "the file is locked"
    case SQLITE_FULL: "the disk is full"
    case SQLITE_CORRUPT: "a page of the file is damaged"
    case SQLITE_NOTADB: "the file is not a database"
    case SQLITE_FORMAT, SQLITE_ERROR, SQLITE_SCHEMA:
      "the tables in the file are not those of a store"
    case SQLITE_READONLY: "the file is read-only"
    case SQLITE_PERM, SQLITE_AUTH: "this user may not open the file"
    case SQLITE_CANTOPEN: "the file cannot be opened"
    case SQLITE_IOERR: "the disk reported an error"
    case SQLITE_NOMEM: "there is not enough memory"
    case SQLITE_TOOBIG: "a value is larger than the file can hold"
    case SQLITE_CONSTRAINT, SQLITE_MISMATCH: "a row breaks a rule of its table"
    default: "the database refused the operation"
    }
  }

  /// The error number that tells most.
  private var reason: Int32 { isUnread ? unread : systemError }

  /// Whether SQLite calls something damaged that the disk has not given.
  private var isUnread: Bool { unread != 0 && primary == SQLITE_CORRUPT }

  private var meaning: SyncError.Code {
    if isUnread { return .storeIO }
    return switch primary {
    case SQLITE_BUSY, SQLITE_LOCKED: .storeBusy
    case SQLITE_FULL: .storeDiskFull
    // Our statements are fixed, so one that does not fit means that the tables are not ours.
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_ERROR: .storeDamaged
    case SQLITE_READONLY: code == Self.moved ? .storeIO : .storeReadOnly
    case SQLITE_PERM, SQLITE_AUTH: .storeReadOnly
    case SQLITE_IOERR, SQLITE_CANTOPEN:
      switch code {
      case Self.shortRead, Self.checksum: .storeDamaged
      default: systemError == 0 ? .storeIO : SyncError.Code(storeErrno: systemError)
      }
    default: .storeIO
    }
  }

  // SQLite defines its extended codes by expressions, which Swift does not import.
  private static let moved = SQLITE_READONLY | (4 << 8)
  /// There is less of the file than was asked for.
  static let shortRead = SQLITE_IOERR | (2 << 8)
  private static let checksum = SQLITE_IOERR | (32 << 8)

  private static func sentence(_ code: SyncError.Code, _ path: String) -> String {
    switch code {
    case .storeBusy: "Another process is writing to the store '\(path)'."
    case .storeDiskFull: "The disk that holds the store '\(path)' is full."
    case .storeDamaged: "The store '\(path)' is damaged."
    case .storeReadOnly: "The store '\(path)' cannot be written."
    default: "Reading or writing the store '\(path)' failed."
    }
  }

  private static func hint(_ code: SyncError.Code) -> String? {
    switch code {
    case .storeDamaged:
      "Its bytes were not changed; 'cloudsync verify --repair' rebuilds the store."
    case .storeDiskFull: "Free some space; nothing saved before is lost."
    default: nil
    }
  }
}
