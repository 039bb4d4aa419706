import CSyncKitSQLite
import SyncKit
import Testing

@testable import SQLiteFile

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// SQLite tells of pages that the disk does not give as it tells of damaged ones, and only damage may be repaired.
@Test(arguments: [
  (SQLITE_CORRUPT, 0, 0, SyncError.Code.storeDamaged),
  (SQLITE_CORRUPT, 0, EIO, .storeIO),
  (SQLITE_CORRUPT, 0, ENXIO, .storeIO),
  // Reading a part that was cut off.
  (SQLITE_IOERR | 2 << 8, 0, 0, .storeDamaged),
  // What a failing read is before a statement makes damage of it.
  (SQLITE_IOERR | 33 << 8, EIO, EIO, .storeIO),
  (SQLITE_IOERR | 3 << 8, ENOSPC, 0, .storeDiskFull),
  (SQLITE_NOTADB, 0, 0, .storeDamaged),
])
func `a page that the disk cannot read is not damage`(
  _ code: Int32, _ system: Int32, _ unread: Int32, _ meaning: SyncError.Code
) {
  let failure = SQLiteFailure(code: code, systemError: system, unread: unread)
  #expect(failure.error("store").code == meaning)
  #expect(failure.isDamage == (meaning == .storeDamaged))
  if unread == EIO {
    #expect(failure.error("store").cause?.contains("Input/output error") == true)
  }
}
