/// Checks the configuration as a whole, after all layers are laid over one another.
///
/// A problem is reported where the value that is wrong was written, whichever layer that was.
package struct ConfigRules {
  private let root: ConfigNode
  private(set) var problems: [ConfigProblem] = []

  /// All that is wrong with the whole.
  package static func problems(in root: ConfigNode) -> [ConfigProblem] {
    var rules = ConfigRules(root: root)
    rules.check(root, .map(ConfigSchema.root), [], at: root.origin)
    rules.checkPatterns()
    return rules.problems
  }

  private init(root: ConfigNode) { self.root = root }

  private mutating func check(
    _ node: ConfigNode, _ type: ConfigType, _ path: [String], at place: ConfigOrigin
  ) {
    switch type {
    case .map(let map): checkMap(node, map, path, at: place)
    case .secret where node.entries != nil: checkMap(node, ConfigSchema.secret, path, at: place)
    case .named(let type, let kind):
      for entry in node.entries ?? [] {
        if kind == .domain, case .map(let map) = type {
          checkMap(entry.value, map, path + [entry.key], at: entry.origin, of: entry.key)
        } else {
          check(entry.value, type, path + [entry.key], at: entry.origin)
        }
      }
    case .list(let element):
      let items = node.items ?? []
      if items.isEmpty {
        problems.append(ConfigProblem(node.origin, "'\(path.joined(separator: "."))' is empty"))
      }
      var seen: Set<String> = []
      for item in items {
        check(item, element, path, at: item.origin)
        guard case .name = element, let name = item.text else { continue }
        if !seen.insert(name).inserted {
          problems.append(ConfigProblem(item.origin, "'\(Sanitized.line(name))' is listed twice"))
        }
      }
    case .name(let kind): checkName(node, kind)
    default: break
    }
  }

  private mutating func checkMap(
    _ node: ConfigNode, _ map: ConfigMap, _ path: [String], at place: ConfigOrigin,
    of name: String? = nil
  ) {
    let kind = map.discriminator.flatMap { node[$0]?.text } ?? name
    for key in map.keys where key.isRequired && node[key.name] == nil {
      guard key.only.isEmpty || kind.map(key.only.contains) == true else { continue }
      problems.append(
        ConfigProblem(
          place, "'\(path.joined(separator: "."))' needs '\(key.name)'",
          hint: Self.wayIn(path, of: kind, missing: key, beside: node.entries?.map(\.key) ?? [])))
    }
    for entry in node.entries ?? [] {
      guard let key = map[entry.key] else { continue }
      if let kind, let discriminator = map.discriminator, !key.only.isEmpty,
        !key.only.contains(kind)
      {
        let allowed = map.keys.filter { $0.only.contains(kind) }.map(\.name)
        problems.append(
          ConfigProblem(
            entry.origin, "'\(key.name)' does not go with '\(discriminator): \(kind)'",
            hint: allowed.isEmpty ? nil : "\(kind) has \(allowed.joined(separator: ", "))"))
      }
      check(entry.value, key.type, path + [entry.key], at: entry.origin)
    }
  }

  /// How something named is made at once, since none of its keys can stand alone.
  private static func wayIn(
    _ path: [String], of kind: String?, missing key: ConfigKey, beside names: [String]
  ) -> String? {
    guard path.count == 2 else { return nil }
    let way = "set it as a whole: cloudsync config set \(path.joined(separator: "."))"
    guard path[0] == "remotes" else { return "\(way) '{\(key.name): …}'" }
    // What is there already tells what kind is meant.
    let fitting = ConfigSchema.remoteTypes.first { type in
      let known = ConfigSchema.ownKeys(ofRemote: type).map(\.name)
      return names.allSatisfy { known.contains($0) }
    }
    let kind = kind ?? fitting ?? ConfigSchema.remoteTypes.first ?? ""
    let needed = ConfigSchema.ownKeys(ofRemote: kind).filter(\.isRequired).map {
      ", \($0.name): \($0.type.example)"
    }
    return "\(way) '{type: \(kind)\(needed.joined())}', or use 'cloudsync remote add'"
  }

  /// Patterns choose among keys or among whole trees; a domain that has neither would ignore them, and publish
  /// what a person believes to stay.
  private mutating func checkPatterns() {
    for domain in root["domains"]?.entries ?? []
    where ConfigSchema.domainsWithoutPatterns.contains(domain.key) {
      for key in ["include", "exclude"] {
        guard let node = domain.value[key] else { continue }
        problems.append(
          ConfigProblem(
            node.origin, "'\(key)' does not go with the domain '\(domain.key)'",
            hint: "its records are synced together or not at all"))
      }
    }
  }

  private mutating func checkName(_ node: ConfigNode, _ kind: ConfigName) {
    guard let name = node.text else { return }
    let known: [String]
    if ConfigSchema.isOfAnother, kind == .domain || kind == .remote { return }
    if kind == .domain {
      known = ConfigSchema.domains
    } else if let section = kind.section {
      known = root[section]?.entries?.map(\.key) ?? []
    } else {
      return
    }
    guard !known.contains(name) else { return }
    let noun = kind.rawValue
    problems.append(
      ConfigProblem(
        node.origin, "unknown \(noun) '\(Sanitized.line(name))'",
        hint: NearestName.hint(for: name, among: known)
          ?? (known.isEmpty
            ? "no \(noun) is configured" : "known: \(known.joined(separator: ", "))")))
  }
}
