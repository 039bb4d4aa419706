/// What YAML makes of a document: values with types.
///
/// Types are those of the core schema of YAML 1.2, so `no`, `on` and `12:30` are texts, and with them
/// the tags `!!timestamp` and `!!binary`. A plain date with a time, which YAML 1.1 takes for a
/// timestamp, is one here too; a date alone is text.
///
/// Source: [YAML 1.2.2](https://yaml.org/spec/1.2.2/), chapter 10.3;
/// [timestamp](https://yaml.org/type/timestamp.html) and [binary](https://yaml.org/type/binary.html).
public indirect enum YAMLValue: Hashable, Sendable {
  /// No value.
  case null
  /// A truth value.
  case bool(Bool)
  /// An integer.
  case int(Int64)
  /// A whole number beyond those of 64 bits with a sign.
  case uint(UInt64)
  /// A number in binary floating point.
  case double(Double)
  /// A text.
  case string(String)
  /// A point in time as it was written.
  case timestamp(String)
  /// Bytes in base64 as they were written, without white space.
  case binary(String)
  /// Values in their order.
  case list([YAMLValue])
  /// Values by key.
  case map([Member])

  /// A key of a map and its value.
  public struct Member: Hashable, Sendable {
    /// The key.
    public var key: String
    /// What belongs to it.
    public var value: YAMLValue

    /// Makes a member.
    public init(_ key: String, _ value: YAMLValue) {
      self.key = key
      self.value = value
    }
  }

  /// Gives a node its type.
  ///
  /// - Throws: ``YAMLError`` for a number beyond 64 bits, and a tag that is not of the core schema or
  ///   does not fit its value.
  public init(_ node: YAMLNode) throws(YAMLError) {
    switch node.content {
    case .scalar(let text, let style):
      self = try Self.scalar(text, isPlain: style == .plain, node)
    case .list(let items, _):
      try Self.check(node, "seq")
      var values: [YAMLValue] = []
      for item in items { values.append(try YAMLValue(item)) }
      self = .list(values)
    case .map(let entries, _):
      try Self.check(node, "map")
      var members: [Member] = []
      for entry in entries { members.append(Member(entry.key, try YAMLValue(entry.value))) }
      self = .map(members)
    }
  }

  private static let core = "tag:yaml.org,2002:"

  private static func check(_ node: YAMLNode, _ kind: String) throws(YAMLError) {
    guard let tag = node.tag, tag != core + kind else { return }
    throw YAMLError(node.mark, "the tag '\(shown(tag))' does not belong to a \(kind)")
  }

  private static func scalar(
    _ text: String, isPlain: Bool, _ node: YAMLNode
  ) throws(YAMLError) -> YAMLValue {
    guard let tag = node.tag, tag != "?" else {
      guard isPlain else { return .string(text) }
      return try YAMLScalar.value(of: text, at: node.mark)
    }
    guard tag.hasPrefix(core) else { return try tag == "!" ? .string(text) : unknown(tag, node) }
    switch tag.dropFirst(core.count) {
    case "str": return .string(text)
    case "timestamp": return .timestamp(text)
    case "binary": return .binary(text.filter { !$0.isWhitespace })
    case "null":
      if text.isEmpty || YAMLScalar.isNull(text) { return .null }
    case "bool":
      if let value = YAMLScalar.bool(text) { return .bool(value) }
    case "int":
      let value = try YAMLScalar.value(of: text, at: node.mark)
      switch value {
      case .int, .uint: return value
      default: break
      }
    case "float":
      if let value = YAMLScalar.double(text) { return .double(value) }
    default: return try unknown(tag, node)
    }
    throw YAMLError(node.mark, "the value does not fit its tag '\(shown(tag))'")
  }

  private static func unknown(_ tag: String, _ node: YAMLNode) throws(YAMLError) -> YAMLValue {
    throw YAMLError(node.mark, "the tag '\(shown(tag))' is not known")
  }

  private static func shown(_ tag: String) -> String {
    tag.hasPrefix(core) ? "!!" + tag.dropFirst(core.count) : tag
  }
}
