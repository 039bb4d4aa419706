import CommandFoundation

extension HelpTopic {
  /// What `cloudsync help config` prints.
  static let config = HelpTopic(
    name: "config", summary: "the keys of the configuration file"
  ) { _ in
    let rows = ConfigSchema.paths.compactMap { path -> [ReportTable.Cell]? in
      guard let key = try? ConfigSchema.key(at: ConfigPath(example(path))), key.isSingle else {
        return nil
      }
      let shown = ConfigPath(path.map { $0 == "*" ? "NAME" : $0 }).description
      return [
        ReportTable.Cell(shown), ReportTable.Cell(key.type.name),
        ReportTable.Cell(key.fallback ?? "-"),
        ReportTable.Cell(key.summary + key.type.choices + key.conditions),
      ]
    }
    return Page(sections: [
      Section(
        title: "Keys",
        text: """
          YAML, in the file that `cloudsync config path` prints, and in conf.d/*.yaml next to it.
          NAME is a name of your choice, for domains one of \(ConfigSchema.domains.joined(separator: ", ")).
          A secret is a map with one of command, file, env, credential, keyring; never the secret itself.
          A flag overrides a variable, which overrides the file, which overrides \(Directories.systemConfigFile).
          In a pattern * stands for any characters and ? for one. Keys that exclude matches, or include does not,
          never leave this device; those that have left it before stay where they are.
          """,
        table: ReportTable(
          [
            ReportTable.Column("key"), ReportTable.Column("type"), ReportTable.Column("default"),
            ReportTable.Column("meaning"),
          ], rows: rows)),
      Section(title: "Example", text: example),
    ])
  }

  /// A valid configuration with an example of everything.
  static var example: String {
    let kinds = TransportRegistry.all.map { $0.scheme }
    let remotes = kinds.map { kind in
      let needed = ConfigSchema.ownKeys(ofRemote: kind).filter(\.isRequired)
        .map { ", \($0.name): \(YAMLText.scalar($0.type.example))" }
      return "  \(kind): { type: \(kind)\(needed.joined()) }"
    }
    let names = DomainRegistry.names
    let domains = names.enumerated().map { index, name in
      switch index {
      case 0: "  \(name): { remote: \(kinds.last ?? ""), debounce: 2s }"
      case 1: "  \(name): { remotes: [\(kinds.joined(separator: ", "))] }"
      default: "  \(name): { remote: \(kinds.first ?? ""), enabled: true }"
      }
    }
    return """
      version: 1
      device: { name: laptop }
      defaults: { debounce: 500ms, min-interval: 1s, poll: 30s, max-delete: 20%, stale-after: 7d }
      remotes:
      \(remotes.joined(separator: "\n"))
      domains:
      \(domains.joined(separator: "\n"))
      jobs:
        quick:   { domains: [\(names.joined(separator: ", "))], every: 15m }
        nightly: { domains: [\(names.first ?? "")], every: 1d }
      hooks:
        hc: { kind: healthchecks, url: { file: ~/.config/cloudsync/hc-url }, when: [start, success, failure] }
      backup: { passphrase: { file: ~/.config/cloudsync/backup-passphrase } }
      server: { listen: "127.0.0.1:8765" }
      """
  }
}

extension ConfigKey {
  /// The places where it is required or allowed, to follow its summary.
  fileprivate var conditions: String {
    let needed = isRequired ? "needed" : nil
    let kinds = only.isEmpty ? nil : "for \(only.joined(separator: ", "))"
    let words = [needed, kinds].compactMap { $0 }.joined(separator: " ")
    return words.isEmpty ? "" : " (\(words))"
  }
}

extension ConfigType {
  /// A word or two for a column.
  var name: String {
    switch self {
    case .text: "text"
    case .path: "path"
    case .url, .proxy: "address"
    case .address: "host:port"
    case .fingerprint: "SHA-256"
    case .flag: "true, false"
    case .whole(let range): range.count == 1 ? "\(range.lowerBound)" : "number"
    case .duration: "duration"
    case .percent: "percentage"
    case .bytes: "bytes"
    case .choice: "word"
    case .name(let kind): kind.rawValue
    case .list(let element): "list of \(element.name)s"
    case .secret(let orText): orText ? "secret or text" : "secret"
    case .map, .named: "map"
    case .any: "anything"
    }
  }

  /// The choices, to follow a summary.
  fileprivate var choices: String {
    switch self {
    case .choice(let values): ": \(values.joined(separator: ", "))"
    case .list(let element): element.choices
    default: ""
    }
  }
}
