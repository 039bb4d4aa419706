import SyncKitText

/// JSON in a file, read piece by piece.
///
/// ``check()`` reads all of it, strictly and in order, and holds no more than the keys of the objects around the
/// place. The other methods go to a place and rely on that; if the file is another one by then, they may find
/// anything or throw, but they end.
struct JSONText {
  let window: TextWindow
  /// Where it reads next.
  var offset = 0
  /// How many arrays and objects may contain one another.
  let maximumDepth = 64
  /// The keys of the objects that are being checked.
  var keys = OpenKeys()

  init(_ window: TextWindow) { self.window = window }

  /// The byte to read next, 0 at the end.
  var next: UInt8 { get throws { try window.byte(at: offset) } }

  mutating func take(_ byte: UInt8) throws -> Bool {
    guard try next == byte, offset < window.count else { return false }
    offset += 1
    return true
  }

  mutating func skipSpace() throws {
    while true {
      let bytes = try window.bytes(from: offset)
      guard !bytes.isEmpty else { return }
      var index = 0
      while index < bytes.count, Self.isSpace(bytes[index]) { index &+= 1 }
      offset += index
      if index < bytes.count { return }
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  // MARK: In a text that was checked

  /// Visits the members of the object at a place; a visit reads or skips the value that is next.
  mutating func forEachMember(
    at start: Int, _ body: (inout JSONText, String) throws -> Void
  ) throws {
    offset = start + 1
    try skipSpace()
    if try take(UInt8(ascii: "}")) { return }
    while true {
      guard try next == UInt8(ascii: "\""), case .string(let key) = try value() else {
        throw TextWindow.Shortened()
      }
      try skipSpace()
      guard try take(UInt8(ascii: ":")) else { throw TextWindow.Shortened() }
      try skipSpace()
      try body(&self, key)
      try skipSpace()
      if try take(UInt8(ascii: "}")) { return }
      guard try take(UInt8(ascii: ",")) else { throw TextWindow.Shortened() }
      try skipSpace()
    }
  }

  /// Visits the elements of the array at a place; a visit reads or skips the value that is next.
  mutating func forEachElement(
    at start: Int, _ body: (inout JSONText) throws -> Void
  ) throws {
    offset = start + 1
    try skipSpace()
    if try take(UInt8(ascii: "]")) { return }
    while true {
      try body(&self)
      try skipSpace()
      if try take(UInt8(ascii: "]")) { return }
      guard try take(UInt8(ascii: ",")) else { throw TextWindow.Shortened() }
      try skipSpace()
    }
  }

  /// Reads the value that is next, whole.
  mutating func value() throws -> JSON {
    let start = offset
    if try next == UInt8(ascii: "\""), try skipString() {
      return .string(String(decoding: try window.bytes(start + 1..<offset - 1), as: UTF8.self))
    }
    offset = start
    try skip()
    return try JSON(parsing: window.bytes(start..<offset))
  }

  /// Hands out the bytes of the string that is next, in pieces.
  mutating func forEachPiece(_ body: (UnsafeBufferPointer<UInt8>) -> Void) throws {
    let start = offset
    guard try skipString() else {
      // Escapes are rare, and such a string is read whole.
      var text = try JSON(parsing: window.bytes(start..<offset)).string ?? ""
      text.withUTF8(body)
      return
    }
    let end = offset - 1
    var place = start + 1
    while place < end {
      let bytes = try window.bytes(from: place)
      guard !bytes.isEmpty else { throw TextWindow.Shortened() }
      body(UnsafeBufferPointer(rebasing: bytes.prefix(end - place)))
      place += bytes.count
    }
  }

  /// Passes over the value that is next.
  mutating func skip() throws {
    switch try next {
    case UInt8(ascii: "\""): _ = try skipString()
    case UInt8(ascii: "{"), UInt8(ascii: "["): try skipNested()
    default:
      let start = offset
      try run { byte in
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
          || Self.isSpace(byte)
      }
      guard offset > start else { throw TextWindow.Shortened() }
    }
  }

  private mutating func skipNested() throws {
    var depth = 0
    repeat {
      try run { byte in
        byte == UInt8(ascii: "\"") || byte | 0x20 == UInt8(ascii: "{")
          || byte | 0x20 == UInt8(ascii: "}")
      }
      switch try next {
      case UInt8(ascii: "\""):
        _ = try skipString()
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: throw TextWindow.Shortened()
      }
      offset += 1
    } while depth > 0
  }

  /// Passes over a string; false if it has escapes.
  private mutating func skipString() throws -> Bool {
    offset += 1
    var isPlain = true
    while true {
      try run { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
      guard offset < window.count else { throw TextWindow.Shortened() }
      if try take(UInt8(ascii: "\"")) { return isPlain }
      isPlain = false
      offset += 2
    }
  }

  /// Goes on to the next byte that ends a run, or to the end.
  private mutating func run(until isEnd: (UInt8) -> Bool) throws {
    while true {
      let bytes = try window.bytes(from: offset)
      guard !bytes.isEmpty else { return }
      var index = 0
      while index < bytes.count, !isEnd(bytes[index]) { index &+= 1 }
      offset += index
      if index < bytes.count { return }
    }
  }
}
