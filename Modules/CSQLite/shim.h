#pragma once
#include <sqlite3.h>

/// Switches one of SQLite's per-connection options; sqlite3_db_config is variadic, which Swift
/// cannot call.
static inline int cloudsync_sqlite3_configure(sqlite3 *db, int option, int on) {
  return sqlite3_db_config(db, option, on, (int *)0);
}
