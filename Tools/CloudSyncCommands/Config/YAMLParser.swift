import CYAML

/// Reads the part of YAML that a configuration needs: scalars, lists and maps.
///
/// Anchors, aliases, tags, several documents in one file, keys that are not plain text and a key that
/// comes twice are errors; each of them means something else to some other reader.
struct YAMLParser {
  /// How many lists and maps may contain one another.
  static let maximumDepth = 16
  /// How large a file may be, in bytes.
  static let maximumSize = 1 << 20

  private let events: YAMLEvents

  /// Reads one document.
  ///
  /// - Parameters:
  ///   - bytes: The whole file, UTF-8.
  ///   - path: The file's name for messages.
  /// - Returns: Nil when the file has nothing but comments.
  /// - Throws: ``ConfigProblem`` with line and column.
  static func parse(_ bytes: [UInt8], path: String) throws -> YAMLNode? {
    guard bytes.count <= maximumSize else {
      throw ConfigProblem(
        .file(path, line: 1, column: 1), "the file is larger than \(maximumSize >> 10) KiB")
    }
    // libyaml takes a missing buffer for a bug of its caller and aborts.
    if bytes.isEmpty { return nil }
    return try bytes.withUnsafeBufferPointer { bytes in
      guard let events = YAMLEvents(bytes, path: path) else {
        throw ConfigProblem(.file(path, line: 1, column: 1), "no memory left to read the file")
      }
      return try YAMLParser(events: events).document()
    }
  }

  private func document() throws -> YAMLNode? {
    var root: YAMLNode?
    while true {
      switch try step() {
      case .boundary: continue
      case .node(let start):
        // The second document of a stream begins with a boundary of its own.
        if root != nil {
          throw ConfigProblem(start.origin, "a second document begins here; only one is read")
        }
        root = try node(start, depth: 0)
      case .close: throw ConfigProblem(.builtIn, "a list or map ends that never began")
      case .end: return root?.isAbsent == true ? nil : root
      }
    }
  }

  private func node(_ start: Start, depth: Int) throws -> YAMLNode {
    guard depth < Self.maximumDepth else {
      throw ConfigProblem(start.origin, "nested more than \(Self.maximumDepth) levels deep")
    }
    switch start.opening {
    case .scalar(let text, let style):
      return YAMLNode(
        content: .scalar(text, style: style), origin: start.origin, span: start.span)
    case .list(let isFlow):
      let (items, end) = try items(depth: depth)
      return YAMLNode(
        content: .list(items, isFlow: isFlow), origin: start.origin,
        span: start.span.lowerBound..<max(end, start.span.lowerBound))
    case .map(let isFlow):
      let (entries, end) = try entries(depth: depth)
      return YAMLNode(
        content: .map(entries, isFlow: isFlow), origin: start.origin,
        span: start.span.lowerBound..<max(end, start.span.lowerBound))
    }
  }

  private func items(depth: Int) throws -> ([YAMLNode], end: Int) {
    var items: [YAMLNode] = []
    while true {
      switch try step() {
      case .node(let start): items.append(try node(start, depth: depth + 1))
      case .close(let end): return (items, end)
      case .boundary, .end: throw ConfigProblem(.builtIn, "a list never ends")
      }
    }
  }

  private func entries(depth: Int) throws -> ([YAMLEntry], end: Int) {
    var entries: [YAMLEntry] = []
    var seen: Set<String> = []
    while true {
      switch try step() {
      case .node(let start):
        guard case .scalar(let key, _) = start.opening, !key.isEmpty else {
          throw ConfigProblem(start.origin, "a key must be a single word")
        }
        guard seen.insert(key).inserted else {
          throw ConfigProblem(start.origin, "the key '\(key)' comes twice in one map")
        }
        guard case .node(let value) = try step() else {
          throw ConfigProblem(start.origin, "the key '\(key)' has no value")
        }
        entries.append(
          YAMLEntry(
            key: key, origin: start.origin, span: start.span,
            value: try node(value, depth: depth + 1)))
      case .close(let end): return (entries, end)
      case .boundary, .end: throw ConfigProblem(.builtIn, "a map never ends")
      }
    }
  }
}

// MARK: Events

extension YAMLParser {
  private enum Step {
    case node(Start)
    /// The end of a list or map, and the offset after it.
    case close(Int)
    case boundary
    case end
  }

  private struct Start {
    var opening: Opening
    var origin: ConfigOrigin
    var span: Range<Int>
  }

  private enum Opening {
    case scalar(String, YAMLNode.ScalarStyle)
    case list(isFlow: Bool)
    case map(isFlow: Bool)
  }

  private func step() throws -> Step {
    try events.next { event in
      let origin = events.origin(event.start_mark)
      func start(_ opening: Opening, anchor: Bool, tag: Bool) throws -> Step {
        if anchor { throw ConfigProblem(origin, "anchors (&name) are not read; write it out") }
        if tag { throw ConfigProblem(origin, "tags (!name) are not read; leave it out") }
        let first = Int(event.start_mark.index)
        let span = first..<max(first, Int(event.end_mark.index))
        return .node(Start(opening: opening, origin: origin, span: span))
      }
      switch event.type {
      case YAML_SCALAR_EVENT:
        let scalar = event.data.scalar
        let text = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
        return try start(
          .scalar(String(decoding: text, as: UTF8.self), style(scalar.style)),
          anchor: scalar.anchor != nil, tag: scalar.tag != nil)
      case YAML_SEQUENCE_START_EVENT:
        let list = event.data.sequence_start
        return try start(
          .list(isFlow: list.style == YAML_FLOW_SEQUENCE_STYLE),
          anchor: list.anchor != nil, tag: list.tag != nil)
      case YAML_MAPPING_START_EVENT:
        let map = event.data.mapping_start
        return try start(
          .map(isFlow: map.style == YAML_FLOW_MAPPING_STYLE),
          anchor: map.anchor != nil, tag: map.tag != nil)
      case YAML_ALIAS_EVENT:
        throw ConfigProblem(origin, "aliases (*name) are not read; write it out")
      case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
        return .close(Int(event.end_mark.index))
      case YAML_STREAM_END_EVENT, YAML_NO_EVENT: return .end
      default: return .boundary
      }
    }
  }

  private func style(_ style: yaml_scalar_style_t) -> YAMLNode.ScalarStyle {
    switch style {
    case YAML_PLAIN_SCALAR_STYLE, YAML_ANY_SCALAR_STYLE: .plain
    case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: .block
    default: .quoted
    }
  }
}
