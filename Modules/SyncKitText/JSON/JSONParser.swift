/// A recursive descent over the bytes of one JSON text.
///
/// The buffer must outlive the parser. Reading past the end yields 0, which no rule accepts, so every
/// rule ends at the end of the text without a check of its own.
package struct JSONParser {
  package let bytes: UnsafeBufferPointer<UInt8>
  package let maximumDepth: Int
  package var offset = 0
  /// The bytes of the string being read, when escapes make them differ from the text.
  var unescaped: [UInt8] = []

  package init(bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
  }

  package mutating func parseDocument() throws(JSONError) -> JSON {
    offset = TextScan.byteOrderMarkLength(of: bytes)
    skipSpace()
    let value = try parseValue(depth: 0)
    skipSpace()
    guard offset == bytes.count else { throw unexpected("the end of the text") }
    return value
  }

  private mutating func parseValue(depth: Int) throws(JSONError) -> JSON {
    switch next {
    case UInt8(ascii: "{"): return .object(try parseObject(depth: depth))
    case UInt8(ascii: "["): return .array(try parseArray(depth: depth))
    case UInt8(ascii: "\""): return .string(try parseString())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try parseNumber()
    case UInt8(ascii: "t") where take(word: "true"): return .bool(true)
    case UInt8(ascii: "f") where take(word: "false"): return .bool(false)
    case UInt8(ascii: "n") where take(word: "null"): return .null
    default: throw unexpected("a value")
    }
  }

  private mutating func parseArray(depth: Int) throws(JSONError) -> [JSON] {
    try open(depth: depth)
    var elements: [JSON] = []
    if take(UInt8(ascii: "]")) { return elements }
    while true {
      elements.append(try parseValue(depth: depth + 1))
      skipSpace()
      if take(UInt8(ascii: "]")) { return elements }
      guard take(UInt8(ascii: ",")) else { throw unexpected("',' or ']'") }
      skipSpace()
    }
  }

  private mutating func parseObject(depth: Int) throws(JSONError) -> JSONObject {
    try open(depth: depth)
    var object = JSONObject()
    if take(UInt8(ascii: "}")) { return object }
    while true {
      guard next == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes") }
      let start = offset
      let key = try parseString()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw unexpected("':'") }
      skipSpace()
      let value = try parseValue(depth: depth + 1)
      guard object.insert(key, value) else {
        throw failure("the key \(quoted(key)) appears twice in one object", at: start)
      }
      skipSpace()
      if take(UInt8(ascii: "}")) { return object }
      guard take(UInt8(ascii: ",")) else { throw unexpected("',' or '}'") }
      skipSpace()
    }
  }

  private mutating func open(depth: Int) throws(JSONError) {
    guard depth < maximumDepth else {
      throw failure("nested more than \(maximumDepth) levels deep", at: offset)
    }
    offset += 1
    skipSpace()
  }
}

// MARK: Steps

extension JSONParser {
  /// The byte to read next, 0 at the end.
  package var next: UInt8 { offset < bytes.count ? bytes[offset] : 0 }

  package mutating func take(_ byte: UInt8) -> Bool {
    guard offset < bytes.count, bytes[offset] == byte else { return false }
    offset += 1
    return true
  }

  package mutating func take(word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    guard bytes.count - offset >= length else { return false }
    let expected = UnsafeBufferPointer(start: word.utf8Start, count: length)
    guard bytes[offset..<offset + length].elementsEqual(expected) else { return false }
    offset += length
    return true
  }

  private mutating func skipSpace() {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x0A, 0x0D, 0x09: offset += 1
      default: return
      }
    }
  }

  package func failure(_ message: String, at offset: Int) -> JSONError {
    let place = TextScan.place(of: offset, in: bytes)
    return JSONError(line: place.line, column: place.column, message: message)
  }

  package func unexpected(_ expected: String) -> JSONError {
    let found = TextScan.describe(bytes, at: offset)
    return failure("found \(found) where \(expected) was expected", at: offset)
  }

  package func quoted(_ key: String) -> String {
    "\"\(DisplayWidth.truncated(DisplayWidth.sanitized(key), to: 40))\""
  }
}
