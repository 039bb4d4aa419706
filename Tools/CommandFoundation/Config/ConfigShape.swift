/// Checks one layer of the configuration against the table of keys: names, kinds and single values.
///
/// What needs the other layers as well (whether a named remote exists, whether a required key is
/// there) is ``ConfigRules``' business.
package struct ConfigShape {
  private(set) var problems: [ConfigProblem] = []

  /// All that is wrong with a layer, in the order it was written.
  package static func problems(in root: ConfigNode) -> [ConfigProblem] {
    var shape = ConfigShape()
    shape.check(root, .map(ConfigSchema.root), [])
    return shape.problems
  }

  private mutating func check(_ node: ConfigNode, _ type: ConfigType, _ path: [String]) {
    switch type {
    case .map(let map): checkMap(node, map, path)
    case .named(let type, let kind): checkNamed(node, type, kind, path)
    case .secret(let orText): checkSecret(node, orText: orText, path)
    case .any: break
    case .list(let element):
      guard let items = node.items else {
        report(
          node, "\(shown(path)) must be a list, not \(node.kind)",
          hint: node.text.flatMap {
            $0.isEmpty ? nil : "write [\(Sanitized.line(element.shown($0)))]"
          })
        return
      }
      for item in items { checkSingle(item, element, path) }
    default: checkSingle(node, type, path)
    }
  }

  private mutating func checkMap(_ node: ConfigNode, _ map: ConfigMap, _ path: [String]) {
    if node.isAbsent { return }
    guard let entries = node.entries else {
      let place = path.isEmpty ? "the configuration" : shown(path)
      report(node, "\(place) must be a map, not \(node.kind)")
      return
    }
    var chosen: String?
    for entry in entries {
      guard let key = map[entry.key] else {
        let inside = path.isEmpty ? "" : " in \(shown(path))"
        problems.append(
          ConfigProblem(
            entry.origin, "unknown key '\(Sanitized.line(entry.key))'\(inside)",
            hint: suggestion(for: entry.key, in: map)))
        continue
      }
      if map.alternatives.contains(key.name) {
        if let chosen {
          problems.append(
            ConfigProblem(entry.origin, "\(shown(path)) has both '\(chosen)' and '\(key.name)'"))
        }
        chosen = key.name
      }
      check(entry.value, key.type, path + [key.name])
    }
  }

  private mutating func checkNamed(
    _ node: ConfigNode, _ type: ConfigType, _ kind: ConfigName, _ path: [String]
  ) {
    if node.isAbsent { return }
    guard let entries = node.entries else {
      report(node, "\(shown(path)) must be a map of names, not \(node.kind)")
      return
    }
    for entry in entries {
      let name = Sanitized.line(entry.key)
      if kind == .domain, !ConfigSchema.domains.contains(entry.key) {
        problems.append(
          ConfigProblem(
            entry.origin, "unknown domain '\(name)'",
            hint: NearestName.hint(for: entry.key, among: ConfigSchema.domains)
              ?? "the domains are \(ConfigSchema.domains.joined(separator: ", "))"))
      } else if !ConfigText.isName(entry.key) {
        problems.append(
          ConfigProblem(
            entry.origin, "'\(name)' cannot be the name of a \(kind.rawValue)",
            hint: "a name has letters, digits, - and _, at most 64 of them"))
      } else {
        check(entry.value, type, path + [entry.key])
        if kind == .domain { checkOwn(entry, type, path) }
      }
    }
  }

  /// Refuses keys of another domain.
  private mutating func checkOwn(_ domain: ConfigEntry, _ type: ConfigType, _ path: [String]) {
    guard case .map(let map) = type else { return }
    for entry in domain.value.entries ?? [] {
      guard let key = map[entry.key], !key.only.isEmpty, !key.only.contains(domain.key) else {
        continue
      }
      problems.append(
        ConfigProblem(
          entry.origin, "'\(key.name)' does not go with the domain '\(domain.key)'",
          hint: "it goes with \(key.only.joined(separator: ", "))"))
    }
  }

  private mutating func checkSecret(_ node: ConfigNode, orText: Bool, _ path: [String]) {
    let ways = ConfigSchema.secret.keys.map(\.name).joined(separator: ", ")
    guard let entries = node.entries else {
      if orText, node.text != nil, !node.isAbsent { return }
      report(
        node, "\(shown(path)) is a secret and is never written into the configuration",
        hint: "write a map with one of \(ways)")
      return
    }
    if entries.isEmpty {
      report(node, "\(shown(path)) needs exactly one of \(ways)")
    }
    checkMap(node, ConfigSchema.secret, path)
  }

  private mutating func checkSingle(_ node: ConfigNode, _ type: ConfigType, _ path: [String]) {
    guard let text = node.text else {
      report(node, "\(shown(path)) must be \(type.expectation), not \(node.kind)")
      return
    }
    guard !text.isEmpty else {
      report(node, "\(shown(path)) must be \(type.expectation), not empty")
      return
    }
    guard !type.accepts(text) else { return }
    if case .url = type, ConfigText.hasCredentials(text) {
      report(
        node, "\(shown(path)) contains a user or password", hint: "a secret has a key of its own")
    } else {
      report(
        node,
        "\(shown(path)) must be \(type.expectation), not '\(Sanitized.line(type.shown(text)))'",
        hint: type.suggestion(for: text))
    }
  }

  private mutating func report(_ node: ConfigNode, _ message: String, hint: String? = nil) {
    problems.append(ConfigProblem(node.origin, message, hint: hint))
  }

  private func shown(_ path: [String]) -> String { "'\(path.joined(separator: "."))'" }

  /// The nearest key of this map, or the place elsewhere where a key of just this name belongs.
  private func suggestion(for key: String, in map: ConfigMap) -> String? {
    if let hint = NearestName.hint(for: key, among: map.keys.map(\.name)) { return hint }
    let path = ConfigSchema.paths.first { $0.last == key }
    if let path { return "'\(key)' belongs under '\(path.dropLast().joined(separator: "."))'" }
    return "the keys here are \(map.keys.map(\.name).joined(separator: ", "))"
  }

  package init() {}
}
