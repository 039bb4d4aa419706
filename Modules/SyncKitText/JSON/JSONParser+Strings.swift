extension JSONParser {
  /// Reads a string whose opening quote is next.
  package mutating func parseString() throws(JSONError) -> String {
    let opening = offset
    offset += 1
    let start = offset
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "\""):
        let text = try text(of: UnsafeBufferPointer(rebasing: bytes[start..<offset]), from: start)
        offset += 1
        return text
      case UInt8(ascii: "\\"): return try parseEscapedString(from: start)
      case 0..<0x20: throw controlCharacter()
      default: offset += 1
      }
    }
    throw failure("the string is never closed", at: opening)
  }

  /// Reads the rest of a string that has escapes; `start` is the first byte after the quote.
  private mutating func parseEscapedString(from start: Int) throws(JSONError) -> String {
    unescaped.removeAll(keepingCapacity: true)
    var plain = start
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "\""):
        unescaped.append(contentsOf: bytes[plain..<offset])
        // Escapes are ASCII in the text and whole characters here, so both are valid or neither is.
        guard let text = String(validating: unescaped, as: UTF8.self) else {
          throw invalidUTF8(from: start)
        }
        offset += 1
        return text
      case UInt8(ascii: "\\"):
        unescaped.append(contentsOf: bytes[plain..<offset])
        try parseEscape()
        plain = offset
      case 0..<0x20: throw controlCharacter()
      default: offset += 1
      }
    }
    throw failure("the string is never closed", at: start - 1)
  }

  private mutating func parseEscape() throws(JSONError) {
    let start = offset
    offset += 1
    let letter = next
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(letter)
    case UInt8(ascii: "b"): unescaped.append(0x08)
    case UInt8(ascii: "f"): unescaped.append(0x0C)
    case UInt8(ascii: "n"): unescaped.append(0x0A)
    case UInt8(ascii: "r"): unescaped.append(0x0D)
    case UInt8(ascii: "t"): unescaped.append(0x09)
    case UInt8(ascii: "u"):
      unescaped.append(contentsOf: try parseUnicodeEscape(at: start).utf8)
      return
    default: throw unexpected("one of \"\\/bfnrtu")
    }
    offset += 1
  }

  /// Reads `uXXXX`, and the `\uXXXX` after it where the two are halves of one character.
  private mutating func parseUnicodeEscape(at start: Int) throws(JSONError) -> Unicode.Scalar {
    offset += 1
    let unit = try parseHexDigits()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    let second = offset
    if unit < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
      let low = try parseHexDigits()
      let code = 0x10000 + (UInt32(unit & 0x3FF) << 10) + UInt32(low & 0x3FF)
      if 0xDC00..<0xE000 ~= low, let scalar = Unicode.Scalar(code) { return scalar }
    }
    offset = second
    throw failure("half of a surrogate pair stands alone", at: start)
  }

  private mutating func parseHexDigits() throws(JSONError) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(next)).hexDigitValue else {
        throw unexpected("a hexadecimal digit")
      }
      value = value << 4 | UInt16(digit)
      offset += 1
    }
    return value
  }

  private func text(
    of part: UnsafeBufferPointer<UInt8>, from start: Int
  ) throws(JSONError) -> String {
    guard let text = String(validating: part, as: UTF8.self) else { throw invalidUTF8(from: start) }
    return text
  }

  private func invalidUTF8(from start: Int) -> JSONError {
    let rest = UnsafeBufferPointer(rebasing: bytes[start...])
    return failure("not valid UTF-8", at: start + (TextScan.firstInvalidUTF8(in: rest) ?? 0))
  }

  private func controlCharacter() -> JSONError {
    failure("a control character in a string must be escaped", at: offset)
  }
}
