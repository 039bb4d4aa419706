/// Reads a valid document of TOML again, with the place of everything.
struct TOMLTreeReader {
  /// A table while it is read.
  private final class Table {
    enum Entry {
      case value(DocumentChild)
      case table(Table)
      case tables([Table])
    }

    var keys: [String] = []
    var entries: [ExactText: Entry] = [:]
    /// The key in its header; empty for a table that has none.
    var header = 0..<0
    /// Where its next key goes.
    var end: Int?
    /// What stands before a key there.
    var prefix: [String] = []
    /// The keys in its header.
    var path: [String] = []

    func set(_ key: String, _ entry: Entry) {
      if entries.updateValue(entry, forKey: ExactText(key)) == nil { keys.append(key) }
    }
  }

  private var parser: TOMLParser
  private let bytes: UnsafeBufferPointer<UInt8>

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    parser = TOMLParser(cursor: TOMLCursor(bytes))
  }

  mutating func document() throws(TOMLError) -> DocumentNode {
    let root = Table()
    root.end = parser.cursor.offset
    var current = root
    while true {
      parser.cursor.skipBlankLines()
      guard let byte = parser.cursor.next else { return node(root, isRoot: true) }
      if byte == UInt8(ascii: "[") {
        current = try header(in: root)
      } else {
        try pair(in: current)
      }
      try parser.cursor.endLine()
      current.end = parser.cursor.offset
    }
  }

  private mutating func header(in root: Table) throws(TOMLError) -> Table {
    let start = parser.cursor.offset
    parser.cursor.advance()
    let isArray = parser.cursor.take("[")
    let path = try parser.keyPath()
    parser.cursor.advance(by: isArray ? 2 : 1)
    var table = root
    for key in path.dropLast() {
      switch table.entries[ExactText(key)] {
      case .table(let inner): table = inner
      case .tables(let all): table = all[all.count - 1]
      default:
        let inner = Table()
        table.set(key, .table(inner))
        table = inner
      }
    }
    let key = path[path.count - 1]
    switch table.entries[ExactText(key)] {
    case .table(let inner) where !isArray:
      inner.header = start..<parser.cursor.offset
      inner.prefix = []
      return inner
    case .tables(let all) where isArray:
      let inner = Table()
      inner.header = start..<parser.cursor.offset
      inner.path = path
      table.set(key, .tables(all + [inner]))
      return inner
    default:
      let inner = Table()
      inner.header = start..<parser.cursor.offset
      inner.path = path
      table.set(key, isArray ? .tables([inner]) : .table(inner))
      return inner
    }
  }

  private mutating func pair(in owner: Table) throws(TOMLError) {
    let start = parser.cursor.offset
    let path = try parser.keyPath()
    let keySpan = start..<trimmed(parser.cursor.offset)
    parser.cursor.advance()
    parser.cursor.skipSpaces()
    let value = try value()
    var table = owner
    var tables: [Table] = []
    for key in path.dropLast() {
      if case .table(let inner) = table.entries[ExactText(key)] {
        table = inner
      } else {
        let inner = Table()
        inner.prefix = owner.prefix + path.prefix(tables.count + 1)
        table.set(key, .table(inner))
        table = inner
      }
      tables.append(table)
    }
    let key = path[path.count - 1]
    table.set(key, .value(DocumentChild(key, keySpan, value)))
    let end = bytes[value.span.upperBound...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
    for table in tables { table.end = end }
  }

  /// The end of a key, before the spaces that the parser passes after it.
  private func trimmed(_ offset: Int) -> Int {
    var end = offset
    while end > 0, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
    return end
  }

  // MARK: Values

  private mutating func value() throws(TOMLError) -> DocumentNode {
    let start = parser.cursor.offset
    switch parser.cursor.next {
    case UInt8(ascii: "["):
      let children = try elements()
      return DocumentNode(.list(children), start..<parser.cursor.offset, .flow)
    case UInt8(ascii: "{"):
      let children = try members()
      return DocumentNode(.map(children), start..<parser.cursor.offset, .flow)
    default:
      let value = try parser.value(depth: 0)
      let span = start..<parser.cursor.offset
      return DocumentNode(.scalar(scalar(value, span)), span, .plain)
    }
  }

  private func scalar(_ value: TOML, _ span: Range<Int>) -> DocumentValue {
    switch value {
    case .bool(let value): return .bool(value)
    case .int(let value): return .number(NumberText(value))
    case .whole(let text): return NumberText(text).map { .number($0) } ?? .other("it is no number")
    case .double(let value):
      var text = String(decoding: bytes[span], as: UTF8.self).filter { $0 != "_" }
      if text.hasPrefix("+") { text.removeFirst() }
      return NumberText(text).map { .number($0) } ?? .double(value)
    case .string(let text): return .string(text)
    case .dateTime(let milliseconds): return .date(milliseconds: milliseconds)
    case .local(let text): return .plain(text)
    case .array, .table: return .other("it is not a single value")
    }
  }

  private mutating func elements() throws(TOMLError) -> [DocumentChild] {
    parser.cursor.advance()
    var children: [DocumentChild] = []
    while true {
      parser.cursor.skipBlankLines()
      if parser.cursor.take("]") { return children }
      let start = parser.cursor.offset
      children.append(DocumentChild(nil, start..<start, try value()))
      parser.cursor.skipBlankLines()
      _ = parser.cursor.take(",")
    }
  }

  /// The members of a table in braces; one with dotted keys is a table of its own there.
  private mutating func members() throws(TOMLError) -> [DocumentChild] {
    parser.cursor.advance()
    let table = Table()
    parser.cursor.skipSpaces()
    while !parser.cursor.take("}") {
      try pair(in: table)
      parser.cursor.skipSpaces()
      _ = parser.cursor.take(",")
      parser.cursor.skipSpaces()
    }
    var children = node(table, isRoot: false).children
    for index in children.indices {
      guard case .table = children[index].node.style else { continue }
      children[index].node.pin = "it has dotted keys in braces"
    }
    return children
  }

  // MARK: The tree

  private func node(_ table: Table, isRoot: Bool) -> DocumentNode {
    let children = table.keys.compactMap { key -> DocumentChild? in
      switch table.entries[ExactText(key)] {
      case .value(let child): child
      case .table(let inner): DocumentChild(key, inner.header, node(inner, isRoot: false))
      case .tables(let all):
        DocumentChild(key, 0..<0, self.node(all))
      case nil: nil
      }
    }
    // A table without a header has no place that other tables do not share.
    let span = isRoot ? 0..<0 : 0..<max(1, table.header.upperBound)
    return DocumentNode(
      .map(children), span, .table(end: table.end, prefix: table.prefix))
  }
  /// An array of tables; the next one goes behind the last.
  private func node(_ tables: [Table]) -> DocumentNode {
    let children = tables.map { DocumentChild(nil, $0.header, node($0, isRoot: false)) }
    return DocumentNode(
      .list(children), 0..<1,
      .table(end: tables.compactMap { lastLine(of: $0) }.max(), prefix: tables.first?.path ?? []))
  }

  /// The place behind the last line of a table and those in it.
  private func lastLine(of table: Table) -> Int? {
    let inner = table.entries.values.flatMap { entry -> [Table] in
      switch entry {
      case .value: []
      case .table(let table): [table]
      case .tables(let tables): tables
      }
    }
    return ([table.end] + inner.map { lastLine(of: $0) }).compactMap { $0 }.max()
  }
}
