/// Reads a setting's value where it is not in a file: from an option, a variable, or `config set`.
package enum ConfigValue {
  /// The value as the file would hold it.
  ///
  /// A list may be written `a,b` or as YAML's `[a, b]`, a map only as YAML's `{file: …}`; anything else
  /// is taken as it stands, so that no quoting is needed.
  ///
  /// - Throws: ``ConfigProblem`` when YAML is begun and not kept.
  package static func node(
    _ text: String, _ type: ConfigType, from origin: ConfigOrigin
  ) throws(ConfigProblem) -> ConfigNode {
    switch type {
    case .list:
      if text.hasPrefix("[") { return try parsed(text, from: origin) }
      let items = text.split(separator: ",", omittingEmptySubsequences: false)
      return .list(items.map { .text(trimmed($0), from: origin) }, from: origin)
    case .secret, .map, .named:
      return text.hasPrefix("{") ? try parsed(text, from: origin) : .text(text, from: origin)
    default:
      return .text(text, from: origin)
    }
  }

  private static func parsed(
    _ text: String, from origin: ConfigOrigin
  ) throws(ConfigProblem) -> ConfigNode {
    do {
      let node = try ConfigNode.parse(Array(text.utf8), path: "")
      return relocated(node ?? .text("", from: origin), to: origin)
    } catch {
      throw ConfigProblem(origin, error.message)
    }
  }

  /// The same value from another origin.
  private static func relocated(_ node: ConfigNode, to origin: ConfigOrigin) -> ConfigNode {
    var node = node
    node.origin = origin
    node.span = 0..<0
    switch node.content {
    case .scalar: break
    case .list(let items, let isFlow):
      node.content = .list(items.map { relocated($0, to: origin) }, isFlow: isFlow)
    case .map(let entries, let isFlow):
      let moved = entries.map {
        ConfigEntry(key: $0.key, origin: origin, value: relocated($0.value, to: origin))
      }
      node.content = .map(moved, isFlow: isFlow)
    }
    return node
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
