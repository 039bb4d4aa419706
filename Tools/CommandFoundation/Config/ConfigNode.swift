import YAMLDocuments

/// One value of the configuration, together with its origin.
///
/// A scalar stays the text it was: whether `5m` is a duration or a name is for the reader of that
/// key to say, so nothing here turns `no` into a truth value or `1.10` into a number.
package struct ConfigNode: Sendable {
  package var content: Content
  /// Where the value came from; for a file, its first character.
  package var origin: ConfigOrigin
  /// The characters of the file it takes up, as offsets in Unicode scalars; empty outside a file.
  package var span: Range<Int> = 0..<0

  package init(content: Content, origin: ConfigOrigin, span: Range<Int> = 0..<0) {
    self.content = content
    self.origin = origin
    self.span = span
  }

  package enum Content: Sendable {
    case scalar(String, style: ScalarStyle)
    case list([ConfigNode], isFlow: Bool)
    case map([ConfigEntry], isFlow: Bool)
  }

  package typealias ScalarStyle = YAMLNode.ScalarStyle
}

/// One key of a map and what belongs to it.
package struct ConfigEntry: Sendable {
  package var key: String
  /// Where the key itself was written.
  package var origin: ConfigOrigin
  package var span: Range<Int> = 0..<0
  package var value: ConfigNode

  package init(key: String, origin: ConfigOrigin, span: Range<Int> = 0..<0, value: ConfigNode) {
    self.key = key
    self.origin = origin
    self.span = span
    self.value = value
  }
}

// MARK: Making and looking inside

extension ConfigNode {
  package static func text(_ text: String, from origin: ConfigOrigin) -> ConfigNode {
    ConfigNode(content: .scalar(text, style: .quoted), origin: origin)
  }

  package static func list(_ items: [ConfigNode], from origin: ConfigOrigin) -> ConfigNode {
    ConfigNode(content: .list(items, isFlow: true), origin: origin)
  }

  package static func map(_ entries: [ConfigEntry] = [], from origin: ConfigOrigin) -> ConfigNode {
    ConfigNode(content: .map(entries, isFlow: true), origin: origin)
  }

  /// The text of a scalar, nil for a list or a map.
  package var text: String? { if case .scalar(let text, _) = content { text } else { nil } }

  /// The elements of a list, nil for anything else.
  package var items: [ConfigNode]? { if case .list(let items, _) = content { items } else { nil } }

  /// The members of a map in the order they were written, nil for anything else.
  package var entries: [ConfigEntry]? {
    if case .map(let entries, _) = content { entries } else { nil }
  }

  /// Whether a key stands there with nothing after it.
  package var isAbsent: Bool {
    if case .scalar(let text, .plain) = content { text.isEmpty } else { false }
  }

  /// What kind of value this is, for a message.
  package var kind: String {
    switch content {
    case .scalar: isAbsent ? "nothing" : "a single value"
    case .list: "a list"
    case .map: "a map"
    }
  }

  /// The value of a key, or of a key in a map in a map and so on.
  package subscript(path: String...) -> ConfigNode? { self[path] }

  package subscript(path: some Collection<String>) -> ConfigNode? {
    guard let key = path.first else { return self }
    return entries?.first { $0.key == key }?.value[path.dropFirst()]
  }

  /// Sets what a path leads to, making maps on the way where there are none.
  package mutating func set(_ path: some Collection<String>, to value: ConfigNode) {
    guard let key = path.first else {
      self = value
      return
    }
    var entries = entries ?? []
    let index = entries.firstIndex { $0.key == key } ?? entries.endIndex
    if index == entries.endIndex {
      entries.append(ConfigEntry(key: key, origin: value.origin, value: .map(from: value.origin)))
    }
    entries[index].value.set(path.dropFirst(), to: value)
    content = .map(entries, isFlow: true)
  }
}
