/// Files of lines `key = value` in sections: INI files and what `dconf dump` writes.
///
/// A value is its text as the file has it, with quotes and all, because each program gives those a
/// meaning of its own; written elsewhere as it is, it means the same there. Keys of a section have its
/// header before them: `[core]editor`.
public enum INIDocument: DocumentSyntax {
  /// Reads a file.
  ///
  /// A key that comes twice, has no `=`, or a value of several lines is ``DocumentValue/other(_:)``.
  ///
  /// - Throws: ``INIError`` for bytes that are not UTF-8.
  public static func read(_ bytes: [UInt8]) throws -> DocumentNode {
    try INIEditing(isEnvironment: false).read(bytes)
  }

  /// Whether a file looks like one: it begins with the header of a section, and each line has an equals sign.
  public static func isLikely(_ bytes: [UInt8]) -> Bool {
    guard case .map(let children)? = try? read(bytes).content, let first = children.first else {
      return false
    }
    return first.key?.hasPrefix("[") == true
      && children.allSatisfy { child in
        child.key?.hasPrefix("[") == true
          && bytes[child.span.lowerBound...].prefix { $0 != 0x0A }.contains(UInt8(ascii: "="))
      }
  }

  public static func replace(
    _ index: Int, of parent: DocumentNode, with value: DocumentValue, in bytes: [UInt8]
  ) throws(DocumentRefusal) -> [TextEdit] {
    try INIEditing(isEnvironment: false).replace(index, of: parent, with: value)
  }

  public static func remove(
    _ index: Int, of parent: DocumentNode, in bytes: [UInt8]
  ) throws(DocumentRefusal) -> [TextEdit] {
    try INIEditing(isEnvironment: false).remove(index, of: parent, in: bytes)
  }

  public static func insert(
    _ members: [DocumentValue.Member], at index: Int, of parent: DocumentNode, in bytes: [UInt8]
  ) throws(DocumentRefusal) -> [TextEdit] {
    try INIEditing(isEnvironment: false).insert(members, in: bytes)
  }
}

/// Files of lines `KEY=value`, without sections, as `.env` files are.
///
/// Quotes around a value are no part of it, and neither is a comment behind it, after white space. A value
/// with a `$`, a backslash or a backquote is its text as the file has it, with its quotes.
public enum EnvironmentDocument: DocumentSyntax {
  public static func read(_ bytes: [UInt8]) throws -> DocumentNode {
    try INIEditing(isEnvironment: true).read(bytes)
  }

  public static func replace(
    _ index: Int, of parent: DocumentNode, with value: DocumentValue, in bytes: [UInt8]
  ) throws(DocumentRefusal) -> [TextEdit] {
    try INIEditing(isEnvironment: true).replace(index, of: parent, with: value)
  }

  public static func remove(
    _ index: Int, of parent: DocumentNode, in bytes: [UInt8]
  ) throws(DocumentRefusal) -> [TextEdit] {
    try INIEditing(isEnvironment: true).remove(index, of: parent, in: bytes)
  }

  public static func insert(
    _ members: [DocumentValue.Member], at index: Int, of parent: DocumentNode, in bytes: [UInt8]
  ) throws(DocumentRefusal) -> [TextEdit] {
    try INIEditing(isEnvironment: true).insert(members, in: bytes)
  }
}

/// How files of lines are read and edited.
struct INIEditing {
  /// Whether a comment may follow a value, and there are no sections.
  let isEnvironment: Bool

  func read(_ bytes: [UInt8]) throws -> DocumentNode {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw INIError("the file is not UTF-8")
    }
    var reader = INIReader(bytes, isEnvironment: isEnvironment)
    return DocumentNode(.map(reader.members()), 0..<0, .lines)
  }

  func replace(
    _ index: Int, of parent: DocumentNode, with value: DocumentValue
  ) throws(DocumentRefusal) -> [TextEdit] {
    let child = parent.children[index]
    if case .scalar(.other(let reason)) = child.node.content { throw DocumentRefusal(reason) }
    var old: EnvironmentValue?
    if case .scalar(.string(let text)) = child.node.content {
      if isEnvironment {
        old = EnvironmentValue(text, child.node.style)
      } else if Self.hasComment(text) {
        throw DocumentRefusal("its value may end in a comment")
      }
    }
    return [TextEdit(child.node.span, try text(value, old).utf8)]
  }

  /// Whether a value of an INI file may end in a comment, which only its program knows.
  private static func hasComment(_ text: String) -> Bool {
    zip(text.utf8, text.utf8.dropFirst()).contains { before, mark in
      DocumentLines.isBlank(before) && INIReader.comments.contains(mark)
    }
  }

  func remove(
    _ index: Int, of parent: DocumentNode, in bytes: [UInt8]
  ) throws(DocumentRefusal) -> [TextEdit] {
    let child = parent.children[index]
    if case .scalar(.other(let reason)) = child.node.content { throw DocumentRefusal(reason) }
    return DocumentLines(bytes: bytes, comments: .hash).removal(of: [child.span])
  }

  func insert(
    _ members: [DocumentValue.Member], in bytes: [UInt8]
  ) throws(DocumentRefusal) -> [TextEdit] {
    let lines = DocumentLines(bytes: bytes, comments: .hash)
    var reader = INIReader(bytes, isEnvironment: isEnvironment)
    _ = reader.members()
    var edits: [TextEdit] = []
    var sections: [(header: String, text: String)] = []
    for member in members {
      let (header, key) = INIReader.split(member.key)
      guard !key.isEmpty, !key.utf8.contains(where: { $0 < 0x20 || "=\r\n".utf8.contains($0) })
      else { throw DocumentRefusal("'\(member.key)' is not a key that the file can have") }
      let line = key + reader.separator + (try text(member.value, nil)) + lines.lineEnd
      if let end = reader.ends[header] {
        let needsLineEnd = end > 0 && bytes[end - 1] != 0x0A && !(end == 3 && bytes[0] == 0xEF)
        edits.append(
          TextEdit(
            at: end, (needsLineEnd ? lines.lineEnd : "") + (reader.indents[header] ?? "") + line))
      } else if let index = sections.firstIndex(where: { $0.header == header }) {
        sections[index].text += line
      } else {
        sections.append((header, line))
      }
    }
    guard !sections.isEmpty else { return edits }
    var text = ""
    for section in sections {
      if !bytes.isEmpty || !text.isEmpty { text += lines.lineEnd }
      text += section.header + lines.lineEnd + section.text
    }
    let needsLineEnd = !bytes.isEmpty && bytes.last != 0x0A
    edits.append(TextEdit(at: bytes.count, (needsLineEnd ? lines.lineEnd : "") + text))
    return edits
  }

  /// The text of a value; a file of lines knows no other type.
  private func text(
    _ value: DocumentValue, _ old: EnvironmentValue?
  ) throws(DocumentRefusal) -> String {
    var text: String
    switch value {
    case .string(let value): text = value
    case .bool(let value): text = value ? "true" : "false"
    case .number(let number): text = number.text
    case .double(let value): text = "\(value)"
    default: throw DocumentRefusal("a file of lines has only texts and numbers")
    }
    if isEnvironment { text = try EnvironmentValue.written(text, inPlaceOf: old) }
    let ends = [text.utf8.first, text.utf8.last].compactMap { $0 }
    guard !ends.contains(where: DocumentLines.isBlank), !text.utf8.contains(0x0A),
      !text.utf8.contains(0x0D)
    else {
      throw DocumentRefusal("a line cannot hold a line end, or white space at the ends")
    }
    return text
  }
}

/// Why bytes are no file of lines.
public struct INIError: Error, CustomStringConvertible, Sendable {
  /// The problem.
  public var description: String

  init(_ description: String) { self.description = description }
}

/// Goes through the lines of a file.
struct INIReader {
  private let lines: DocumentLines
  /// Where the next key of a section goes, by its header; the keys before the first have none.
  private(set) var ends: [String: Int] = ["": 0]
  /// The white space before the keys of a section.
  private(set) var indents: [String: String] = [:]
  /// What stands between a key and its value.
  private(set) var separator = "="

  private let isEnvironment: Bool

  init(_ bytes: [UInt8], isEnvironment: Bool = false) {
    lines = DocumentLines(bytes: bytes, comments: .hash)
    self.isEnvironment = isEnvironment
  }

  /// The header and the key in the name of a setting.
  static func split(_ name: String) -> (header: String, key: String) {
    var rest = name[...]
    while rest.first == "[", let end = rest.firstIndex(of: "]") {
      rest = rest[rest.index(after: end)...]
    }
    return (String(name[..<rest.startIndex]), String(rest))
  }

  mutating func members() -> [DocumentChild] {
    let bytes = lines.bytes
    var children: [DocumentChild] = []
    var known: [String: Int] = [:]
    var header = ""
    var isReadable = true
    var indent = 0
    /// The end of the line before, if it is that of a key.
    var keyEnd: Int?
    var offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    ends[""] = offset
    func refuse(_ index: Int, _ reason: String) {
      let span = children[index].node.span
      children[index].node = DocumentNode(.scalar(.other(reason)), span, .plain, pin: reason)
    }
    while offset < bytes.count {
      let start = lines.skipBlanks(offset)
      let end = lines.end(of: offset)
      var next = lines.next(after: offset)
      defer { offset = next }
      guard start < end, bytes[start] != UInt8(ascii: "#"), bytes[start] != UInt8(ascii: ";")
      else { continue }
      let last = trimmed(start, end)
      if !isEnvironment, bytes[start] == UInt8(ascii: "[") {
        let text = String(decoding: bytes[start..<last], as: UTF8.self)
        let (name, rest) = INIReader.split(text)
        let behind = rest.drop { $0 == " " || $0 == "\t" }.first
        isReadable = !name.isEmpty && (behind == nil || behind == "#" || behind == ";")
        header = name
        keyEnd = nil
        if isReadable {
          ends[header] = next
        } else {
          let reason = "the name of its section cannot be kept"
          children.append(
            DocumentChild(
              text, start..<last,
              DocumentNode(.scalar(.other(reason)), last..<last, .plain, pin: reason)))
        }
        continue
      }
      guard isReadable else { continue }
      if !isEnvironment, keyEnd == offset, start - offset > indent {
        refuse(children.count - 1, Self.severalLines)
        ends[header] = next
        keyEnd = next
        continue
      }
      indent = start - offset
      let child = child(start, last, header)
      if let closing = closing(of: child, after: next) {
        next = closing
      }
      ends[header] = next
      keyEnd = next
      indents[header] = String(decoding: bytes[offset..<start], as: UTF8.self)
      if let first = known[child.key ?? ""] {
        refuse(first, "it comes more than once")
        continue
      }
      known[child.key ?? ""] = children.count
      children.append(child)
      if next != lines.next(after: offset) { refuse(children.count - 1, Self.severalLines) }
    }
    return children
  }

  private static let severalLines = "its value goes over several lines"

  /// The line after the one that closes the quote that a value opens; nil for a value of one line.
  private func closing(of child: DocumentChild, after line: Int) -> Int? {
    let text = lines.bytes[child.node.span]
    guard case .scalar(.string) = child.node.content, let quote = text.first,
      quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"), !text.dropFirst().contains(quote)
    else { return nil }
    var position = line
    while position < lines.bytes.count {
      let end = lines.end(of: position)
      if lines.bytes[position..<end].first == UInt8(ascii: "[") { return nil }
      if lines.bytes[position..<end].contains(quote) { return lines.next(after: position) }
      position = lines.next(after: position)
    }
    return nil
  }

  private mutating func child(_ start: Int, _ last: Int, _ header: String) -> DocumentChild {
    let bytes = lines.bytes
    let marks: [UInt8] = [UInt8(ascii: "="), UInt8(ascii: ":")]
    let mark =
      bytes[start..<last].firstIndex(of: marks[0])
      ?? (isEnvironment ? nil : bytes[start..<last].firstIndex(of: marks[1]))
    guard let mark else {
      let key = header + String(decoding: bytes[start..<last], as: UTF8.self)
      return DocumentChild(
        key, start..<last,
        DocumentNode(
          .scalar(.other("it has no value")), last..<last, .plain, pin: "it has no value"))
    }
    let keyEnd = trimmed(start, mark)
    var name = String(decoding: bytes[start..<keyEnd], as: UTF8.self)
    if name.hasPrefix("export ") { name = String(name.dropFirst(7).drop { $0 == " " }) }
    let key = header + name
    let valueStart = min(lines.skipBlanks(mark + 1), last)
    separator = String(decoding: bytes[keyEnd..<max(valueStart, mark + 1)], as: UTF8.self)
    let from = max(valueStart, mark + 1)
    let valueEnd = isEnvironment ? end(ofValue: from, last) : end(ofQuoted: from, last)
    // An empty value is right behind its mark, before the space of a comment.
    let span = valueEnd > from ? from..<valueEnd : mark + 1..<mark + 1
    let text = String(decoding: bytes[span], as: UTF8.self)
    let node: DocumentNode
    if text.hasSuffix("\\") {
      node = DocumentNode(
        .scalar(.other(Self.severalLines)), span, .plain, pin: Self.severalLines)
    } else if isEnvironment {
      let value = EnvironmentValue(text)
      node = DocumentNode(.scalar(.string(value.text)), span, value.style)
    } else {
      node = DocumentNode(.scalar(.string(text)), span, .plain)
    }
    return DocumentChild(key, start..<keyEnd, node)
  }

  /// The end of a value of an INI file: after its closing quote where a comment follows.
  private func end(ofQuoted start: Int, _ last: Int) -> Int {
    let bytes = lines.bytes
    guard start < last, bytes[start] == UInt8(ascii: "\"") else { return last }
    let end = closingQuote(after: start, last)
    let rest = lines.skipBlanks(min(end + 1, last))
    return rest < last && rest > end + 1 && Self.comments.contains(bytes[rest]) ? end + 1 : last
  }

  fileprivate static let comments: [UInt8] = [UInt8(ascii: "#"), UInt8(ascii: ";")]

  /// The place of the quote that closes the one at `start`; `last` without one.
  private func closingQuote(after start: Int, _ last: Int) -> Int {
    let (bytes, quote) = (lines.bytes, lines.bytes[start])
    var place = start + 1
    while place < last, bytes[place] != quote {
      place += bytes[place] == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"") ? 2 : 1
    }
    return min(place, last)
  }

  /// The end of a value before the comment behind it: after the closing quote, or before ` #`.
  private func end(ofValue start: Int, _ last: Int) -> Int {
    let bytes = lines.bytes
    guard start < last else { return last }
    let quote = bytes[start]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      let place = closingQuote(after: start, last)
      let rest = lines.skipBlanks(min(place + 1, last))
      return place < last && (rest >= last || bytes[rest] == UInt8(ascii: "#")) ? place + 1 : last
    }
    var place = start
    while place < last {
      if bytes[place] == UInt8(ascii: "#"), DocumentLines.isBlank(bytes[place - 1]) {
        return max(trimmed(start, place), start)
      }
      place += 1
    }
    return last
  }

  private func trimmed(_ start: Int, _ end: Int) -> Int {
    var end = end
    while end > start, DocumentLines.isBlank(lines.bytes[end - 1]) { end -= 1 }
    return end
  }
}
