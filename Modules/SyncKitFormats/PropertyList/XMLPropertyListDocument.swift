/// A property list in XML that is edited in place.
public enum XMLPropertyListDocument: DocumentSyntax {
  /// Reads a property list whose root is a dictionary.
  ///
  /// - Throws: ``PropertyListError``.
  public static func read(_ bytes: [UInt8]) throws -> DocumentNode {
    // The strict reader says what is wrong with a file, and where.
    let list = try XMLPropertyListReader.read(bytes)
    var reader = XMLPropertyListTree(bytes)
    guard let root = reader.root(), root.value == DocumentValue(list) else {
      // Another encoding than UTF-8, or entities of its own: it is read, and not edited.
      return DocumentNode(pinned: DocumentValue(list))
    }
    guard case .map = root.content else {
      throw PropertyListError("the file must contain a dictionary")
    }
    return root
  }

  public static func replace(
    _ index: Int, of parent: DocumentNode, with value: DocumentValue, in bytes: [UInt8]
  ) throws(DocumentRefusal) -> [TextEdit] {
    let lines = DocumentLines(bytes: bytes, comments: .hash)
    let node = parent.children[index].node
    let text = try text(
      value, indent: lines.lead(of: node.span.lowerBound), lines.indentStep(of: parent),
      lines.lineEnd)
    return [TextEdit(node.span, text.utf8)]
  }

  public static func remove(
    _ index: Int, of parent: DocumentNode, in bytes: [UInt8]
  ) throws(DocumentRefusal) -> [TextEdit] {
    DocumentLines(bytes: bytes, comments: .hash).removal(of: [parent.children[index].span])
  }

  public static func insert(
    _ members: [DocumentValue.Member], at index: Int, of parent: DocumentNode, in bytes: [UInt8]
  ) throws(DocumentRefusal) -> [TextEdit] {
    if let pin = parent.pin { throw DocumentRefusal(pin) }
    let lines = DocumentLines(bytes: bytes, comments: .hash)
    let isMap = if case .map = parent.content { true } else { false }
    let step = lines.indentStep(of: parent)
    guard let last = parent.children.last else {
      let value: DocumentValue = isMap ? .map(members) : .list(members.map(\.value))
      let text = try text(
        value, indent: lines.lead(of: parent.span.lowerBound), step, lines.lineEnd)
      let inside = String(decoding: bytes[parent.span], as: UTF8.self)
      guard !inside.contains("<!--") else {
        throw DocumentRefusal("its dictionary is empty but for a comment")
      }
      return [TextEdit(parent.span, text.utf8)]
    }
    let indent = lines.lead(of: last.span.lowerBound)
    let isOnLine = lines.indent(before: last.span.lowerBound) != nil
    let gap = isOnLine ? lines.lineEnd + indent : ""
    var between = gap
    if isMap {
      let bytes = bytes[last.keySpan.upperBound..<last.node.span.lowerBound]
      let text = String(decoding: bytes, as: UTF8.self)
      if text.allSatisfy(\.isWhitespace) { between = text }
    }
    var text = ""
    for member in members {
      let value = try Self.text(member.value, indent: indent, step, lines.lineEnd)
      let key = isMap ? "<key>\(try escaped(member.key))</key>\(between)" : ""
      text += index < parent.children.count ? key + value + gap : gap + key + value
    }
    let place =
      index < parent.children.count
      ? parent.children[index].span.lowerBound : last.span.upperBound
    return [TextEdit(at: place, text)]
  }

  private static func text(
    _ value: DocumentValue, indent: String, _ step: String, _ lineEnd: String
  ) throws(DocumentRefusal) -> String {
    func refusal(_ error: PropertyListError) -> DocumentRefusal { DocumentRefusal("\(error)") }
    switch value {
    case .bool(let value): return value ? "<true/>" : "<false/>"
    case .number(let number):
      guard number.isWhole else { return "<real>\(number.text)</real>" }
      guard Int64(number.text) != nil || UInt64(number.text) != nil else {
        throw DocumentRefusal("property lists have no whole numbers beyond 64 bits")
      }
      return "<integer>\(number.text)</integer>"
    case .double(let value): return "<real>\(XMLPropertyListWriter.number(value))</real>"
    case .string(let text): return "<string>\(try escaped(text))</string>"
    case .date(let milliseconds):
      do throws(PropertyListError) {
        return "<date>\(try XMLPropertyListWriter.date(milliseconds))</date>"
      } catch { throw refusal(error) }
    case .data(let bytes):
      let text = Base64.encode(bytes)
      return text.isEmpty
        ? "<data></data>" : "<data>\(lineEnd)\(indent)\(text)\(lineEnd)\(indent)</data>"
    case .list(let values):
      if values.isEmpty { return "<array/>" }
      var inner = ""
      for value in values {
        inner += indent + step + (try text(value, indent: indent + step, step, lineEnd)) + lineEnd
      }
      return "<array>\(lineEnd)\(inner)\(indent)</array>"
    case .map(let members):
      if members.isEmpty { return "<dict/>" }
      var inner = ""
      for member in members {
        let value = try text(member.value, indent: indent + step, step, lineEnd)
        inner += "\(indent)\(step)<key>\(try escaped(member.key))</key>\(lineEnd)"
        inner += indent + step + value + lineEnd
      }
      return "<dict>\(lineEnd)\(inner)\(indent)</dict>"
    case .plain(let text):
      throw DocumentRefusal(
        "readers of YAML take '\(text)' differently, so a property list has no form for it")
    case .other: throw DocumentRefusal("property lists have no form for this value")
    }
  }

  private static func escaped(_ text: String) throws(DocumentRefusal) -> String {
    do throws(PropertyListError) { return try XMLPropertyListWriter.escaped(text) } catch {
      throw DocumentRefusal("\(error)")
    }
  }
}

extension DocumentLines {
  /// One level of indentation below a dictionary.
  fileprivate func indentStep(of parent: DocumentNode) -> String {
    guard let child = parent.children.first, let inner = indent(before: child.span.lowerBound)
    else { return "\t" }
    let outer = lead(of: parent.span.lowerBound)
    return inner.hasPrefix(outer) && inner.count > outer.count
      ? String(inner.dropFirst(outer.count)) : "\t"
  }
}

extension DocumentNode {
  /// A document that can be read and not edited.
  fileprivate init(pinned value: DocumentValue) {
    let pin = "the file is not plain UTF-8, and only that is edited"
    switch value {
    case .map(let members):
      self.init(
        .map(
          members.map { DocumentChild($0.key, 0..<0, DocumentNode(pinned: $0.value)) }), 0..<0,
        .lines, pin: pin)
    default: self.init(.scalar(value), 0..<0, .plain, pin: pin)
    }
  }
}

extension DocumentValue {
  /// The value of a property list; a reference of a keyed archive is none.
  public init(_ list: PropertyList) {
    switch list {
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .number(NumberText(value))
    case .uint(let value): self = .number(NumberText(value))
    case .double(let value): self = .double(value)
    case .string(let text): self = .string(text)
    case .date(let milliseconds): self = .date(milliseconds: milliseconds)
    case .data(let bytes): self = .data(bytes)
    case .reference: self = .other(Self.reference)
    case .array(let values): self = .list(values.map { DocumentValue($0) })
    case .dictionary(let members):
      if members.count == 1, members[0].key == "CF$UID", case .int = members[0].value {
        self = .other(Self.reference)
      } else {
        self = .map(members.map { Member($0.key, DocumentValue($0.value)) })
      }
    }
  }

  static let reference = "it has references (UID) of a keyed archive"
}
