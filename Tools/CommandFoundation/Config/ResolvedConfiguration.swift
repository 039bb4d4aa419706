import SyncKit

/// The configuration in force, with the origin of each of its values.
package struct ResolvedConfiguration: Sendable {
  /// The typed values.
  package let values: Configuration
  /// Every setting that was made or that has a fallback, in the order of the table.
  package let settings: [Setting]
  /// The files that were read, lowest layer first.
  package let files: [String]

  /// One value and its origin.
  package struct Setting: Sendable {
    package var path: ConfigPath
    package var type: ConfigType
    package var value: ConfigNode

    package init(path: ConfigPath, type: ConfigType, value: ConfigNode) {
      self.path = path
      self.type = type
      self.value = value
    }
    package var origin: ConfigOrigin { value.origin }
  }

  /// Takes checked layers apart.
  ///
  /// - Throws: ``SyncError`` `config.invalid` for a path that needs a home folder where there is none.
  package init(_ result: ConfigLoader.Result, paths: PathExpansion) throws(SyncError) {
    values = try Configuration(ConfigReader(result.root, paths: paths))
    settings = Self.settings(in: result.root, .map(ConfigSchema.root), [])
    files = result.files
  }

  /// The setting at a path, nil when it has neither a value nor a fallback.
  package func setting(at path: ConfigPath) -> Setting? { settings.first { $0.path == path } }

  private static func settings(
    in node: ConfigNode?, _ type: ConfigType, _ path: [String], of name: String? = nil
  ) -> [Setting] {
    switch type {
    case .map(let map):
      let kind = map.discriminator.flatMap { node?[$0]?.text } ?? name
      return map.keys.flatMap { key -> [Setting] in
        if let name, !key.only.isEmpty, !key.only.contains(name) { return [] }
        let inner = path + [key.name]
        if let value = node?[key.name] { return settings(in: value, key.type, inner) }
        if case .map = key.type { return settings(in: nil, key.type, inner) }
        guard let fallback = key.fallback,
          key.only.isEmpty || kind.map(key.only.contains) == true,
          let value = try? ConfigValue.node(fallback, key.type, from: .builtIn)
        else { return [] }
        return [Setting(path: ConfigPath(inner), type: key.type, value: value)]
      }
    case .named(let type, let kind):
      return (node?.entries ?? []).flatMap {
        settings(in: $0.value, type, path + [$0.key], of: kind == .domain ? $0.key : nil)
      }
    default:
      guard let node else { return [] }
      return [Setting(path: ConfigPath(path), type: type, value: node)]
    }
  }
}
