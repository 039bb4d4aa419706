/// One key of the configuration: the row that validation, suggestions, `config get` and `set`, the
/// help page and the JSON Schema are all made from.
public struct ConfigKey: Sendable {
  /// What is written before the colon.
  public var name: String
  /// What it may hold.
  public var type: ConfigType
  /// What it is for, as a sentence without full stop.
  public var summary: String
  /// The value when nothing is set, as it would be written in the file.
  public var fallback: String?
  /// Whether its map is incomplete without it.
  public var isRequired = false
  /// The kinds of map it belongs to, by the value of their ``ConfigMap/discriminator``; empty for all.
  public var only: [String] = []
  /// Whether an environment variable can set it.
  public var isInEnvironment = true

  /// Makes a row.
  ///
  /// - Parameters:
  ///   - name: What is written before the colon: small letters, digits and `-`.
  ///   - type: What it may hold.
  ///   - summary: What it is for, as a sentence without full stop.
  ///   - fallback: The value when nothing is set, as it would be written in the file.
  ///   - required: Whether its map is incomplete without it.
  ///   - only: The kinds of map it belongs to; a registration leaves it empty.
  ///   - inEnvironment: Whether an environment variable can set it.
  public init(
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
public indirect enum ConfigType: Sendable {
  /// Any text.
  case text
  /// A path; relative ones are those of the file that says them.
  case path
  /// `http://` or `https://`, without a password in it.
  case url
  /// `host:port` or `unix:/path`.
  case address
  /// The SHA-256 of a certificate.
  case fingerprint
  /// A proxy's address, which may hold a user and a password; those are never shown.
  case proxy
  /// `true` or `false`.
  case flag
  /// A whole number in a range.
  case whole(ClosedRange<Int>)
  /// A duration such as `15m`.
  case duration(atLeast: Duration)
  /// A percentage such as `20%`.
  case percent
  /// A number of bytes, such as `1MiB`.
  case bytes
  /// One of some words.
  case choice([String])
  /// The name of something configured elsewhere, or of a domain.
  case name(of: ConfigName)
  /// Several single values of one type.
  case list(ConfigType)
  /// A map that says where a secret is; plain text is accepted only where that is no secret.
  case secret(orText: Bool)
  /// A map with known keys.
  case map(ConfigMap)
  /// A map whose keys are names that the user chooses, or those of the domains.
  case named(ConfigType, by: ConfigName)
  /// Whatever another program reads there.
  case any
}

/// A map with known keys.
public struct ConfigMap: Sendable {
  /// Its keys, in the order in which they are shown.
  public var keys: [ConfigKey]
  /// The key whose value decides which of the others are allowed.
  public var discriminator: String?
  /// Keys of which only one may be given.
  public var alternatives: [String] = []

  /// Makes a map.
  public init(keys: [ConfigKey], discriminator: String? = nil, alternatives: [String] = []) {
    self.keys = keys
    self.discriminator = discriminator
    self.alternatives = alternatives
  }

  /// The key of a name.
  public subscript(name: String) -> ConfigKey? { keys.first { $0.name == name } }
}

/// What kind of thing a name is the name of.
public enum ConfigName: String, Sendable {
  /// A remote, a domain, a job, a hook, a group of fields, or a file.
  case remote, domain, job, hook, group, file

  /// The part of the configuration that gives such names, nil where the names are not ours to check.
  package var section: String? {
    switch self {
    case .remote: "remotes"
    case .job: "jobs"
    case .hook: "hooks"
    case .domain, .group, .file: nil
    }
  }
}
