/// A value of a document with the bytes that it takes up.
public struct DocumentNode: Sendable {
  /// What it is.
  public enum Content: Sendable {
    /// A single value.
    case scalar(DocumentValue)
    /// Nodes in their order.
    case list([DocumentChild])
    /// Nodes by key.
    case map([DocumentChild])
  }

  /// How it was written, for a format that has several ways.
  public enum Style: Sendable {
    /// Without quotes.
    case plain
    /// In single quotes.
    case singleQuoted
    /// In double quotes.
    case doubleQuoted
    /// A text of several lines under its key.
    case block
    /// A list or map in brackets.
    case flow
    /// A list or map of indented lines.
    case lines
    /// A table of TOML: where its next key goes, and what stands before the key there.
    case table(end: Int?, prefix: [String])
    /// Nothing at all.
    case absent
  }

  /// What it is.
  public var content: Content
  /// The bytes that it takes up.
  public var span: Range<Int>
  /// How it was written.
  public var style: Style
  /// Why it must not be replaced; nil when it may.
  public var pin: String?

  /// Makes a node.
  public init(_ content: Content, _ span: Range<Int>, _ style: Style, pin: String? = nil) {
    self.content = content
    self.span = span
    self.style = style
    self.pin = pin
  }

  /// The elements of a list or the members of a map; none for a scalar.
  public var children: [DocumentChild] {
    switch content {
    case .scalar: []
    case .list(let children), .map(let children): children
    }
  }

  /// The value alone.
  public var value: DocumentValue {
    switch content {
    case .scalar(let value): value
    case .list(let children): .list(children.map(\.node.value))
    case .map(let children): .map(children.map { .init($0.key ?? "", $0.node.value) })
    }
  }

  /// Whether this or something in it must not be replaced, and why.
  public var innerPin: String? { pin ?? children.lazy.compactMap(\.node.innerPin).first }
}

/// An element of a list, or a member of a map with its key.
public struct DocumentChild: Sendable {
  /// The key; nil in a list.
  public var key: String?
  /// The bytes of the key; the first of the element in a list.
  public var keySpan: Range<Int>
  /// The value.
  public var node: DocumentNode

  /// Makes a child.
  public init(_ key: String?, _ keySpan: Range<Int>, _ node: DocumentNode) {
    self.key = key
    self.keySpan = keySpan
    self.node = node
  }

  /// The bytes from the key to the end of the value.
  public var span: Range<Int> {
    keySpan.lowerBound..<max(node.span.upperBound, keySpan.upperBound)
  }
}
