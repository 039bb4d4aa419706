import SyncKitText

/// The keys of the objects around a place, for finding one that comes twice.
///
/// As long as the keys of an object come in order, the last one is enough to tell.
struct OpenKeys {
  private var bytes: [UInt8] = []
  private var ends: [Int] = []

  /// The keys of one object.
  struct Object {
    fileprivate let bytes: Int
    fileprivate let ends: Int
    fileprivate var known: Set<ExactText>?
  }

  mutating func open() -> Object { Object(bytes: bytes.count, ends: ends.count) }

  mutating func close(_ object: Object) {
    bytes.removeLast(bytes.count - object.bytes)
    ends.removeLast(ends.count - object.ends)
  }

  mutating func add(_ part: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: part) }

  mutating func add(_ scalar: Unicode.Scalar) { bytes.append(contentsOf: scalar.utf8View) }

  /// Ends a key; call ``isNew(in:)`` when its value is read.
  mutating func finish() { ends.append(bytes.count) }

  /// The key that was read last in an object.
  func last(of object: Object) -> String { key(ends.count - 1, of: object) }

  /// Whether the last key of an object has not come before.
  func isNew(in object: inout Object) -> Bool {
    let last = ends.count - 1
    if object.known == nil {
      guard last > object.ends else { return true }
      let former = range(last - 1, of: object)
      let isInOrder = bytes[former].lexicographicallyPrecedes(bytes[range(last, of: object)])
      if isInOrder { return true }
      object.known = Set((object.ends..<last).map { ExactText(key($0, of: object)) })
    }
    let text = ExactText(key(last, of: object))
    return object.known?.insert(text).inserted ?? true
  }

  private func range(_ index: Int, of object: Object) -> Range<Int> {
    (index > object.ends ? ends[index - 1] : object.bytes)..<ends[index]
  }

  private func key(_ index: Int, of object: Object) -> String {
    String(decoding: bytes[range(index, of: object)], as: UTF8.self)
  }
}

extension Unicode.Scalar {
  fileprivate var utf8View: Unicode.UTF8.EncodedScalar {
    Unicode.UTF8.encode(self) ?? Unicode.UTF8.encodedReplacementCharacter
  }
}

// The same rules, and the same errors at the same places, as those of `JSON(parsing:)`.
extension JSONText {
  /// Checks the whole text.
  ///
  /// - Returns: The members of the outermost object, each with the offset of its value; nil if it is another value.
  /// - Throws: ``JSONError`` with the position.
  mutating func check() throws -> [(key: String, value: Int)]? {
    offset = try byteOrderMarkLength
    try skipSpace()
    var members: [(key: String, value: Int)]?
    if try next == UInt8(ascii: "{") {
      var found: [(key: String, value: Int)] = []
      try checkObject(depth: 0) { found.append(($0, $1)) }
      members = found
    } else {
      try checkValue(depth: 0)
    }
    try skipSpace()
    guard offset == window.count else { throw try unexpected("the end of the text") }
    return members
  }

  private var byteOrderMarkLength: Int {
    get throws { TextScan.byteOrderMarkLength(of: try window.bytes(0..<min(3, window.count))) }
  }

  private mutating func checkValue(depth: Int) throws {
    switch try next {
    case UInt8(ascii: "{"): try checkObject(depth: depth, nil)
    case UInt8(ascii: "["): try checkArray(depth: depth)
    case UInt8(ascii: "\""): try checkString(isKey: false)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try checkNumber()
    case UInt8(ascii: "t") where try take(word: "true"): break
    case UInt8(ascii: "f") where try take(word: "false"): break
    case UInt8(ascii: "n") where try take(word: "null"): break
    default: throw try unexpected("a value")
    }
  }

  private mutating func checkArray(depth: Int) throws {
    try open(depth: depth)
    if try take(UInt8(ascii: "]")) { return }
    while true {
      try checkValue(depth: depth + 1)
      try skipSpace()
      if try take(UInt8(ascii: "]")) { return }
      guard try take(UInt8(ascii: ",")) else { throw try unexpected("',' or ']'") }
      try skipSpace()
    }
  }

  private mutating func checkObject(depth: Int, _ note: ((String, Int) -> Void)?) throws {
    try open(depth: depth)
    if try take(UInt8(ascii: "}")) { return }
    var object = keys.open()
    defer { keys.close(object) }
    while true {
      guard try next == UInt8(ascii: "\"") else { throw try unexpected("a key in double quotes") }
      let start = offset
      try checkString(isKey: true)
      keys.finish()
      try skipSpace()
      guard try take(UInt8(ascii: ":")) else { throw try unexpected("':'") }
      try skipSpace()
      note?(keys.last(of: object), offset)
      try checkValue(depth: depth + 1)
      guard keys.isNew(in: &object) else {
        let key = DisplayWidth.truncated(DisplayWidth.sanitized(keys.last(of: object)), to: 40)
        throw try failure("the key \"\(key)\" appears twice in one object", at: start)
      }
      try skipSpace()
      if try take(UInt8(ascii: "}")) { return }
      guard try take(UInt8(ascii: ",")) else { throw try unexpected("',' or '}'") }
      try skipSpace()
    }
  }

  private mutating func open(depth: Int) throws {
    guard depth < maximumDepth else {
      throw try failure("nested more than \(maximumDepth) levels deep", at: offset)
    }
    offset += 1
    try skipSpace()
  }

  private mutating func take(word: StaticString) throws -> Bool {
    let length = word.utf8CodeUnitCount
    guard window.count - offset >= length else { return false }
    let expected = UnsafeBufferPointer(start: word.utf8Start, count: length)
    guard try window.bytes(offset..<offset + length).elementsEqual(expected) else { return false }
    offset += length
    return true
  }

  // MARK: Strings

  private mutating func checkString(isKey: Bool) throws {
    let opening = offset
    offset += 1
    var invalid: Int?
    while true {
      let bytes = try window.bytes(from: offset)
      guard !bytes.isEmpty else { throw try failure("the string is never closed", at: opening) }
      var index = 0
      while index < bytes.count, Self.isPlain(bytes[index]) { index &+= 1 }
      if isKey { keys.add(UnsafeBufferPointer(rebasing: bytes[..<index])) }
      offset += index
      guard index < bytes.count else { continue }
      switch bytes[index] {
      case UInt8(ascii: "\""):
        // Only now, as the end of the string may be missing as well.
        if let invalid { throw try failure("not valid UTF-8", at: invalid) }
        offset += 1
        return
      case UInt8(ascii: "\\"): try checkEscape(isKey: isKey)
      case 0..<0x20:
        throw try failure("a control character in a string must be escaped", at: offset)
      default:
        let scalar = try window.bytes(offset..<min(offset + 4, window.count))
        if let length = TextScan.scalarLength(in: scalar, at: 0) {
          if isKey { keys.add(UnsafeBufferPointer(rebasing: scalar[..<length])) }
          offset += length
        } else {
          if invalid == nil { invalid = offset }
          offset += 1
        }
      }
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private mutating func checkEscape(isKey: Bool) throws {
    let start = offset
    offset += 1
    let scalar: Unicode.Scalar
    switch try next {
    case UInt8(ascii: "\""): scalar = "\""
    case UInt8(ascii: "\\"): scalar = "\\"
    case UInt8(ascii: "/"): scalar = "/"
    case UInt8(ascii: "b"): scalar = "\u{08}"
    case UInt8(ascii: "f"): scalar = "\u{0C}"
    case UInt8(ascii: "n"): scalar = "\n"
    case UInt8(ascii: "r"): scalar = "\r"
    case UInt8(ascii: "t"): scalar = "\t"
    case UInt8(ascii: "u"):
      scalar = try unicodeEscape(at: start)
      if isKey { keys.add(scalar) }
      return
    default: throw try unexpected("one of \"\\/bfnrtu")
    }
    offset += 1
    if isKey { keys.add(scalar) }
  }

  /// Reads `uXXXX`, and the `\uXXXX` after it where the two are halves of one character.
  private mutating func unicodeEscape(at start: Int) throws -> Unicode.Scalar {
    offset += 1
    let unit = try hexDigits()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    let second = offset
    if unit < 0xDC00, try take(UInt8(ascii: "\\")), try take(UInt8(ascii: "u")) {
      let low = try hexDigits()
      let code = 0x10000 + (UInt32(unit & 0x3FF) << 10) + UInt32(low & 0x3FF)
      if 0xDC00..<0xE000 ~= low, let scalar = Unicode.Scalar(code) { return scalar }
    }
    offset = second
    throw try failure("half of a surrogate pair stands alone", at: start)
  }

  private mutating func hexDigits() throws -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(try next)).hexDigitValue else {
        throw try unexpected("a hexadecimal digit")
      }
      value = value << 4 | UInt16(digit)
      offset += 1
    }
    return value
  }

  // MARK: Numbers

  private mutating func checkNumber() throws {
    let start = offset
    _ = try take(UInt8(ascii: "-"))
    if try take(UInt8(ascii: "0")) {
      if try isDigit { throw try failure("a number may not have a leading zero", at: start) }
    } else {
      try checkDigits()
    }
    if try take(UInt8(ascii: ".")) { try checkDigits() }
    var hasPower = false
    if try take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      hasPower = true
      if try !take(UInt8(ascii: "-")) { _ = try take(UInt8(ascii: "+")) }
      try checkDigits()
    }
    // So few digits always fit a double.
    guard hasPower || offset - start > 300 else { return }
    do { _ = try JSON(parsing: window.bytes(start..<offset)) } catch is JSONError {
      throw try failure("the number is too large for a double", at: start)
    }
  }

  private var isDigit: Bool {
    get throws { UInt8(ascii: "0")...UInt8(ascii: "9") ~= (try next) }
  }

  private mutating func checkDigits() throws {
    guard try isDigit else { throw try unexpected("a digit") }
    while try isDigit { offset += 1 }
  }

  // MARK: Errors

  private func unexpected(_ expected: String) throws -> JSONError {
    let rest = try window.bytes(offset..<min(offset + 4, window.count))
    let found = TextScan.describe(rest, at: 0)
    return try failure("found \(found) where \(expected) was expected", at: offset)
  }

  private func failure(_ message: String, at offset: Int) throws -> JSONError {
    var (line, column) = (1, 1)
    var start = try byteOrderMarkLength
    var isAfterReturn = false
    while start < offset {
      var bytes = try window.bytes(from: start).prefix(offset - start)
      guard let last = bytes.last else { break }
      start += bytes.count
      // What is cut in two by the window, and what would seem to be a mark at its start.
      if isAfterReturn, bytes.first == 0x0A { bytes.removeFirst() }
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
        bytes.removeFirst(3)
        column += 1
      }
      isAfterReturn = last == 0x0D
      let piece = UnsafeBufferPointer(rebasing: bytes)
      let place = TextScan.place(of: piece.count, in: piece)
      column = place.line == 1 ? column + place.column - 1 : place.column
      line += place.line - 1
    }
    return JSONError(line: line, column: column, message: message)
  }
}
