import SyncKitFormats
import YAMLDocuments

/// YAML that is edited in place.
///
/// What is written means the same to readers of YAML 1.1 and 1.2. What they take differently, such as
/// `yes` and `0777`, is a ``DocumentValue/plain(_:)`` and is only ever copied.
enum YAMLSyntax: DocumentSyntax {
  static func read(_ bytes: [UInt8]) throws -> DocumentNode {
    guard let root = try YAMLParser.parse(bytes, limits: .init(allowsReferences: true)) else {
      return DocumentNode(.map([]), bytes.count..<bytes.count, .lines)
    }
    var reader = YAMLTreeReader(bytes)
    let node = reader.node(root)
    guard case .map = node.content else {
      throw YAMLError(root.mark, "the file must contain a dictionary")
    }
    return node
  }

  static func replace(
    _ index: Int, of parent: DocumentNode, with value: DocumentValue, in bytes: [UInt8]
  ) throws(DocumentRefusal) -> [TextEdit] {
    let child = parent.children[index]
    let node = child.node
    let text = try YAMLText.flow(value, like: node)
    guard case .lines = node.style, child.key != nil else {
      guard case .absent = node.style else { return [TextEdit(node.span, text.utf8)] }
      guard case .lines = parent.style else { throw DocumentRefusal("its key has no value") }
      let colon = child.key == nil ? node.span.lowerBound : try self.colon(of: child, in: bytes)
      return [TextEdit(at: colon, " " + text)]
    }
    // The lines of the old value go, and what is said behind its key stays.
    let lines = DocumentLines(bytes: bytes, comments: .hash)
    let colon = try colon(of: child, in: bytes)
    guard lines.start(of: node.span.lowerBound) >= colon else {
      return [TextEdit(node.span, text.utf8)]
    }
    let last = lines.next(after: max(node.span.lowerBound, node.span.upperBound - 1))
    return [
      TextEdit(at: colon, " " + text), TextEdit(lines.start(of: node.span.lowerBound)..<last, []),
    ]
  }

  static func remove(
    _ index: Int, of parent: DocumentNode, in bytes: [UInt8]
  ) throws(DocumentRefusal) -> [TextEdit] {
    let lines = DocumentLines(bytes: bytes, comments: .hash)
    if case .flow = parent.style { return FlowEditing(lines: lines).remove(index, of: parent) }
    let child = parent.children[index]
    let first = try start(of: child, in: lines)
    guard lines.indent(before: first) != nil else {
      throw DocumentRefusal("it begins on the line of a list's '-'")
    }
    var end = child.span.upperBound
    if child.key != nil { end = max(end, try colon(of: child, in: bytes)) }
    return [TextEdit(lines.start(of: first)..<lines.next(after: max(first, end - 1)), [])]
  }

  static func insert(
    _ members: [DocumentValue.Member], at index: Int, of parent: DocumentNode, in bytes: [UInt8]
  ) throws(DocumentRefusal) -> [TextEdit] {
    let lines = DocumentLines(bytes: bytes, comments: .hash)
    let isMap = if case .map = parent.content { true } else { false }
    if case .flow = parent.style {
      var texts: [String] = []
      for member in members {
        let value = try YAMLText.flow(member.value, like: nil)
        texts.append(isMap ? "\(YAMLWriter.text(member.key)): \(value)" : value)
      }
      return FlowEditing(lines: lines).insert(
        members.count, at: index, of: parent, inner: ""
      ) { number, _ in texts[number] }
    }
    guard let last = parent.children.last else {
      guard parent.span.lowerBound == bytes.count else {
        throw DocumentRefusal("it has no place for a key")
      }
      let text = try block(members, isMap: isMap, indent: "", lines.lineEnd)
      let needsLineEnd = !bytes.isEmpty && bytes.last != 0x0A && bytes != [0xEF, 0xBB, 0xBF]
      return [TextEdit(at: bytes.count, (needsLineEnd ? lines.lineEnd : "") + text)]
    }
    guard !last.span.isEmpty, last.span.upperBound > 0 else {
      throw DocumentRefusal("all of its keys come from a merge (<<)")
    }
    let first = try start(of: last, in: lines)
    let before = bytes[lines.start(of: first)..<first].filter { $0 < 0x80 }
    let indent = String(repeating: " ", count: before.count)
    let text = try block(members, isMap: isMap, indent: indent, lines.lineEnd)
    if index < parent.children.count {
      let next = try start(of: parent.children[index], in: lines)
      guard lines.indent(before: next) != nil else {
        throw DocumentRefusal("it begins on the line of another list's '-'")
      }
      return [TextEdit(at: lines.start(of: next), text)]
    }
    var end = last.span.upperBound
    if last.key != nil { end = max(end, try colon(of: last, in: bytes)) }
    let place = lines.end(of: max(first, end - 1))
    return [TextEdit(at: place, lines.lineEnd + text.dropLast())]
  }

  /// Lines for members, each with its line end.
  private static func block(
    _ members: [DocumentValue.Member], isMap: Bool, indent: String, _ lineEnd: String
  ) throws(DocumentRefusal) -> String {
    var text = ""
    for member in members {
      let lead = isMap ? "\(YAMLWriter.text(member.key)):" : "-"
      text += indent + lead + (try YAMLText.block(member.value, indent: indent, lineEnd)) + lineEnd
    }
    return text
  }

  /// The place after the colon of a key.
  private static func colon(
    of child: DocumentChild, in bytes: [UInt8]
  ) throws(DocumentRefusal)
    -> Int
  {
    let place = bytes[child.keySpan.upperBound...].firstIndex { !DocumentLines.isBlank($0) }
    guard let place, bytes[place] == UInt8(ascii: ":") else {
      throw DocumentRefusal("its key is written with '?'")
    }
    return place + 1
  }

  /// The first byte of a key, or of the `-` of an element.
  private static func start(
    of child: DocumentChild, in lines: DocumentLines
  )
    throws(DocumentRefusal) -> Int
  {
    guard child.key == nil else { return child.keySpan.lowerBound }
    var place = child.span.lowerBound
    while place > 0, lines.bytes[place - 1] != UInt8(ascii: "-") {
      guard DocumentLines.isBlank(lines.bytes[place - 1]) else { break }
      place -= 1
    }
    guard place > 0, lines.bytes[place - 1] == UInt8(ascii: "-") else {
      throw DocumentRefusal("the '-' of an element was not found")
    }
    return place - 1
  }
}

/// Values as YAML writes them.
enum YAMLText {
  /// A value on one line, in the quotes of the value that it replaces.
  static func flow(
    _ value: DocumentValue, like old: DocumentNode?
  ) throws(DocumentRefusal)
    -> String
  {
    switch value {
    case .string(let text):
      guard case .scalar = old?.content else { return YAMLWriter.text(text) }
      switch old?.style {
      case .singleQuoted where canBeSingle(text): return "'\(text)'"
      case .doubleQuoted, .singleQuoted: return YAMLWriter.quoted(text)
      default: return YAMLWriter.text(text)
      }
    case .list(let values):
      var texts: [String] = []
      for value in values { texts.append(try flow(value, like: nil)) }
      return "[\(texts.joined(separator: ", "))]"
    case .map(let members):
      var texts: [String] = []
      for member in members {
        texts.append("\(YAMLWriter.text(member.key)): \(try flow(member.value, like: nil))")
      }
      return "{\(texts.joined(separator: ", "))}"
    default: return try scalar(value)
    }
  }

  /// A value behind its key or its `-`, on lines of its own where it has several.
  static func block(
    _ value: DocumentValue, indent: String, _ lineEnd: String
  )
    throws(DocumentRefusal) -> String
  {
    var text = ""
    switch value {
    case .list(let values) where !values.isEmpty:
      for value in values {
        text += "\(lineEnd)\(indent)  -" + (try block(value, indent: indent + "  ", lineEnd))
      }
    case .map(let members) where !members.isEmpty:
      for member in members {
        text += "\(lineEnd)\(indent)  \(YAMLWriter.text(member.key)):"
        text += try block(member.value, indent: indent + "  ", lineEnd)
      }
    default: text = " " + (try flow(value, like: nil))
    }
    return text
  }

  private static func scalar(_ value: DocumentValue) throws(DocumentRefusal) -> String {
    switch value {
    case .bool(let value): value ? "true" : "false"
    case .number(let number): number.explicit
    case .double(let value):
      value.isNaN ? ".nan" : value.isInfinite ? value < 0 ? "-.inf" : ".inf" : "\(value)"
    case .plain(let text): text
    case .other where value == .null: "null"
    case .date(let milliseconds):
      "!!timestamp \(YAMLWriter.quoted(Timestamp.format(milliseconds: milliseconds)))"
    case .data(let bytes): "!!binary \(YAMLWriter.quoted(Base64.encode(bytes)))"
    default: throw DocumentRefusal("YAML has no form for this value")
    }
  }

  private static func canBeSingle(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      scalar.value >= 0x20 && scalar != "'" && scalar.value < 0x7F
        || scalar.properties.isAlphabetic
    }
  }
}
