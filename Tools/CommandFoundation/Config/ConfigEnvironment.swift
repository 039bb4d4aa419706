/// The layer of the configuration that comes from environment variables.
///
/// A setting's variable is `CLOUDSYNC_` and its path in upper case, with `_` for `.` and `-`:
/// `CLOUDSYNC_DEFAULTS_STALE_AFTER=3d`. Lists are separated by commas, or written as in YAML.
package enum ConfigEnvironment {
  package static var prefix: String { Program.current.variablePrefix }

  /// Variables that steer the program itself, by what follows the prefix.
  ///
  /// They are no settings, though some begin like one.
  package static let reserved: [(name: String, summary: String)] = [
    ("CONFIG", "The configuration file, like --config"),
    ("PROFILE", "The profile, like --profile"),
    ("DATA_DIR", "The folder of the stores"),
    ("STATE_DIR", "The folder of the run log"),
    ("CACHE_DIR", "The folder of reference data; safe to delete"),
    ("OUTPUT", "table, plain, json, jsonl or csv, like --output"),
    ("COLOR", "auto, always or never, like --color"),
    ("PROGRESS", "auto, always or never, like --progress"),
    ("LOG_FORMAT", "text or json, like --log-format"),
    ("QUIET", "true or 1, like --quiet"),
    ("VERBOSE", "0, 1 or 2, like no option, -v and -vv"),
    ("YES", "true or 1, like --yes"),
    ("NO_INPUT", "true or 1, like --no-input"),
  ]

  /// The settings that the environment makes, as one layer.
  ///
  /// - Parameters:
  ///   - environment: All variables; those without our prefix are left alone.
  ///   - lower: The layers below, for the names of remotes, jobs and hooks that may hold a `-`.
  /// - Returns: The layer, and a problem for each variable that begins like a setting and is none.
  package static func layer(
    from environment: [String: String], over lower: ConfigNode
  ) -> (ConfigNode, [ConfigProblem]) {
    var layer = ConfigNode.map(from: .builtIn)
    var problems: [ConfigProblem] = []
    let ours = environment.keys.filter { $0.hasPrefix(prefix) }.sorted()
    for variable in ours {
      let name = String(variable.dropFirst(prefix.count))
      if reserved.contains(where: { $0.name == name }) { continue }
      guard isSetting(name) else { continue }
      let origin = ConfigOrigin.environment(variable)
      guard let (path, type) = match(name, .map(ConfigSchema.root), lower) else {
        let known = names(in: .map(ConfigSchema.root), lower)
        let hint = NearestName.to(name, among: known).map { "did you mean '\(prefix)\($0)'?" }
        problems.append(ConfigProblem(origin, "no setting has this name", hint: hint))
        continue
      }
      do {
        layer.set(path, to: try ConfigValue.node(environment[variable] ?? "", type, from: origin))
      } catch {
        problems.append(error)
      }
    }
    return (layer, problems)
  }

  /// The variable of a setting.
  package static func variable(for path: ConfigPath) -> String {
    prefix + path.parts.map { words($0) }.joined(separator: "_")
  }

  /// Whether a variable begins like a setting; others with our prefix may be another program's.
  private static func isSetting(_ name: String) -> Bool {
    ConfigSchema.root.keys.contains { $0.isInEnvironment && name.hasPrefix(words($0.name) + "_") }
  }

  private static func words(_ name: String) -> String {
    String(name.uppercased().map { $0 == "-" || $0 == "." ? "_" : $0 })
  }

  /// The path and type of the setting that a variable's words spell.
  private static func match(
    _ text: String, _ type: ConfigType, _ node: ConfigNode?
  ) -> ([String], ConfigType)? {
    switch type {
    case .map(let map):
      for key in map.keys where key.isInEnvironment {
        if let found = match(text, key.name, key.type, node) { return found }
      }
      return nil
    case .secret:
      return match(text, .map(ConfigSchema.secret), node)
    case .named(let type, let kind):
      // Names that exist come first: only they can tell HOME_NAS from home-nas.
      let known = (node?.entries?.map(\.key) ?? []) + (kind == .domain ? ConfigSchema.domains : [])
      for name in known {
        if let found = match(text, name, type, node) { return found }
      }
      guard kind != .domain else { return nil }
      let ends = text.indices.filter { text[$0] == "_" } + [text.endIndex]
      for end in ends {
        let name = String(text[..<end].lowercased().map { $0 == "_" ? "-" : $0 })
        if ConfigText.isName(name), let found = match(text, name, type, node) { return found }
      }
      return nil
    default: return nil
    }
  }

  private static func match(
    _ text: String, _ name: String, _ type: ConfigType, _ node: ConfigNode?
  ) -> ([String], ConfigType)? {
    let word = words(name)
    if text == word {
      if case .map = type { return nil }
      if case .named = type { return nil }
      return ([name], type)
    }
    guard text.hasPrefix(word + "_") else { return nil }
    let rest = String(text.dropFirst(word.count + 1))
    return match(rest, type, node?[name]).map { ([name] + $0, $1) }
  }

  /// Every variable that would name a setting now, for a suggestion.
  private static func names(in type: ConfigType, _ node: ConfigNode?) -> [String] {
    func below(_ name: String, _ type: ConfigType) -> [String] {
      [words(name)] + names(in: type, node?[name]).map { words(name) + "_" + $0 }
    }
    switch type {
    case .map(let map): return map.keys.flatMap { below($0.name, $0.type) }
    case .secret: return ConfigSchema.secret.keys.map { words($0.name) }
    case .named(let type, let kind):
      let known = kind == .domain ? ConfigSchema.domains : node?.entries?.map(\.key) ?? []
      return known.flatMap { below($0, type) }
    default: return []
    }
  }
}
