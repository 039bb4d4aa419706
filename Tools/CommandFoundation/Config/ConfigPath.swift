import SyncKit

/// The path of a setting, such as `domains.airports.debounce`.
package struct ConfigPath: Hashable, Sendable, CustomStringConvertible {
  package var parts: [String]

  package init(_ parts: [String]) { self.parts = parts }

  /// Reads a path as the command line has it, without asking whether there is such a key.
  package init(_ text: String) {
    parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  package var description: String { parts.joined(separator: ".") }
}

extension ConfigSchema {
  /// The row of the table that a path leads to.
  ///
  /// A name that the user chooses stands for itself; whether something of that name is configured is
  /// not asked.
  /// - Throws: ``SyncError`` `usage` for a path that leads nowhere, with the nearest key.
  package static func key(at path: ConfigPath) throws(SyncError) -> ConfigKey {
    var key = ConfigKey("", .map(root), "The whole configuration")
    for (depth, part) in path.parts.enumerated() {
      guard let next = child(part, of: key) else {
        let shown = Sanitized.line(path.description)
        throw SyncError(
          .usage, "there is no setting '\(shown)'",
          hint: suggestion(for: part, in: key.type, after: path.parts.prefix(depth)))
      }
      key = next
    }
    return key
  }

  /// Every path that the table allows, in its order; `*` stands for a name the user chooses.
  package static let paths: [[String]] = paths(in: .map(root))

  private static func child(_ part: String, of key: ConfigKey) -> ConfigKey? {
    switch key.type {
    case .map(let map): map[part]
    case .secret: secret[part]
    case .named(let type, by: .domain):
      domains.contains(part) ? ConfigKey(part, type, key.summary) : nil
    case .named(let type, _):
      ConfigText.isName(part) ? ConfigKey(part, type, key.summary) : nil
    default: nil
    }
  }

  private static func suggestion(
    for part: String, in type: ConfigType, after prefix: some Collection<String>
  ) -> String? {
    let names: [String] =
      switch type {
      case .map(let map): map.keys.map(\.name)
      case .secret: secret.keys.map(\.name)
      case .named(_, by: .domain): domains
      default: []
      }
    guard let name = NearestName.to(part, among: names) else {
      return names.isEmpty ? nil : "known: \(names.joined(separator: ", "))"
    }
    return "did you mean '\(ConfigPath(prefix + [name]))'?"
  }

  private static func paths(in type: ConfigType) -> [[String]] {
    switch type {
    case .map(let map):
      map.keys.flatMap { key in [[key.name]] + paths(in: key.type).map { [key.name] + $0 } }
    case .named(let type, _): [["*"]] + paths(in: type).map { ["*"] + $0 }
    default: []
    }
  }
}
