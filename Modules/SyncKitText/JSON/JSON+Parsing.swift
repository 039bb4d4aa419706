extension JSON {
  /// Reads one JSON value from UTF-8 bytes, strictly.
  ///
  /// Everything RFC 8259 forbids is an error: comments, trailing commas, leading zeros, `NaN`, control
  /// characters in strings, bytes after the value. So are what it leaves open and readers disagree on:
  /// a key that comes twice, a surrogate without its other half, invalid UTF-8, a number beyond the
  /// range of a double. A byte order mark at the start is skipped.
  ///
  /// A number without `.` and `e` that fits 64 bits is an ``int(_:)``, and `-0` is the whole number 0;
  /// other numbers become the nearest ``double(_:)``, so one too small for a double becomes 0.
  ///
  /// - Parameters:
  ///   - bytes: The whole text; read in one pass, without a copy where the bytes are contiguous.
  ///   - maximumDepth: How many arrays and objects may contain one another, at most 512.
  /// - Throws: ``JSONError`` with the position; the same bytes always fail the same way.
  public init(parsing bytes: some Sequence<UInt8>, maximumDepth: Int = 64) throws(JSONError) {
    let depth = min(max(maximumDepth, 0), 512)
    let parse = { (buffer: UnsafeBufferPointer<UInt8>) -> Result<JSON, JSONError> in
      var parser = JSONParser(bytes: buffer, maximumDepth: depth)
      do throws(JSONError) { return .success(try parser.parseDocument()) } catch {
        return .failure(error)
      }
    }
    let result =
      bytes.withContiguousStorageIfAvailable(parse) ?? Array(bytes).withUnsafeBufferPointer(parse)
    self = try result.get()
  }

  /// Reads one JSON value from a text, by the same rules as from bytes.
  ///
  /// - Parameters:
  ///   - text: The whole text.
  ///   - maximumDepth: How many arrays and objects may contain one another, at most 512.
  /// - Throws: ``JSONError`` with the position; the same text always fails the same way.
  public init(parsing text: String, maximumDepth: Int = 64) throws(JSONError) {
    try self.init(parsing: text.utf8, maximumDepth: maximumDepth)
  }
}
