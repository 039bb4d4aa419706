/// A position in a TOML text that moves forward.
struct TOMLCursor {
  let bytes: UnsafeBufferPointer<UInt8>
  private(set) var offset: Int

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    offset = TextScan.byteOrderMarkLength(of: bytes)
  }

  var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  mutating func advance(by count: Int = 1) { offset = min(offset + count, bytes.count) }

  mutating func take(_ text: StaticString) -> Bool {
    let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    guard bytes.count - offset >= wanted.count,
      bytes[offset..<offset + wanted.count].elementsEqual(wanted)
    else { return false }
    offset += wanted.count
    return true
  }

  /// The bytes from here that fulfil a condition.
  mutating func word(_ isPart: (UInt8) -> Bool) -> String {
    let start = offset
    while let byte = next, isPart(byte) { offset += 1 }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  mutating func skipSpaces() { while next == 0x20 || next == 0x09 { offset += 1 } }

  /// Passes white space, comments and empty lines.
  mutating func skipBlankLines() {
    while true {
      skipSpaces()
      if next == UInt8(ascii: "#"), (try? skipComment()) == nil { return }
      guard takeLineEnd() else { return }
    }
  }

  mutating func takeLineEnd() -> Bool { take("\n") || take("\r\n") }

  mutating func skipComment() throws(TOMLError) {
    while let byte = next, byte != 0x0A {
      if byte == 0x0D, offset + 1 < bytes.count, bytes[offset + 1] == 0x0A { return }
      guard byte == 0x09 || byte >= 0x20 && byte != 0x7F else {
        throw failure("a comment has a control character")
      }
      offset += 1
    }
  }

  /// Passes what may stand behind a value, to the end of its line.
  mutating func endLine() throws(TOMLError) {
    skipSpaces()
    if next == UInt8(ascii: "#") { try skipComment() }
    guard next == nil || takeLineEnd() else { throw unexpected("the end of the line") }
  }

  func failure(_ message: String, at place: Int? = nil) -> TOMLError {
    let (line, column) = TextScan.place(of: place ?? offset, in: bytes)
    return TOMLError(line: line, column: column, message: message)
  }

  func unexpected(_ wanted: String) -> TOMLError {
    failure("found \(TextScan.describe(bytes, at: offset)) where \(wanted) was expected")
  }

  static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  static func isBare(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
      || isDigit(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
  }
}
