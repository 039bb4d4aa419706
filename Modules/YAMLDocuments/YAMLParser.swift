import CSyncKitYAML

/// Reads the part of YAML that data needs: scalars, lists and maps.
///
/// Several documents in one file, keys that are not plain text and a key that comes twice are errors,
/// and so are anchors and aliases unless they are allowed; each of them means something else to some
/// other reader.
public struct YAMLParser {
  /// What a text may ask of its reader.
  public struct Limits: Sendable {
    /// How many lists and maps may contain one another.
    public var depth: Int
    /// How large a text may be, in bytes.
    public var size: Int
    /// Whether values may bear tags.
    public var allowsTags: Bool
    /// Whether values may bear anchors, and refer to others by them.
    public var allowsReferences: Bool

    /// Sets limits.
    public init(
      depth: Int = 64, size: Int = 16 << 20, allowsTags: Bool = true,
      allowsReferences: Bool = false
    ) {
      self.allowsReferences = allowsReferences
      self.depth = depth
      self.size = size
      self.allowsTags = allowsTags
    }
  }

  private let events: YAMLEvents
  private let limits: Limits

  /// Reads one document from UTF-8.
  ///
  /// - Returns: Nil when there is nothing but comments.
  /// - Throws: ``YAMLError`` with line and column.
  public static func parse(
    _ bytes: [UInt8], limits: Limits = Limits()
  ) throws(YAMLError) -> YAMLNode? {
    guard bytes.count <= limits.size else {
      throw YAMLError(.start, "the file is larger than \(limits.size >> 10) KiB")
    }
    // libyaml takes a missing buffer for a bug of its caller and aborts.
    if bytes.isEmpty { return nil }
    let result = bytes.withUnsafeBufferPointer { bytes -> Result<YAMLNode?, YAMLError> in
      guard let events = YAMLEvents(bytes) else {
        return .failure(YAMLError(.start, "no memory left to read the file"))
      }
      let parser = YAMLParser(events: events, limits: limits)
      do throws(YAMLError) { return .success(try parser.document()) } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func document() throws(YAMLError) -> YAMLNode? {
    var root: YAMLNode?
    while true {
      switch try step() {
      case .boundary: continue
      case .node(let start):
        // The second document of a stream begins with a boundary of its own.
        if root != nil {
          throw YAMLError(start.mark, "a second document begins here; only one is read")
        }
        root = try node(start, depth: 0)
      case .close: throw YAMLError(.start, "a list or map ends that never began")
      case .end: return root?.isAbsent == true ? nil : root
      }
    }
  }

  private func node(_ start: Start, depth: Int) throws(YAMLError) -> YAMLNode {
    guard depth < limits.depth else {
      throw YAMLError(start.mark, "nested more than \(limits.depth) levels deep")
    }
    var node = try content(start, depth: depth)
    node.anchor = start.anchor
    return node
  }

  private func content(_ start: Start, depth: Int) throws(YAMLError) -> YAMLNode {
    switch start.opening {
    case .alias(let name):
      var node = YAMLNode(
        .scalar("", style: .plain), tag: nil, mark: start.mark, span: start.span)
      node.alias = name
      return node
    case .scalar(let text, let style):
      return YAMLNode(
        .scalar(text, style: style), tag: start.tag, mark: start.mark, span: start.span)
    case .list(let isFlow):
      let (items, end) = try items(depth: depth)
      return YAMLNode(
        .list(items, isFlow: isFlow), tag: start.tag, mark: start.mark,
        span: start.span.lowerBound..<max(end, start.span.lowerBound))
    case .map(let isFlow):
      let (entries, end) = try entries(depth: depth)
      return YAMLNode(
        .map(entries, isFlow: isFlow), tag: start.tag, mark: start.mark,
        span: start.span.lowerBound..<max(end, start.span.lowerBound))
    }
  }

  private func items(depth: Int) throws(YAMLError) -> ([YAMLNode], end: Int) {
    var items: [YAMLNode] = []
    while true {
      switch try step() {
      case .node(let start): items.append(try node(start, depth: depth + 1))
      case .close(let end): return (items, end)
      case .boundary, .end: throw YAMLError(.start, "a list never ends")
      }
    }
  }

  private func entries(depth: Int) throws(YAMLError) -> ([YAMLEntry], end: Int) {
    var entries: [YAMLEntry] = []
    var seen: Set<String> = []
    while true {
      switch try step() {
      case .node(let start):
        guard case .scalar(let key, _) = start.opening, !key.isEmpty else {
          throw YAMLError(start.mark, "a key must be a single word")
        }
        guard seen.insert(key).inserted else {
          throw YAMLError(start.mark, "the key '\(key)' appears twice in one map")
        }
        guard case .node(let value) = try step() else {
          throw YAMLError(start.mark, "the key '\(key)' has no value")
        }
        entries.append(
          YAMLEntry(
            key: key, mark: start.mark, span: start.span,
            value: try node(value, depth: depth + 1)))
      case .close(let end): return (entries, end)
      case .boundary, .end: throw YAMLError(.start, "a map never ends")
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
    var tag: String?
    var mark: YAMLMark
    var span: Range<Int>
    var anchor: String?
  }

  private enum Opening {
    case alias(String)
    case scalar(String, YAMLNode.ScalarStyle)
    case list(isFlow: Bool)
    case map(isFlow: Bool)
  }

  private func step() throws(YAMLError) -> Step {
    try events.next { (event) throws(YAMLError) in
      switch event.type {
      case YAML_SCALAR_EVENT:
        let scalar = event.data.scalar
        let text = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
        return try start(
          .scalar(String(decoding: text, as: UTF8.self), style(scalar.style)), event,
          anchor: scalar.anchor, tag: scalar.tag)
      case YAML_SEQUENCE_START_EVENT:
        let list = event.data.sequence_start
        return try start(
          .list(isFlow: list.style == YAML_FLOW_SEQUENCE_STYLE), event, anchor: list.anchor,
          tag: list.tag)
      case YAML_MAPPING_START_EVENT:
        let map = event.data.mapping_start
        return try start(
          .map(isFlow: map.style == YAML_FLOW_MAPPING_STYLE), event, anchor: map.anchor,
          tag: map.tag)
      case YAML_ALIAS_EVENT:
        if limits.allowsReferences, let name = event.data.alias.anchor {
          return try start(.alias(String(cString: name)), event, anchor: nil, tag: nil)
        }
        throw YAMLError(
          events.mark(event.start_mark), "aliases (*name) are not supported; write the value out")
      case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
        return .close(Int(event.end_mark.index))
      case YAML_STREAM_END_EVENT, YAML_NO_EVENT: return .end
      default: return .boundary
      }
    }
  }

  private func start(
    _ opening: Opening, _ event: yaml_event_t, anchor: UnsafePointer<yaml_char_t>?,
    tag: UnsafePointer<yaml_char_t>?
  ) throws(YAMLError) -> Step {
    let mark = events.mark(event.start_mark)
    if anchor != nil, !limits.allowsReferences {
      throw YAMLError(mark, "anchors (&name) are not supported; write the value out")
    }
    if tag != nil, !limits.allowsTags {
      throw YAMLError(mark, "tags (!name) are not supported; leave it out")
    }
    let first = Int(event.start_mark.index)
    let span = first..<max(first, Int(event.end_mark.index))
    return .node(
      Start(
        opening: opening, tag: tag.map { String(cString: $0) }, mark: mark, span: span,
        anchor: anchor.map { String(cString: $0) }))
  }

  private func style(_ style: yaml_scalar_style_t) -> YAMLNode.ScalarStyle {
    switch style {
    case YAML_PLAIN_SCALAR_STYLE, YAML_ANY_SCALAR_STYLE: .plain
    case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: .block
    default: .quoted
    }
  }
}
