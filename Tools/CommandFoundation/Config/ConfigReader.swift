import SyncKit

/// A position in the checked configuration from which typed values are read.
///
/// What is not set is the table's fallback. The layers have been checked, so a value that does not fit
/// its type can only be a gap in the checks; it is reported like any other problem, not trapped on.
package struct ConfigReader: Sendable {
  package let node: ConfigNode?
  package let map: ConfigMap
  package let paths: PathExpansion

  package init(_ root: ConfigNode, paths: PathExpansion) {
    self.init(node: root, map: ConfigSchema.root, paths: paths)
  }

  /// A position at which nothing is set.
  package init(nothingOf keys: [ConfigKey], paths: PathExpansion) {
    self.init(node: nil, map: ConfigMap(keys: keys), paths: paths)
  }

  private init(node: ConfigNode?, map: ConfigMap, paths: PathExpansion) {
    self.node = node
    self.map = map
    self.paths = paths
  }

  /// Whether a key was set.
  package func says(_ key: String) -> Bool { node?[key] != nil }

  /// A map inside this one, empty when it is not there.
  package func map(_ key: String) -> ConfigReader {
    guard case .map(let inner) = map[key]?.type else {
      return ConfigReader(node: nil, map: ConfigMap(keys: []), paths: paths)
    }
    return ConfigReader(node: node?[key], map: inner, paths: paths)
  }

  /// The named maps of a key, in order.
  package func named(_ key: String) -> [(name: String, reader: ConfigReader)] {
    guard case .named(.map(let inner), _) = map[key]?.type else { return [] }
    return (node?[key]?.entries ?? []).map {
      ($0.key, ConfigReader(node: $0.value, map: inner, paths: paths))
    }
  }

  /// The named single values of a key, in order.
  package func namedTexts(_ key: String) -> [(name: String, text: String)] {
    (node?[key]?.entries ?? []).compactMap { entry in entry.value.text.map { (entry.key, $0) } }
  }

  // MARK: Values

  package func text(_ key: String) -> String? { node?[key]?.text ?? map[key]?.fallback }

  package func texts(_ key: String) -> [String]? {
    if let items = node?[key]?.items { return items.compactMap(\.text) }
    guard let key = map[key], let fallback = key.fallback else { return nil }
    let node = try? ConfigValue.node(fallback, key.type, from: .builtIn)
    return node?.items?.compactMap(\.text)
  }

  package func required<Value>(
    _ key: String, _ read: (String) -> Value?
  ) throws(SyncError) -> Value {
    guard let value = text(key).flatMap(read) else { throw unreadable(key) }
    return value
  }

  package func optional<Value>(
    _ key: String, _ read: (String) -> Value?
  ) throws(SyncError) -> Value? {
    text(key) == nil ? nil : try required(key, read)
  }

  package func path(_ key: String) throws(SyncError) -> String {
    guard let value = node?[key], let text = value.text else { throw unreadable(key) }
    return try paths.absolute(text, from: value.origin)
  }

  package func secret(_ key: String) throws(SyncError) -> Secret {
    guard let value = node?[key] else { throw unreadable(key) }
    if let text = value.text { return .text(text) }
    let inner = ConfigReader(node: value, map: ConfigSchema.secret, paths: paths)
    if let command = inner.texts("command") { return .command(command) }
    if inner.says("file") { return .file(try inner.path("file")) }
    if let name = inner.text("env") { return .environment(name) }
    if let name = inner.text("credential") { return .credential(name) }
    if let name = inner.text("keyring") { return .keyring(name) }
    throw unreadable(key)
  }

  private func unreadable(_ key: String) -> SyncError {
    let place = node?[key]?.origin ?? node?.origin ?? .builtIn
    return .invalidConfiguration([ConfigProblem(place, "'\(key)' is missing or cannot be read")])
  }
}
