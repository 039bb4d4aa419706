/// Reads a document of TOML 1.0, strictly.
///
/// Tables are built in a tree of nodes that know how they were defined, since TOML forbids to define
/// one twice, or to add to one that was written in braces.
struct TOMLParser {
  /// A table while it is read.
  final class Node {
    enum Kind {
      /// Mentioned on the way to another; may still be defined.
      case implicit
      /// Defined by a header.
      case header
      /// Made by dotted keys.
      case dotted
      /// Written in braces, and complete.
      case inline
    }

    enum Entry {
      case value(TOML)
      case table(Node)
      /// An array of tables; the last is the one that headers below it go into.
      case tables([Node])
    }

    var kind: Kind
    var keys: [String] = []
    var entries: [ExactText: Entry] = [:]

    init(_ kind: Kind) { self.kind = kind }

    subscript(key: String) -> Entry? { entries[ExactText(key)] }

    func set(_ key: String, _ entry: Entry) {
      if entries.updateValue(entry, forKey: ExactText(key)) == nil { keys.append(key) }
    }

    var table: TOMLTable {
      TOMLTable(
        keys.map { key in
          switch self[key] {
          case .value(let value): (key, value)
          case .table(let node): (key, .table(node.table))
          case .tables(let nodes): (key, .array(nodes.map { .table($0.table) }))
          case nil: (key, .array([]))
          }
        })
    }
  }

  static let maximumDepth = 64

  var cursor: TOMLCursor

  static func read(_ bytes: [UInt8]) throws(TOMLError) -> TOMLTable {
    let result = bytes.withUnsafeBufferPointer { bytes -> Result<TOMLTable, TOMLError> in
      do throws(TOMLError) {
        if let place = TextScan.firstInvalidUTF8(in: bytes) {
          throw TOMLCursor(bytes).failure("this is not UTF-8", at: place)
        }
        var parser = TOMLParser(cursor: TOMLCursor(bytes))
        return .success(try parser.document())
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private mutating func document() throws(TOMLError) -> TOMLTable {
    let root = Node(.header)
    var current = root
    while true {
      cursor.skipBlankLines()
      guard let byte = cursor.next else { return root.table }
      if byte == UInt8(ascii: "[") {
        current = try header(in: root)
      } else {
        try pair(in: current, depth: 0)
      }
      try cursor.endLine()
    }
  }

  // MARK: Tables

  private mutating func header(in root: Node) throws(TOMLError) -> Node {
    let start = cursor.offset
    cursor.advance()
    let isArray = cursor.take("[")
    let path = try keyPath()
    guard cursor.take("]"), !isArray || cursor.take("]") else {
      throw cursor.failure("a header ends with \(isArray ? "]]" : "]")")
    }
    guard path.count <= Self.maximumDepth else {
      throw cursor.failure("nested more than \(Self.maximumDepth) levels deep", at: start)
    }
    var node = root
    for key in path.dropLast() {
      switch node[key] {
      case .table(let inner) where inner.kind != .inline: node = inner
      case .tables(let nodes): node = nodes.last ?? node
      case nil:
        let inner = Node(.implicit)
        node.set(key, .table(inner))
        node = inner
      default: throw cursor.failure("'\(key)' is already a value, not a table", at: start)
      }
    }
    return try define(path[path.count - 1], in: node, isArray: isArray, at: start)
  }

  private mutating func define(
    _ key: String, in node: Node, isArray: Bool, at start: Int
  ) throws(TOMLError) -> Node {
    switch node[key] {
    case nil:
      let table = Node(.header)
      node.set(key, isArray ? .tables([table]) : .table(table))
      return table
    case .table(let table) where !isArray && table.kind == .implicit:
      table.kind = .header
      return table
    case .tables(var nodes) where isArray:
      let table = Node(.header)
      nodes.append(table)
      node.set(key, .tables(nodes))
      return table
    default: throw cursor.failure("'\(key)' is defined twice", at: start)
    }
  }

  mutating func pair(in table: Node, depth: Int) throws(TOMLError) {
    let start = cursor.offset
    let path = try keyPath()
    guard path.count + depth <= Self.maximumDepth else {
      throw cursor.failure("nested more than \(Self.maximumDepth) levels deep", at: start)
    }
    guard cursor.take("=") else { throw cursor.failure("a key is followed by =") }
    cursor.skipSpaces()
    var node = table
    for key in path.dropLast() {
      switch node[key] {
      case .table(let inner) where inner.kind == .dotted: node = inner
      case nil:
        let inner = Node(.dotted)
        node.set(key, .table(inner))
        node = inner
      default: throw cursor.failure("'\(key)' is already defined elsewhere", at: start)
      }
    }
    let last = path[path.count - 1]
    guard node[last] == nil else {
      throw cursor.failure("the key '\(last)' appears twice", at: start)
    }
    node.set(last, try entry(depth: depth + path.count))
  }

  private mutating func entry(depth: Int) throws(TOMLError) -> Node.Entry {
    guard cursor.next == UInt8(ascii: "{") else { return .value(try value(depth: depth)) }
    return .table(try inlineTable(depth: depth))
  }

  mutating func inlineTable(depth: Int) throws(TOMLError) -> Node {
    guard depth < Self.maximumDepth else {
      throw cursor.failure("nested more than \(Self.maximumDepth) levels deep")
    }
    cursor.advance()
    let table = Node(.dotted)
    cursor.skipSpaces()
    var isFirst = true
    while !cursor.take("}") {
      guard isFirst || cursor.take(",") else { throw cursor.failure("a , or } is missing") }
      isFirst = false
      cursor.skipSpaces()
      try pair(in: table, depth: depth + 1)
      cursor.skipSpaces()
    }
    close(table)
    return table
  }

  /// Marks a table in braces, and what dotted keys in it made, as complete.
  private func close(_ table: Node) {
    table.kind = .inline
    for case .table(let inner) in table.entries.values { close(inner) }
  }

  // MARK: Keys

  mutating func keyPath() throws(TOMLError) -> [String] {
    var path: [String] = []
    repeat {
      cursor.skipSpaces()
      path.append(try key())
      cursor.skipSpaces()
    } while cursor.take(".")
    return path
  }

  private mutating func key() throws(TOMLError) -> String {
    switch cursor.next {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return try string(allowsLines: false)
    default:
      let key = cursor.word { TOMLCursor.isBare($0) }
      guard !key.isEmpty else { throw cursor.unexpected("a key") }
      return key
    }
  }
}

extension TOML {
  /// Reads a document of TOML 1.0.0 from UTF-8, strictly; a byte order mark at the start is skipped.
  ///
  /// - Throws: ``TOMLError`` with line and column; the same bytes always fail the same way.
  public static func parse(_ bytes: [UInt8]) throws(TOMLError) -> TOMLTable {
    try TOMLParser.read(bytes)
  }
}
