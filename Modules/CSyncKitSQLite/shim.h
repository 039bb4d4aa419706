#pragma once
#include <errno.h>
#include <sqlite3.h>

/// Switches one of SQLite's per-connection options; sqlite3_db_config is variadic, which Swift
/// cannot call.
static inline int cloudsync_sqlite3_configure(sqlite3 *db, int option, int on) {
  return sqlite3_db_config(db, option, on, (int *)0);
}

/// The error number of the last system call on a file that failed.
static inline int cloudsync_sqlite3_errno(sqlite3_file *file) {
  int number = 0;
  if (file && file->pMethods) file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &number);
  return number;
}

/// The error number with which reading a database or its log failed; 0 when it did not.
///
/// SQLite itself calls such a database malformed.
static inline int cloudsync_sqlite3_unread(sqlite3 *db) {
  static const int pointers[] = {SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER};
  for (int i = 0; i < 2; i++) {
    sqlite3_file *file = 0;
    sqlite3_file_control(db, "main", pointers[i], &file);
    int number = cloudsync_sqlite3_errno(file);
    if (number == EIO || number == ENXIO) return number;
  }
  return 0;
}
