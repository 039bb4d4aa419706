import CSQLite

/// A prepared statement; a thin name for SQLite's handle.
struct Statement {
  let handle: OpaquePointer

  /// Binds bytes that stay where they are until the statement is reset.
  func bind(_ index: Int32, _ bytes: UnsafeRawBufferPointer) -> Int32 {
    // A null pointer would bind NULL, which is not the empty blob.
    guard let base = bytes.baseAddress, !bytes.isEmpty else {
      return sqlite3_bind_zeroblob(handle, index, 0)
    }
    return sqlite3_bind_blob64(handle, index, base, UInt64(bytes.count), nil)
  }

  func bind(_ index: Int32, _ number: UInt64) -> Int32 {
    sqlite3_bind_int64(handle, index, Int64(bitPattern: number))
  }

  func step() -> Int32 { sqlite3_step(handle) }

  /// Ends a run; the bound bytes may go.
  func reset() { sqlite3_reset(handle) }

  /// The blob in a column until the next step; nil when the column holds something else.
  func blob(_ column: Int32) -> UnsafeRawBufferPointer? {
    guard sqlite3_column_type(handle, column) == SQLITE_BLOB else { return nil }
    let base = sqlite3_column_blob(handle, column)
    let count = Int(sqlite3_column_bytes(handle, column))
    guard let base else {
      return count == 0 ? UnsafeRawBufferPointer(start: nil, count: 0) : nil
    }
    return UnsafeRawBufferPointer(start: base, count: count)
  }

  /// The integer in a column; nil when the column holds something else.
  func number(_ column: Int32) -> UInt64? {
    guard sqlite3_column_type(handle, column) == SQLITE_INTEGER else { return nil }
    return UInt64(bitPattern: sqlite3_column_int64(handle, column))
  }
}
