extension TOMLParser {
  /// A text in one of the four kinds of quotes.
  mutating func string(allowsLines: Bool) throws(TOMLError) -> String {
    let start = cursor.offset
    if cursor.take("\"\"\"") {
      guard allowsLines else {
        throw cursor.failure("a key cannot be a multi-line string", at: start)
      }
      _ = cursor.takeLineEnd()
      return try lines(quote: UInt8(ascii: "\""), start)
    }
    if cursor.take("'''") {
      guard allowsLines else {
        throw cursor.failure("a key cannot be a multi-line string", at: start)
      }
      _ = cursor.takeLineEnd()
      return try lines(quote: UInt8(ascii: "'"), start)
    }
    let quote = cursor.next ?? 0
    cursor.advance()
    var bytes: [UInt8] = []
    while let byte = cursor.next {
      if byte == quote {
        cursor.advance()
        return String(decoding: bytes, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        try escape(into: &bytes)
      } else {
        try check(byte)
        bytes.append(byte)
        cursor.advance()
      }
    }
    throw cursor.failure("the string is never closed", at: start)
  }

  private mutating func lines(quote: UInt8, _ start: Int) throws(TOMLError) -> String {
    var bytes: [UInt8] = []
    while let byte = cursor.next {
      if byte == quote {
        var count = 0
        while cursor.next == quote, count < 5 {
          cursor.advance()
          count += 1
        }
        if count < 3 {
          bytes += [UInt8](repeating: quote, count: count)
          continue
        }
        // Up to two quotes may stand right before the end.
        bytes += [UInt8](repeating: quote, count: count - 3)
        return String(decoding: bytes, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        if !skipLineEnd() { try escape(into: &bytes) }
      } else if cursor.takeLineEnd() {
        bytes.append(0x0A)
      } else {
        try check(byte)
        bytes.append(byte)
        cursor.advance()
      }
    }
    throw cursor.failure("the string is never closed", at: start)
  }

  /// Passes a backslash at the end of a line, with the white space up to the next text.
  private mutating func skipLineEnd() -> Bool {
    var ahead = cursor
    ahead.advance()
    ahead.skipSpaces()
    guard ahead.takeLineEnd() else { return false }
    while true {
      ahead.skipSpaces()
      if !ahead.takeLineEnd() { break }
    }
    cursor = ahead
    return true
  }

  private func check(_ byte: UInt8) throws(TOMLError) {
    guard byte >= 0x20 && byte != 0x7F || byte == 0x09 else {
      throw cursor.failure("a string has a control character; write it as \\u")
    }
  }

  private mutating func escape(into bytes: inout [UInt8]) throws(TOMLError) {
    let start = cursor.offset
    cursor.advance()
    let mark = cursor.next ?? 0
    cursor.advance()
    switch mark {
    case UInt8(ascii: "b"): bytes.append(0x08)
    case UInt8(ascii: "t"): bytes.append(0x09)
    case UInt8(ascii: "n"): bytes.append(0x0A)
    case UInt8(ascii: "f"): bytes.append(0x0C)
    case UInt8(ascii: "r"): bytes.append(0x0D)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(mark)
    case UInt8(ascii: "u"), UInt8(ascii: "U"):
      var value: UInt32 = 0
      for _ in 0..<(mark == UInt8(ascii: "u") ? 4 : 8) {
        guard let byte = cursor.next,
          let digit = Character(Unicode.Scalar(byte)).hexDigitValue
        else { throw cursor.failure("an escape lacks digits", at: start) }
        value = value << 4 | UInt32(digit)
        cursor.advance()
      }
      guard let scalar = Unicode.Scalar(value) else {
        throw cursor.failure("the escape stands for no character", at: start)
      }
      bytes += Array(String(Character(scalar)).utf8)
    default: throw cursor.failure("there is no such escape", at: start)
    }
  }
}
