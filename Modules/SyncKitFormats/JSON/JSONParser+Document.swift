extension JSONParser {
  /// Reads a document that may have comments, and commas after the last element.
  mutating func parseCommentedDocument() throws(JSONError) -> DocumentNode {
    offset = TextScan.byteOrderMarkLength(of: bytes)
    try skipTrivia()
    let node = try parseNode(depth: 0)
    try skipTrivia()
    guard offset == bytes.count else { throw unexpected("the end of the text") }
    return node
  }

  private mutating func parseNode(depth: Int) throws(JSONError) -> DocumentNode {
    let start = offset
    let content: DocumentNode.Content
    switch next {
    case UInt8(ascii: "{"): content = .map(try parseMembers(depth: depth))
    case UInt8(ascii: "["): content = .list(try parseElements(depth: depth))
    case UInt8(ascii: "\""): content = .scalar(try parseText())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      content = .scalar(try parseDigits())
    case UInt8(ascii: "t") where take(word: "true"): content = .scalar(.bool(true))
    case UInt8(ascii: "f") where take(word: "false"): content = .scalar(.bool(false))
    case UInt8(ascii: "n") where take(word: "null"):
      content = .scalar(.null)
    default: throw unexpected("a value")
    }
    return DocumentNode(content, start..<offset, .flow)
  }

  private mutating func parseElements(depth: Int) throws(JSONError) -> [DocumentChild] {
    try enter(depth: depth)
    var elements: [DocumentChild] = []
    while !take(UInt8(ascii: "]")) {
      let start = offset
      let node = try parseNode(depth: depth + 1)
      elements.append(DocumentChild(nil, start..<start, node))
      try skipTrivia()
      guard take(UInt8(ascii: ",")) || next == UInt8(ascii: "]") else {
        throw unexpected("',' or ']'")
      }
      try skipTrivia()
    }
    return elements
  }

  private mutating func parseMembers(depth: Int) throws(JSONError) -> [DocumentChild] {
    try enter(depth: depth)
    var members: [DocumentChild] = []
    var seen: Set<ExactText> = []
    while !take(UInt8(ascii: "}")) {
      guard next == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes") }
      let start = offset
      let key = try parseString()
      let keySpan = start..<offset
      guard seen.insert(ExactText(key)).inserted else {
        throw failure("the key \(quoted(key)) appears twice in one object", at: start)
      }
      try skipTrivia()
      guard take(UInt8(ascii: ":")) else { throw unexpected("':'") }
      try skipTrivia()
      members.append(DocumentChild(key, keySpan, try parseNode(depth: depth + 1)))
      try skipTrivia()
      guard take(UInt8(ascii: ",")) || next == UInt8(ascii: "}") else {
        throw unexpected("',' or '}'")
      }
      try skipTrivia()
    }
    return members
  }

  private mutating func enter(depth: Int) throws(JSONError) {
    guard depth < maximumDepth else {
      throw failure("nested more than \(maximumDepth) levels deep", at: offset)
    }
    offset += 1
    try skipTrivia()
  }

  /// Reads a number, with all of its digits.
  private mutating func parseDigits() throws(JSONError) -> DocumentValue {
    let start = offset
    while offset < bytes.count, Self.isOfNumber(bytes[offset]) { offset += 1 }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    guard let number = NumberText(text) else {
      throw failure("'\(text.prefix(40))' is not a number", at: start)
    }
    return .number(number)
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "+-.eE".utf8.contains(byte)
  }

  /// Reads a text; one that is not valid does not hide the others.
  private mutating func parseText() throws(JSONError) -> DocumentValue {
    let start = offset
    do throws(JSONError) { return .string(try parseString()) } catch {
      var end = start + 1
      while end < bytes.count, bytes[end] != UInt8(ascii: "\""), bytes[end] != 0x0A {
        end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
      }
      guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else { throw error }
      offset = end + 1
      return .other("its text is not valid (\(error.message))")
    }
  }

  /// Passes white space and comments.
  private mutating func skipTrivia() throws(JSONError) {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x0A, 0x0D, 0x09: offset += 1
      case UInt8(ascii: "/"):
        let start = offset
        if follows("//") {
          while offset < bytes.count, bytes[offset] != 0x0A { offset += 1 }
        } else if follows("/*") {
          offset += 2
          while offset < bytes.count, !follows("*/") { offset += 1 }
          guard follows("*/") else { throw failure("the comment is never closed", at: start) }
          offset += 2
        } else {
          return
        }
      default: return
      }
    }
  }

  private func follows(_ text: StaticString) -> Bool {
    let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    return bytes.count - offset >= wanted.count
      && bytes[offset..<offset + wanted.count].elementsEqual(wanted)
  }
}
