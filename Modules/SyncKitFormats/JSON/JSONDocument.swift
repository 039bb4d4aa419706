/// JSON as settings files have it: with comments and with commas after the last element.
///
/// Editors such as VS Code and Zed, and Windows Terminal write it. What is edited stays strict where
/// it was strict: no comment and no trailing comma comes in.
public enum JSONDocument: DocumentSyntax {
  /// Reads a document.
  ///
  /// A text that is no valid string and an object's value that JSON does not know are ``DocumentValue/other(_:)``;
  /// a structure that cannot be read is an error.
  ///
  /// - Throws: ``JSONError`` with the position.
  public static func read(_ bytes: [UInt8]) throws -> DocumentNode {
    let result = bytes.withUnsafeBufferPointer { buffer -> Result<DocumentNode, JSONError> in
      var parser = JSONParser(bytes: buffer, maximumDepth: 64)
      do throws(JSONError) { return .success(try parser.parseCommentedDocument()) } catch {
        return .failure(error)
      }
    }
    let root = try result.get()
    guard case .map = root.content else {
      throw JSONError(line: 1, column: 1, message: "the file must contain a dictionary")
    }
    return root
  }

  public static func replace(
    _ index: Int, of parent: DocumentNode, with value: DocumentValue, in bytes: [UInt8]
  ) throws(DocumentRefusal) -> [TextEdit] {
    let lines = DocumentLines(bytes: bytes, comments: .slashes)
    let node = parent.children[index].node
    let style = Style(lines, parent)
    let text = try style.text(value, indent: lines.lead(of: node.span.lowerBound))
    return [TextEdit(node.span, text.utf8)]
  }

  public static func remove(
    _ index: Int, of parent: DocumentNode, in bytes: [UInt8]
  ) throws(DocumentRefusal) -> [TextEdit] {
    FlowEditing(lines: DocumentLines(bytes: bytes, comments: .slashes)).remove(index, of: parent)
  }

  public static func insert(
    _ members: [DocumentValue.Member], at index: Int, of parent: DocumentNode, in bytes: [UInt8]
  ) throws(DocumentRefusal) -> [TextEdit] {
    let lines = DocumentLines(bytes: bytes, comments: .slashes)
    let style = Style(lines, parent)
    let isMap = if case .map = parent.content { true } else { false }
    for member in members { _ = try style.text(member.value, indent: "") }
    return FlowEditing(lines: lines).insert(
      members.count, at: index, of: parent, inner: style.step
    ) { number, indent in
      let text = (try? style.text(members[number].value, indent: indent)) ?? "null"
      return isMap ? JSON.quoted(members[number].key) + style.colon + text : text
    }
  }

  /// How a document is laid out.
  private struct Style {
    var step: String
    var lineEnd: String
    var colon: String
    var isCompact: Bool

    /// Looks at the neighbours of what is written.
    init(_ lines: DocumentLines, _ parent: DocumentNode) {
      lineEnd = lines.lineEnd
      step = lines.indentStep
      colon = ": "
      isCompact = false
      guard let sibling = parent.children.last else { return }
      if sibling.key != nil {
        let between = lines.bytes[sibling.keySpan.upperBound..<sibling.node.span.lowerBound]
        let text = String(decoding: between, as: UTF8.self)
        if text.allSatisfy({ $0 == ":" || $0 == " " || $0 == "\t" }) { colon = text }
      }
      isCompact = lines.indent(before: sibling.span.lowerBound) == nil
    }

    func text(_ value: DocumentValue, indent: String) throws(DocumentRefusal) -> String {
      switch value {
      case .bool(let value): return value ? "true" : "false"
      case .number(let number): return number.text
      case .double(let number):
        guard let text = NumberText(number) else { break }
        return text.text
      case .string(let text): return JSON.quoted(text)
      case .list(let values):
        var texts: [String] = []
        for value in values { texts.append(try text(value, indent: indent + step)) }
        return bracket("[", texts, "]", indent)
      case .map(let members):
        var texts: [String] = []
        for member in members {
          let value = try text(member.value, indent: indent + step)
          texts.append(JSON.quoted(member.key) + colon + value)
        }
        return bracket("{", texts, "}", indent)
      case .plain(let text):
        throw DocumentRefusal(
          "readers of YAML take '\(text)' differently, so JSON has no form for it")
      case .other where value == .null: return "null"
      case .date, .data, .other: break
      }
      throw DocumentRefusal("JSON has no form for this value")
    }

    private func bracket(
      _ opening: String, _ texts: [String], _ closing: String, _ indent: String
    ) -> String {
      if texts.isEmpty { return opening + closing }
      if isCompact {
        return opening + texts.joined(separator: colon.hasSuffix(" ") ? ", " : ",") + closing
      }
      let inner = lineEnd + indent + step
      return opening + inner + texts.joined(separator: "," + inner) + lineEnd + indent + closing
    }
  }
}

extension DocumentLines {
  /// One level of indentation: the white space of the first indented line, or two spaces.
  var indentStep: String {
    var offset = 0
    while offset < bytes.count {
      let text = skipBlanks(offset)
      let isText = text < bytes.count && ![0x0A, 0x0D].contains(bytes[text])
      if text > offset, isText, !"*/".utf8.contains(bytes[text]) {
        return String(decoding: bytes[offset..<text], as: UTF8.self)
      }
      offset = next(after: offset)
    }
    return "  "
  }
}

extension JSON {
  /// A text in quotes.
  static func quoted(_ text: String) -> String { JSON.string(text).text() }
}

extension JSONDocument {
  /// Whether bytes begin as an object does, after white space and comments.
  public static func isLikely(_ bytes: [UInt8]) -> Bool {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let place = DocumentLines(bytes: bytes, comments: .slashes).skipTrivia(start)
    return place < bytes.count && bytes[place] == UInt8(ascii: "{")
  }
}
