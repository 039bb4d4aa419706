import SyncKit

/// The values of a domain's or a transport's own keys in the configuration, with paths made absolute.
///
/// Two are equal when the same keys are set to the same values, whatever was left to a fallback.
public struct ConfigValues: Hashable, Sendable {
  package enum Value: Hashable, Sendable {
    case text(String)
    case texts([String])
    case secret(Secret)
    case map(ConfigValues)
    case named([Named])
  }

  /// A map under a name that the user has chosen.
  package struct Named: Hashable, Sendable {
    package var name: String
    package var values: ConfigValues
  }

  package private(set) var said: [String: Value]
  private var fallbacks: [String: Value] = [:]

  package init(said: [String: Value]) { self.said = said }

  /// Makes values of single texts, such as those that a URL holds.
  public init(_ texts: [String: String] = [:]) { said = texts.mapValues { .text($0) } }

  public static func == (left: ConfigValues, right: ConfigValues) -> Bool {
    left.said == right.said
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(said) }

  // MARK: Reading

  /// Whether a key was set.
  public func says(_ key: String) -> Bool { said[key] != nil }

  /// A single value as text, else its fallback; nil without both.
  public func text(_ key: String) -> String? {
    if case .text(let text) = said[key] ?? fallbacks[key] { text } else { nil }
  }

  /// The elements of a list, else of its fallback; nil without both.
  public func texts(_ key: String) -> [String]? {
    if case .texts(let texts) = said[key] ?? fallbacks[key] { texts } else { nil }
  }

  /// Whether a key of the type ``ConfigType/flag`` says true.
  public func flag(_ key: String) -> Bool { text(key).flatMap(ConfigText.flag) ?? false }

  /// The number that a key of the type ``ConfigType/whole(_:)`` says.
  public func whole(_ key: String) -> Int? { text(key).flatMap(ConfigText.whole) }

  /// The values of a map; all of them fallbacks when it is not set.
  public func map(_ key: String) -> ConfigValues {
    if case .map(let values) = said[key] ?? fallbacks[key] { values } else { ConfigValues() }
  }

  /// The maps under names that the user has chosen, in the order of the file.
  public func named(_ key: String) -> [(name: String, values: ConfigValues)] {
    if case .named(let entries) = said[key] { entries.map { ($0.name, $0.values) } } else { [] }
  }

  /// Fetches a secret from where the configuration says that it is.
  ///
  /// - Parameters:
  ///   - key: The key, of the type ``ConfigType/secret(orText:)``.
  ///   - variables: All variables of the environment.
  /// - Returns: Its first line; nil when it is not set.
  /// - Throws: ``SyncError`` `config.invalid` when it is not there or is empty; the message never holds it.
  public func readSecret(
    _ key: String, variables: [String: String]
  ) throws(SyncError) -> String? {
    try secret(key)?.read(environment: variables)
  }

  package func secret(_ key: String) -> Secret? {
    if case .secret(let secret) = said[key] { secret } else { nil }
  }

  /// Sets another value for a key.
  package mutating func set(_ key: String, to value: Value) { said[key] = value }
}

extension ConfigValues {
  /// Takes the values of some keys from the checked layers.
  ///
  /// - Throws: ``SyncError`` `config.invalid`.
  package init(_ reader: ConfigReader, _ keys: [ConfigKey]) throws(SyncError) {
    self.init(said: [:])
    for key in keys {
      let isSaid = reader.says(key.name)
      switch key.type {
      case .map(let map):
        let values = try ConfigValues(reader.map(key.name), map.keys)
        if isSaid { said[key.name] = .map(values) } else { fallbacks[key.name] = .map(values) }
      case .named(.map(let map), _) where isSaid:
        said[key.name] = .named(
          try reader.named(key.name).map { entry throws(SyncError) in
            Named(name: entry.name, values: try ConfigValues(entry.reader, map.keys))
          })
      case .secret where isSaid: said[key.name] = .secret(try reader.secret(key.name))
      case .path where isSaid: said[key.name] = .text(try reader.path(key.name))
      case .list:
        guard let texts = reader.texts(key.name) else { continue }
        if isSaid { said[key.name] = .texts(texts) } else { fallbacks[key.name] = .texts(texts) }
      default:
        guard let text = reader.text(key.name) else { continue }
        if isSaid { said[key.name] = .text(text) } else { fallbacks[key.name] = .text(text) }
      }
    }
  }
}
