import CSyncKitSQLite

/// A prepared statement; a thin name for SQLite's handle.
package struct Statement {
  package let handle: OpaquePointer

  /// Binds bytes that stay where they are until the statement is reset.
  package func bind(_ index: Int32, _ bytes: UnsafeRawBufferPointer) -> Int32 {
    // A null pointer would bind NULL, which is not the empty blob.
    guard let base = bytes.baseAddress, !bytes.isEmpty else {
      return sqlite3_bind_zeroblob(handle, index, 0)
    }
    return sqlite3_bind_blob64(handle, index, base, UInt64(bytes.count), nil)
  }

  package func bind(_ index: Int32, _ number: UInt64) -> Int32 {
    sqlite3_bind_int64(handle, index, Int64(bitPattern: number))
  }

  /// Binds bytes that SQLite copies.
  package func bind(_ index: Int32, copying bytes: [UInt8]) -> Int32 {
    bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, !bytes.isEmpty else {
        return sqlite3_bind_zeroblob(handle, index, 0)
      }
      return sqlite3_bind_blob64(handle, index, base, UInt64(bytes.count), Self.copied)
    }
  }

  /// Binds a text, which SQLite copies; nil binds NULL.
  package func bind(_ index: Int32, _ text: String?) -> Int32 {
    guard let text else { return sqlite3_bind_null(handle, index) }
    return sqlite3_bind_text(handle, index, text, Int32(text.utf8.count), Self.copied)
  }

  /// Binds a signed number; nil binds NULL.
  package func bind(_ index: Int32, signed number: Int64?) -> Int32 {
    guard let number else { return sqlite3_bind_null(handle, index) }
    return sqlite3_bind_int64(handle, index, number)
  }

  // SQLITE_TRANSIENT is an expression, which Swift does not import.
  private static var copied: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }

  package func step() -> Int32 { sqlite3_step(handle) }

  /// Ends a run; the bound bytes may go.
  package func reset() { sqlite3_reset(handle) }

  /// The blob in a column until the next step; nil when the column holds something else.
  package func blob(_ column: Int32) -> UnsafeRawBufferPointer? {
    guard sqlite3_column_type(handle, column) == SQLITE_BLOB else { return nil }
    let base = sqlite3_column_blob(handle, column)
    let count = Int(sqlite3_column_bytes(handle, column))
    guard let base else {
      return count == 0 ? UnsafeRawBufferPointer(start: nil, count: 0) : nil
    }
    return UnsafeRawBufferPointer(start: base, count: count)
  }

  /// The integer in a column; nil when the column holds something else.
  package func number(_ column: Int32) -> UInt64? {
    guard sqlite3_column_type(handle, column) == SQLITE_INTEGER else { return nil }
    return UInt64(bitPattern: sqlite3_column_int64(handle, column))
  }

  /// The signed integer in a column; nil when the column holds something else.
  package func signed(_ column: Int32) -> Int64? {
    guard sqlite3_column_type(handle, column) == SQLITE_INTEGER else { return nil }
    return sqlite3_column_int64(handle, column)
  }

  /// The text in a column; nil when the column holds something else, or no UTF-8.
  package func text(_ column: Int32) -> String? {
    guard sqlite3_column_type(handle, column) == SQLITE_TEXT,
      let base = sqlite3_column_text(handle, column)
    else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(validating: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
  }
}
