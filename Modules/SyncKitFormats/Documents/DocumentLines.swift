/// What the bytes of a text document look like around a place.
package struct DocumentLines {
  /// What a comment begins with.
  package enum Comments {
    /// `//` and `/* */`.
    case slashes
    /// `#`.
    case hash
  }

  package let bytes: [UInt8]
  let comments: Comments

  /// Looks at a document.
  package init(bytes: [UInt8], comments: Comments) {
    self.bytes = bytes
    self.comments = comments
  }

  /// The line end that the document uses.
  package var lineEnd: String {
    guard let end = bytes.firstIndex(of: 0x0A) else { return "\n" }
    return end > 0 && bytes[end - 1] == 0x0D ? "\r\n" : "\n"
  }

  /// The first byte of a line.
  package func start(of offset: Int) -> Int {
    (bytes[..<offset].lastIndex(of: 0x0A)).map { $0 + 1 } ?? 0
  }

  /// The end of a line, before its line end.
  package func end(of offset: Int) -> Int {
    let end = bytes[offset...].firstIndex(of: 0x0A) ?? bytes.count
    return end > offset && bytes[end - 1] == 0x0D ? end - 1 : end
  }

  /// The first byte of the next line.
  package func next(after offset: Int) -> Int {
    bytes[offset...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
  }

  /// The white space before a place, if there is nothing else on its line; nil otherwise.
  package func indent(before offset: Int) -> String? {
    let before = bytes[start(of: offset)..<offset].drop { Self.isMark($0) }
    guard before.allSatisfy(Self.isBlank) else { return nil }
    return String(decoding: before, as: UTF8.self)
  }

  /// The white space that a line begins with.
  func lead(of offset: Int) -> String {
    let line = bytes[start(of: offset)...].drop { Self.isMark($0) }.prefix(while: Self.isBlank)
    return String(decoding: line, as: UTF8.self)
  }

  /// Whether nothing but white space follows on the line.
  package func isLast(_ offset: Int) -> Bool {
    bytes[offset..<end(of: offset)].allSatisfy(Self.isBlank)
  }

  /// The place after spaces.
  package func skipBlanks(_ offset: Int) -> Int {
    bytes[offset...].firstIndex { !Self.isBlank($0) } ?? bytes.count
  }

  /// The place after spaces and comments that end on the same line.
  func skipLineComments(_ offset: Int) -> Int {
    var end = offset
    var position = offset
    while true {
      position = skipBlanks(position)
      guard let after = comment(at: position) else { return end }
      let hasLineEnd = bytes[position..<after].contains(0x0A)
      if hasLineEnd { return end }
      position = after
      end = after
    }
  }

  /// The place after white space, line ends and comments.
  func skipTrivia(_ offset: Int) -> Int {
    var position = offset
    while position < bytes.count {
      if Self.isBlank(bytes[position]) || bytes[position] == 0x0A || bytes[position] == 0x0D {
        position += 1
      } else if let after = comment(at: position) {
        position = after
      } else {
        break
      }
    }
    return position
  }

  /// The end of the comment at a place, without its line end; nil when there is none.
  func comment(at offset: Int) -> Int? {
    guard offset < bytes.count else { return nil }
    switch comments {
    case .hash: return bytes[offset] == UInt8(ascii: "#") ? end(of: offset) : nil
    case .slashes:
      guard bytes[offset] == UInt8(ascii: "/"), offset + 1 < bytes.count else { return nil }
      if bytes[offset + 1] == UInt8(ascii: "/") { return end(of: offset) }
      guard bytes[offset + 1] == UInt8(ascii: "*") else { return nil }
      var position = offset + 2
      while position + 1 < bytes.count {
        if bytes[position] == UInt8(ascii: "*"), bytes[position + 1] == UInt8(ascii: "/") {
          return position + 2
        }
        position += 1
      }
      return nil
    }
  }

  /// Removes pieces; what is left of a line without anything on it goes too.
  func removal(of pieces: [Range<Int>]) -> [TextEdit] {
    var ranges: [Range<Int>] = []
    for piece in pieces.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = ranges.last, bytes[last.upperBound..<piece.lowerBound].allSatisfy(Self.isBlank)
      {
        ranges[ranges.count - 1] = last.lowerBound..<piece.upperBound
      } else {
        ranges.append(piece)
      }
    }
    return ranges.map { range in
      if indent(before: range.lowerBound) != nil, isLast(range.upperBound) {
        // The mark of the byte order stays.
        let first = start(of: range.lowerBound)
        let start = bytes[first...].firstIndex { !Self.isMark($0) } ?? first
        let next = next(after: range.upperBound)
        guard next == bytes.count, bytes.last != 0x0A, start > 0 else {
          return TextEdit(start..<next, [])
        }
        // The last line, which has no line end: the one before it loses its own.
        var end = start - 1
        if end > 0, bytes[end - 1] == 0x0D { end -= 1 }
        return TextEdit(end..<next, [])
      }
      if isLast(range.upperBound) {
        let before = bytes[start(of: range.lowerBound)..<range.lowerBound]
        let text = before.lastIndex { !Self.isBlank($0) }.map { $0 + 1 } ?? range.lowerBound
        return TextEdit(text..<range.upperBound, [])
      }
      return TextEdit(range.lowerBound..<skipBlanks(range.upperBound), [])
    }
  }

  package static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// A byte of the mark of the byte order in UTF-8.
  private static func isMark(_ byte: UInt8) -> Bool { [0xEF, 0xBB, 0xBF].contains(byte) }
}
