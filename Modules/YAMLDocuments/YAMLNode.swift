/// One value of a YAML document as it was written, with its position.
///
/// A scalar stays the text it was, together with how it was written: whether `5m` is a duration or a
/// name is for the reader of that key to say. ``YAMLValue`` says what YAML itself would make of it.
public struct YAMLNode: Sendable {
  /// What a value is.
  public enum Content: Sendable {
    /// A value as it is written.
    case scalar(String, style: ScalarStyle)
    /// Nodes in their order; `isFlow` tells of brackets.
    case list([YAMLNode], isFlow: Bool)
    /// Nodes by key; `isFlow` tells of braces.
    case map([YAMLEntry], isFlow: Bool)
  }

  /// How a scalar was written.
  public enum ScalarStyle: Sendable {
    /// Without quotes.
    case plain
    /// In quotes.
    case quoted
    /// Below its key, as lines.
    case block
  }

  /// What it is.
  public var content: Content
  /// The tag, such as `tag:yaml.org,2002:binary`; nil when there is none.
  public var tag: String?
  /// Its first character.
  public var mark: YAMLMark
  /// The characters it takes up, as offsets in Unicode scalars.
  public var span: Range<Int>
  /// The name that others may refer to it by; nil for most.
  public var anchor: String?
  /// The name of the value that stands here again; nil for most.
  public var alias: String?

  init(_ content: Content, tag: String?, mark: YAMLMark, span: Range<Int>) {
    self.content = content
    self.tag = tag
    self.mark = mark
    self.span = span
  }
}

/// One key of a map and what belongs to it.
public struct YAMLEntry: Sendable {
  /// The key.
  public var key: String
  /// The key's first character.
  public var mark: YAMLMark
  /// The characters that the key takes up, as offsets in Unicode scalars.
  public var span: Range<Int>
  /// What belongs to it.
  public var value: YAMLNode
}

extension YAMLNode {
  /// Whether a key stands there with nothing after it.
  public var isAbsent: Bool {
    if case .scalar(let text, .plain) = content {
      text.isEmpty && tag == nil && alias == nil && anchor == nil
    } else {
      false
    }
  }
}
