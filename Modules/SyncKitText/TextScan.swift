/// What the readers of text need to say where and what something is.
package enum TextScan {
  /// 3 when the bytes begin with UTF-8's byte order mark, otherwise 0.
  package static func byteOrderMarkLength(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The line and the column in scalars, both from 1, of a byte.
  package static func place(
    of offset: Int, in bytes: UnsafeBufferPointer<UInt8>
  ) -> (line: Int, column: Int) {
    var line = 1
    var column = 1
    var previous: UInt8 = 0
    for byte in bytes.prefix(offset).dropFirst(byteOrderMarkLength(of: bytes)) {
      if byte == 0x0D || byte == 0x0A {
        if byte == 0x0D || previous != 0x0D { line += 1 }
        column = 1
      } else if !isContinuation(byte) {
        column += 1
      }
      previous = byte
    }
    return (line, column)
  }

  /// The character at an offset in words that are safe to print.
  package static func describe(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> String {
    guard offset < bytes.count else { return "the end of the text" }
    var decoder = UTF8()
    var rest = bytes[offset...].makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return "invalid UTF-8" }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .nonspacingMark, .enclosingMark:
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    default: return "'\(scalar)'"
    }
  }

  /// The offset of the first byte that is not part of valid UTF-8, nil when all is.
  package static func firstInvalidUTF8(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var offset = 0
    while offset < bytes.count {
      guard let length = scalarLength(in: bytes, at: offset) else { return offset }
      offset += length
    }
    return nil
  }

  /// The length of the character at an offset; Unicode 17, table 3-7.
  package static func scalarLength(in bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Int? {
    func byte(_ index: Int) -> UInt8 {
      offset + index < bytes.count ? bytes[offset + index] : 0
    }
    let second: ClosedRange<UInt8>
    let length: Int
    switch bytes[offset] {
    case 0x00...0x7F: return 1
    case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return nil
    }
    guard second.contains(byte(1)) else { return nil }
    for index in 2..<max(2, length) where !isContinuation(byte(index)) { return nil }
    return length
  }

  private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
