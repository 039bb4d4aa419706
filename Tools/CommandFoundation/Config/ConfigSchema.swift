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

  /// Where the five ways to reach a secret are said.
  package static let secret = ConfigMap(
    keys: [
      ConfigKey("command", .list(.text), "A program and its arguments, run without a shell"),
      ConfigKey("file", .path, "A file whose first line is the secret"),
      ConfigKey("env", .text, "An environment variable"),
      ConfigKey("credential", .text, "A credential passed by systemd"),
      ConfigKey("keyring", .text, "An entry of the system's keyring"),
    ],
    alternatives: ["command", "file", "env", "credential", "keyring"])

  package static let root = ConfigMap(keys: [
    ConfigKey(
      "version", .whole(1...1), "The version of this format", fallback: "1", inEnvironment: false),
    ConfigKey("device", .map(device), "This device"),
    ConfigKey(
      "defaults", .map(ConfigMap(keys: pace(isDefault: true))), "Defaults for all domains"),
    ConfigKey(
      "remotes", isOfAnother ? .any : .named(.map(remote), by: .remote),
      "The remotes, by name", inEnvironment: !isOfAnother),
    ConfigKey(
      "domains", isOfAnother ? .any : .named(.map(domain), by: .domain),
      "The domains to sync, and their remotes", inEnvironment: !isOfAnother),
    ConfigKey("jobs", .named(.map(job), by: .job), "Domains to sync together, and how often"),
    ConfigKey("hooks", .named(.map(hook), by: .hook), "Services and programs to notify"),
    ConfigKey("backup", .map(backup), "The backups of this device"),
    ConfigKey("vault", .map(vault), "The keys with which remotes are encrypted"),
    ConfigKey("server", .map(server), "The server on this machine, if there is one"),
    ConfigKey("web", .map(web), "The pages that 'cloudsync web' shows in a browser"),
  ])

  private static let device = ConfigMap(keys: [
    ConfigKey("name", .text, "This device's name on other devices; the host name if unset")
  ])

  private static let remote = ConfigMap(
    keys: {
      let kinds = plugIns?.remotes ?? []
      var keys = [
        ConfigKey("type", .choice(kinds.map(\.type)), "The kind of remote", required: true)
      ]
      for kind in kinds { keys.add(kind.keys, only: kind.type) }
      return keys + [
        ConfigKey(
          "encrypted", .flag,
          "Whether everything is encrypted that is stored there; 'cloudsync init' writes it"),
        ConfigKey("quota", .map(quota), "How much to store there at most; no limit if unset"),
      ]
    }(),
    discriminator: "type")

  private static let quota = ConfigMap(keys: [
    ConfigKey("bytes", .bytes, "The most bytes, for all domains together"),
    ConfigKey("keys", .whole(1...Int(Int32.max)), "The most segments, each a key on the remote"),
  ])

  private static let domain = ConfigMap(
    keys: {
      var keys = [
        ConfigKey("remote", .name(of: .remote), "The one remote it syncs with"),
        ConfigKey("remotes", .list(.name(of: .remote)), "The remotes it syncs with"),
        ConfigKey("enabled", .flag, "Whether to sync it", fallback: "true"),
        ConfigKey(
          "layout", .choice(["segments", "document", "lists"]), "How a folder stores it",
          fallback: "segments"),
        ConfigKey(
          "rebase", .named(.choice(["merge", "remoteWins", "localWins"]), by: .group),
          "Which of two concurrent edits wins, by group of fields"),
        ConfigKey(
          "include", .list(.text),
          "Patterns of records to sync: ids of records that can be shared, or names that the domain defines"
        ),
        ConfigKey(
          "exclude", .list(.text), "Patterns of records to keep on this device; wins over include"),
      ]
      for domain in plugIns?.domains ?? [] { keys.add(domain.keys, only: domain.name) }
      return keys + pace(isDefault: false)
    }(),
    alternatives: ["remote", "remotes"])

  private static let job = ConfigMap(keys: [
    ConfigKey("domains", .list(.name(of: .domain)), "The domains it syncs", required: true),
    ConfigKey(
      "remotes", .list(.name(of: .remote)),
      "The remotes it syncs with; all of each domain's if unset"),
    ConfigKey("every", .duration(atLeast: .seconds(1)), "How often a timer runs it"),
  ])

  private static let hook = ConfigMap(
    keys: [
      ConfigKey(
        "kind", .choice(["healthchecks", "ntfy", "uptime-kuma", "webhook", "command"]),
        "The kind of hook", required: true),
      ConfigKey(
        "when",
        .list(
          .choice([
            "before", "after", "start", "success", "failure", "conflict", "stale", "recovery",
          ])),
        "The events that trigger it", fallback: "[failure]"),
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
      ConfigKey("send-log", .flag, "Whether to send it the log as well", fallback: "false"),
      ConfigKey("required", .flag, "Whether its failure fails the job", fallback: "false"),
    ],
    discriminator: "kind")

  private static let backup = ConfigMap(keys: [
    ConfigKey(
      "passphrase", .secret(orText: false),
      "The passphrase that encrypts and opens backups; asked for if unset")
  ])

  private static let vault = ConfigMap(keys: [
    ConfigKey(
      "passphrase", .secret(orText: false),
      "The passphrase with which this device joins an encrypted remote that has one")
  ])

  /// Where the server keeps large bodies.
  static let serverBlobs = [
    ConfigKey(
      "blobs", .text,
      "The bucket of an S3 service for large bodies, such as s3://bucket/prefix; in the database if unset; no keys"
    ),
    ConfigKey(
      "blobs-from", .bytes, "The size from which on a body is large", fallback: "64KiB"),
    ConfigKey(
      "blobs-region", .text, "The bucket's region; from the profile if unset, else us-east-1"),
    ConfigKey("blobs-profile", .text, "The profile of the AWS tools whose keys to use"),
    ConfigKey("blobs-access-key", .text, "The access key of the bucket, which is no secret"),
    ConfigKey("blobs-secret-key", .secret(orText: false), "The secret key of the bucket"),
    ConfigKey(
      "blobs-ca-file", .path, "Certificates in PEM to trust for the bucket in place of the system's"
    ),
    ConfigKey(
      "blobs-allow-cleartext", .flag, "Whether to allow http:// to another machine for the bucket",
      fallback: "false"),
  ]

  private static let server = ConfigMap(
    keys: [
      ConfigKey("listen", .address, "The address to listen at", fallback: "127.0.0.1:8765"),
      ConfigKey("url", .url, "Its public address, for invitations"),
      ConfigKey("data", .path, "Its data folder; 'server' in the data folder if unset"),
      ConfigKey(
        "store", .text,
        "The PostgreSQL database that it uses instead of a folder, such as postgres://host/name; no password"
      ),
      ConfigKey(
        "store-session", .text,
        "The address of PostgreSQL itself, if 'store' is a pooler in transaction mode; no password"),
    ] + serverBlobs + [
      ConfigKey("tls-cert", .path, "Its certificate with the chain, PEM"),
      ConfigKey("tls-key", .path, "The key of the certificate, PEM"),
      ConfigKey(
        "trusted-proxy", .flag, "Whether only an encrypting proxy can reach it", fallback: "false"),
      ConfigKey(
        "proxies", .list(.text), "The addresses of the proxies, if others can reach it too"),
      ConfigKey(
        "auth", .choice(["token", "none"]), "How callers authenticate; none only on this machine",
        fallback: "token"),
      ConfigKey("metrics", .address, "The address for Prometheus metrics; none if unset"),
    ])

  private static let web = ConfigMap(keys: [
    ConfigKey("port", .whole(0...65_535), "The port of 127.0.0.1; 0 for a free one", fallback: "0"),
    ConfigKey(
      "idle", .duration(atLeast: .seconds(1)), "After how long without use they end",
      fallback: "1h"),
  ])

  /// The keys that a domain may say for itself and otherwise takes from `defaults`.
  private static func pace(isDefault: Bool) -> [ConfigKey] {
    func key(_ name: String, _ type: ConfigType, _ summary: String, _ value: String) -> ConfigKey {
      ConfigKey(name, type, summary, fallback: isDefault ? value : nil)
    }
    return [
      key(
        "debounce", .duration(atLeast: .zero), "How long to wait for more edits before a push",
        "500ms"),
      key("min-interval", .duration(atLeast: .zero), "The shortest time between two runs", "1s"),
      key("poll", .duration(atLeast: .seconds(1)), "How often a watcher polls a remote", "30s"),
      key("max-delete", .percent, "How much a pull may delete before it is stopped", "20%"),
      key(
        "stale-after", .duration(atLeast: .zero),
        "When a domain without a successful sync counts as stale", "7d"),
      key(
        "keep-history", .duration(atLeast: .zero),
        "How long this device keeps old changes, for history, undo and restore --at; 0s keeps them only as long as sync needs them",
        "400d"),
    ]
  }
}
