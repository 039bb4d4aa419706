import SyncKitFormats

extension ResolvedConfiguration.Setting {
  /// The value as a person reads it: lists with commas, secrets hidden.
  package var shown: String { Self.text(redacted) }

  /// The setting as a record of `cloudsync.config/1`.
  package var record: JSONObject {
    [
      "key": .string(path.description), "value": Self.json(redacted, type),
      "origin": .string(origin.description),
    ]
  }

  /// The value without what must not be seen.
  private var redacted: ConfigNode {
    guard case .secret = type else { return Self.withoutCredentials(value, type) }
    let hidden = "(hidden)"
    guard let entries = value.entries else { return .text(hidden, from: value.origin) }
    let places = entries.map {
      ConfigEntry(key: $0.key, origin: $0.origin, value: .text(hidden, from: $0.origin))
    }
    return .map(places, from: value.origin)
  }

  private static func withoutCredentials(_ node: ConfigNode, _ type: ConfigType) -> ConfigNode {
    switch (node.content, type) {
    case (.scalar(let text, _), _):
      let shown = type.shown(text)
      return shown == text ? node : .text(shown, from: node.origin)
    case (.list(let items, _), .list(let element)):
      return .list(items.map { withoutCredentials($0, element) }, from: node.origin)
    default: return node
    }
  }

  private static func text(_ node: ConfigNode) -> String {
    switch node.content {
    case .scalar(let text, _): text
    case .list(let items, _): items.map(text).joined(separator: ", ")
    case .map(let entries, _):
      entries.map { "\($0.key): \(text($0.value))" }.joined(separator: ", ")
    }
  }

  private static func json(_ node: ConfigNode, _ type: ConfigType) -> JSON {
    switch node.content {
    case .scalar(let text, _):
      switch type {
      case .flag: ConfigText.flag(text).map { .bool($0) } ?? .string(text)
      case .whole: ConfigText.whole(text).map { .int(Int64($0)) } ?? .string(text)
      default: .string(text)
      }
    case .list(let items, _): .array(items.map { json($0, .text) })
    case .map(let entries, _):
      .object(JSONObject(entries.map { ($0.key, json($0.value, .text)) }))
    }
  }
}

extension ConfigType {
  /// A single value without secrets: an address without the user and the password in it.
  package func shown(_ text: String) -> String {
    if case .proxy = self { return ConfigText.hidingCredentials(ofProxy: text) }
    return ConfigText.hidingCredentials(text)
  }
}
