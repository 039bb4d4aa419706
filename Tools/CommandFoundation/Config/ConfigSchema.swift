/// Every key of the configuration, as a table.
package enum ConfigSchema {
  private static let plugIns = Program.current.plugIns?()

  /// Whether this program reads the configuration of another one, whose domains and remotes it does not know.
  package static var isOfAnother: Bool { plugIns == nil }

  /// The domains of this program.
  package static let domains = plugIns?.domains.map(\.name) ?? []

  /// Those whose records all live in one zone, so that none of them can stay behind.
  package static let domainsWithoutPatterns = Set(
    (plugIns?.domains ?? []).filter { !$0.hasPatterns }.map(\.name))

  /// The keys that only one domain has.
  package static func ownKeys(ofDomain name: String) -> [ConfigKey] {
    plugIns?.domains.first { $0.name == name }?.keys ?? []
  }

  /// The kinds of remotes of this program.
  package static var remoteTypes: [String] { plugIns?.remotes.map(\.type) ?? [] }

  /// The keys that only one kind of remote has, in the order of the table.
  package static func ownKeys(ofRemote type: String) -> [ConfigKey] {
    plugIns?.remotes.first { $0.type == type }?.keys ?? []
  }

  /// Where the four ways to reach a secret are said.
  package static let secret = ConfigMap(
    keys: [
      ConfigKey("command", .list(.text), "A program and its arguments, run without a shell"),
      ConfigKey("file", .path, "A file whose first line is the secret"),
      ConfigKey("env", .text, "An environment variable"),
      ConfigKey("credential", .text, "A credential that systemd hands over"),
    ],
    alternatives: ["command", "file", "env", "credential"])

  package static let root = ConfigMap(keys: [
    ConfigKey(
      "version", .whole(1...1), "The version of this format", fallback: "1", inEnvironment: false),
    ConfigKey("device", .map(device), "This device"),
    ConfigKey(
      "defaults", .map(ConfigMap(keys: pace(isDefault: true))), "What holds for all domains"),
    ConfigKey(
      "remotes", isOfAnother ? .any : .named(.map(remote), by: .remote),
      "Where data is kept, by name", inEnvironment: !isOfAnother),
    ConfigKey(
      "domains", isOfAnother ? .any : .named(.map(domain), by: .domain),
      "What is synced, and with which remotes", inEnvironment: !isOfAnother),
    ConfigKey("jobs", .named(.map(job), by: .job), "What is synced together, and how often"),
    ConfigKey("hooks", .named(.map(hook), by: .hook), "Who is told about it"),
    ConfigKey("server", .map(server), "The server of this machine, if it is one"),
  ])

  private static let device = ConfigMap(keys: [
    ConfigKey("name", .text, "What other devices call this one; the host name if unset")
  ])

  private static let remote = ConfigMap(
    keys: {
      let kinds = plugIns?.remotes ?? []
      var keys = [
        ConfigKey("type", .choice(kinds.map(\.type)), "How it is reached", required: true)
      ]
      for kind in kinds { keys.add(kind.keys, only: kind.type) }
      return keys + [
        ConfigKey("quota", .map(quota), "How much may lie there; no limit of ours if unset")
      ]
    }(),
    discriminator: "type")

  private static let quota = ConfigMap(keys: [
    ConfigKey("bytes", .bytes, "The most bytes, all domains together"),
    ConfigKey("keys", .whole(1...Int(Int32.max)), "The most segments, each a key of the place"),
  ])

  private static let domain = ConfigMap(
    keys: {
      var keys = [
        ConfigKey("remote", .name(of: .remote), "The one remote it syncs with"),
        ConfigKey("remotes", .list(.name(of: .remote)), "The remotes it syncs with"),
        ConfigKey("enabled", .flag, "Whether it is synced at all", fallback: "true"),
        ConfigKey(
          "layout", .choice(["segments", "document"]), "How a folder keeps it",
          fallback: "segments"),
        ConfigKey(
          "rebase", .named(.choice(["merge", "remoteWins", "localWins"]), by: .group),
          "Who wins when an edit meets one it has not seen, for a group of fields"),
        ConfigKey(
          "include", .list(.text),
          "Patterns of what is synced: ids of what is shared as a whole, or names that the domain knows"
        ),
        ConfigKey(
          "exclude", .list(.text), "Patterns of what stays here, likewise; wins over include"),
      ]
      for domain in plugIns?.domains ?? [] { keys.add(domain.keys, only: domain.name) }
      return keys + pace(isDefault: false)
    }(),
    alternatives: ["remote", "remotes"])

  private static let job = ConfigMap(keys: [
    ConfigKey("domains", .list(.name(of: .domain)), "What it syncs", required: true),
    ConfigKey("remotes", .list(.name(of: .remote)), "With which remotes; all of each if unset"),
    ConfigKey("every", .duration(atLeast: .seconds(1)), "How often a timer runs it"),
  ])

  private static let hook = ConfigMap(
    keys: [
      ConfigKey(
        "kind", .choice(["healthchecks", "ntfy", "uptime-kuma", "webhook", "command"]),
        "What it speaks to", required: true),
      ConfigKey(
        "when",
        .list(
          .choice([
            "before", "after", "start", "success", "failure", "conflict", "stale", "recovery",
          ])),
        "What it is told of", fallback: "[failure]"),
      ConfigKey(
        "url", .secret(orText: true), "The address it calls", required: true,
        only: ["healthchecks", "uptime-kuma", "webhook"]),
      ConfigKey(
        "server", .url, "The ntfy server", fallback: "https://ntfy.sh", only: ["ntfy"]),
      ConfigKey(
        "topic", .secret(orText: true), "The ntfy topic", required: true, only: ["ntfy"]),
      ConfigKey(
        "run", .list(.text), "A program and its arguments, run without a shell", required: true,
        only: ["command"]),
      ConfigKey(
        "skip-status", .whole(1...255), "The status with which it skips the job",
        fallback: "75", only: ["command"]),
      ConfigKey("send-log", .flag, "Whether it gets the log as well", fallback: "false"),
      ConfigKey("required", .flag, "Whether its failure fails the job", fallback: "false"),
    ],
    discriminator: "kind")

  private static let server = ConfigMap(keys: [
    ConfigKey("listen", .address, "Where it listens", fallback: "127.0.0.1:8765"),
    ConfigKey("url", .url, "Its address as other people see it, for invitations"),
    ConfigKey("data", .path, "Its data folder; 'server' in the data folder if unset"),
    ConfigKey("tls-cert", .path, "Its certificate with the chain, PEM"),
    ConfigKey("tls-key", .path, "The key of the certificate, PEM"),
    ConfigKey(
      "trusted-proxy", .flag, "Whether only a proxy reaches it, which encrypts", fallback: "false"),
    ConfigKey("proxies", .list(.text), "The addresses of the proxies, where others reach it too"),
    ConfigKey(
      "auth", .choice(["token", "none"]), "How it knows who asks; none only on this machine",
      fallback: "token"),
    ConfigKey("metrics", .address, "Where the numbers for Prometheus are; nowhere if unset"),
  ])

  /// The keys that a domain may say for itself and otherwise takes from `defaults`.
  private static func pace(isDefault: Bool) -> [ConfigKey] {
    func key(_ name: String, _ type: ConfigType, _ summary: String, _ value: String) -> ConfigKey {
      ConfigKey(name, type, summary, fallback: isDefault ? value : nil)
    }
    return [
      key(
        "debounce", .duration(atLeast: .zero), "How long edits may settle before they are pushed",
        "500ms"),
      key("min-interval", .duration(atLeast: .zero), "The shortest time between two runs", "1s"),
      key("poll", .duration(atLeast: .seconds(1)), "How often a watcher looks at a remote", "30s"),
      key("max-delete", .percent, "How much a pull may delete before it is stopped", "20%"),
      key(
        "stale-after", .duration(atLeast: .zero),
        "When a domain without a good sync counts as stale", "7d"),
      key(
        "keep-history", .duration(atLeast: .zero),
        "How long this device keeps old changes, for history, undo and restore --at; 0s for no longer than sync needs them",
        "400d"),
    ]
  }
}
