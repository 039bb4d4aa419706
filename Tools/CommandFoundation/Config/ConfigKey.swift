/// One key of the configuration: the row that validation, suggestions, `config get` and `set`, the
/// help page and the JSON Schema are all made from.
package struct ConfigKey: Sendable {
  package var name: String
  package var type: ConfigType
  /// What it is for, as a sentence without full stop.
  package var summary: String
  /// The value when nothing is set, as it would be written in the file.
  package var fallback: String?
  /// Whether its map is incomplete without it.
  package var isRequired = false
  /// The kinds of map it belongs to, by the value of their ``ConfigMap/discriminator``; empty for all.
  package var only: [String] = []
  /// Whether an environment variable can set it.
  package var isInEnvironment = true

  package init(
    _ name: String, _ type: ConfigType, _ summary: String, fallback: String? = nil,
    required: Bool = false, only: [String] = [], inEnvironment: Bool = true
  ) {
    self.name = name
    self.type = type
    self.summary = summary
    self.fallback = fallback
    self.isRequired = required
    self.only = only
    self.isInEnvironment = inEnvironment
  }
}

/// What a key may hold.
package indirect enum ConfigType: Sendable {
  case text
  case path
  /// `http://` or `https://`, without a password in it.
  case url
  /// `host:port` or `unix:/path`.
  case address
  /// The SHA-256 of a certificate.
  case fingerprint
  /// A proxy's address, which may hold a user and a password; those are never shown.
  case proxy
  case flag
  case whole(ClosedRange<Int>)
  case duration(atLeast: Duration)
  case percent
  /// A number of bytes, such as `1MiB`.
  case bytes
  case choice([String])
  /// The name of something configured elsewhere, or of a domain.
  case name(of: ConfigName)
  /// Several single values of one type.
  case list(ConfigType)
  /// A map that says where a secret is; plain text is accepted only where that is no secret.
  case secret(orText: Bool)
  case map(ConfigMap)
  /// A map whose keys are names that the user chooses, or those of the domains.
  case named(ConfigType, by: ConfigName)
}

/// A map with known keys.
package struct ConfigMap: Sendable {
  package var keys: [ConfigKey]
  /// The key whose value decides which of the others are allowed.
  package var discriminator: String?
  /// Keys of which only one may be given.
  package var alternatives: [String] = []

  package init(keys: [ConfigKey], discriminator: String? = nil, alternatives: [String] = []) {
    self.keys = keys
    self.discriminator = discriminator
    self.alternatives = alternatives
  }

  package subscript(name: String) -> ConfigKey? { keys.first { $0.name == name } }
}

/// What kind of thing a name is the name of.
package enum ConfigName: String, Sendable {
  case remote, domain, job, hook, group, track

  /// The part of the configuration that gives such names, nil where the names are not ours to check.
  package var section: String? {
    switch self {
    case .remote: "remotes"
    case .job: "jobs"
    case .hook: "hooks"
    case .domain, .group, .track: nil
    }
  }
}
