/// TOML that is edited in place.
public enum TOMLDocument: DocumentSyntax {
  /// Reads a document of TOML 1.0.
  ///
  /// A whole number beyond 64 bits is read with all of its digits, as most readers do.
  ///
  /// - Throws: ``TOMLError`` with line and column.
  public static func read(_ bytes: [UInt8]) throws -> DocumentNode {
    _ = try TOML.parse(bytes)
    let result = bytes.withUnsafeBufferPointer { buffer -> Result<DocumentNode, TOMLError> in
      var reader = TOMLTreeReader(buffer)
      do throws(TOMLError) { return .success(try reader.document()) } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  public static func replace(
    _ index: Int, of parent: DocumentNode, with value: DocumentValue, in bytes: [UInt8]
  ) throws(DocumentRefusal) -> [TextEdit] {
    let node = parent.children[index].node
    if case .table = node.style, case .list = node.content { throw arrayOfTables }
    if case .table = node.style {
      guard case .map(let members) = value else {
        throw DocumentRefusal("it is a table of several lines, and the new value is none")
      }
      if node.children.isEmpty { return try insert(members, at: 0, of: node, in: bytes) }
      guard members.isEmpty else { throw DocumentRefusal("its table has another form") }
      var edits: [TextEdit] = []
      for index in node.children.indices { edits += try remove(index, of: node, in: bytes) }
      return edits
    }
    let text = try TOMLText.text(value)
    if case .scalar(.string) = node.content, case .string(let new) = value,
      bytes[node.span.lowerBound] == UInt8(ascii: "'"), TOMLText.canBeLiteral(new)
    {
      return [TextEdit(node.span, "'\(new)'".utf8)]
    }
    return [TextEdit(node.span, text.utf8)]
  }

  public static func remove(
    _ index: Int, of parent: DocumentNode, in bytes: [UInt8]
  ) throws(DocumentRefusal) -> [TextEdit] {
    let lines = DocumentLines(bytes: bytes, comments: .hash)
    if case .flow = parent.style {
      return FlowEditing(lines: lines, allowsTrailingComma: false).remove(index, of: parent)
    }
    let child = parent.children[index]
    guard case .table = child.node.style else {
      // The whole line goes, with what is said of the key there.
      let start = lines.start(of: child.span.lowerBound)
      return [TextEdit(start..<lines.next(after: child.span.upperBound), [])]
    }
    var edits: [TextEdit] = []
    for inner in child.node.children.indices {
      edits += try remove(inner, of: child.node, in: bytes)
    }
    if !child.keySpan.isEmpty {
      let start = lines.start(of: child.keySpan.lowerBound)
      edits.append(TextEdit(start..<lines.next(after: child.keySpan.upperBound), []))
    }
    return edits
  }

  public static func insert(
    _ members: [DocumentValue.Member], at index: Int, of parent: DocumentNode, in bytes: [UInt8]
  ) throws(DocumentRefusal) -> [TextEdit] {
    let lines = DocumentLines(bytes: bytes, comments: .hash)
    var texts: [String] = []
    for member in members { texts.append(try TOMLText.text(member.value)) }
    guard case .table(let end, let prefix) = parent.style else {
      let isMap = if case .map = parent.content { true } else { false }
      return FlowEditing(lines: lines, allowsTrailingComma: !isMap, allowsLines: !isMap).insert(
        members.count, at: index, of: parent, inner: ""
      ) { number, _ in
        isMap ? "\(TOMLText.key(members[number].key)) = \(texts[number])" : texts[number]
      }
    }
    guard let end else { throw DocumentRefusal("the file has no place for keys of this table") }
    if case .list = parent.content {
      guard index == parent.children.count else { throw arrayOfTables }
      return try append(members.map(\.value), to: prefix, at: end, lines)
    }
    var lead = ""
    if let sibling = parent.children.last(where: {
      if case .table = $0.node.style { false } else { true }
    }) {
      lead = lines.lead(of: sibling.span.lowerBound)
    }
    let lineEnd = lines.lineEnd
    var plain = ""
    var tables = ""
    for (member, text) in zip(members, texts) {
      if prefix.isEmpty, parent.span.isEmpty, case .map(let inner) = member.value, !inner.isEmpty {
        tables += lineEnd + "[\(TOMLText.key(member.key))]" + lineEnd
        for item in inner {
          tables += "\(TOMLText.key(item.key)) = \(try TOMLText.text(item.value))" + lineEnd
        }
      } else {
        let key = (prefix + [member.key]).map(TOMLText.key).joined(separator: ".")
        plain += "\(lead)\(key) = \(text)\(lineEnd)"
      }
    }
    var edits: [TextEdit] = []
    if !plain.isEmpty {
      let needsLineEnd = end > 0 && bytes[end - 1] != 0x0A && !(end == 3 && bytes[0] == 0xEF)
      edits.append(TextEdit(at: end, (needsLineEnd ? lineEnd : "") + plain))
    }
    if !tables.isEmpty {
      let isBlank = bytes.isEmpty && plain.isEmpty
      let needsLineEnd = plain.isEmpty && !bytes.isEmpty && bytes.last != 0x0A
      let text = isBlank ? String(tables.dropFirst(lineEnd.count)) : tables
      edits.append(TextEdit(at: bytes.count, (needsLineEnd ? lineEnd : "") + text))
    }
    return edits
  }

  /// Tables behind the last one of an array of tables.
  private static func append(
    _ values: [DocumentValue], to path: [String], at end: Int, _ lines: DocumentLines
  ) throws(DocumentRefusal) -> [TextEdit] {
    let lineEnd = lines.lineEnd
    var text = end > 0 && lines.bytes[end - 1] != 0x0A ? lineEnd : ""
    for value in values {
      guard case .map(let members) = value else { throw arrayOfTables }
      text += lineEnd + "[[\(path.map(TOMLText.key).joined(separator: "."))]]" + lineEnd
      for member in members {
        text += "\(TOMLText.key(member.key)) = \(try TOMLText.text(member.value))" + lineEnd
      }
    }
    return [TextEdit(at: end, text)]
  }

  private static let arrayOfTables = DocumentRefusal(
    "an array of tables is changed only inside of its tables, and at its end")
}

/// Values as TOML writes them on one line.
enum TOMLText {
  static func text(_ value: DocumentValue) throws(DocumentRefusal) -> String {
    switch value {
    case .bool(let value): return value ? "true" : "false"
    case .number(let number):
      guard !number.isWhole || Int64(number.text) != nil else {
        throw DocumentRefusal("TOML has no whole numbers beyond 64 bits")
      }
      return number.text
    case .double(let value):
      return value.isNaN ? "nan" : value.isInfinite ? value < 0 ? "-inf" : "inf" : "\(value)"
    case .string(let text): return TOMLWriter.quoted(text)
    case .date(let milliseconds):
      guard Timestamp.earliest...Timestamp.latest ~= milliseconds else {
        throw DocumentRefusal("TOML has no dates outside the years 0 to 9999")
      }
      return Timestamp.format(milliseconds: milliseconds)
    case .list(let values):
      var texts: [String] = []
      for value in values { texts.append(try text(value)) }
      return "[\(texts.joined(separator: ", "))]"
    case .map(let members):
      if members.isEmpty { return "{}" }
      var texts: [String] = []
      for member in members { texts.append("\(key(member.key)) = \(try text(member.value))") }
      return "{ \(texts.joined(separator: ", ")) }"
    case .plain(let text):
      // A date or time without an offset is one in TOML too.
      if case .local = TOMLDate.value(text) { return text }
      throw DocumentRefusal(
        "readers of YAML take '\(text)' differently, so TOML has no form for it")
    case .data, .other: throw DocumentRefusal("TOML has no form for this value")
    }
  }

  static func key(_ key: String) -> String { TOMLWriter.key(key) }

  /// Whether a text can stand in single quotes.
  static func canBeLiteral(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "'") }
  }
}
