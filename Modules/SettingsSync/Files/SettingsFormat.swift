import SyncKitFormats

/// A format of apps' settings files.
public enum SettingsFormat: String, Sendable, CaseIterable {
  /// JSON, with comments and trailing commas where the file has them.
  case json
  /// YAML.
  case yaml
  /// TOML.
  case toml
  /// A property list in XML.
  case plist
  /// A property list in binary form, as `defaults export` writes it.
  case binaryPlist = "bplist"
  /// Lines `key = value` in sections, as INI files and `dconf dump` have them.
  case ini
  /// Lines `KEY=value`.
  case env

  /// The format by its name or the suffix of a file; nil for others.
  public init?(name: String) {
    switch name.lowercased() {
    case "json", "jsonc", "code-workspace", "sublime-settings", "sublime-project": self = .json
    case "yaml", "yml": self = .yaml
    case "toml": self = .toml
    case "plist", "xml", "defaults": self = .plist
    case "bplist", "binary": self = .binaryPlist
    case "ini", "cfg", "desktop", "gitconfig", "editorconfig", "dconf", "npmrc", "hgrc", "pypirc",
      "pylintrc", "flake8", "kdeglobals", "service", "timer", "socket", "mount", "network":
      self = .ini
    case "env", "envrc": self = .env
    default: return nil
    }
  }

  /// All names, for a hint.
  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

  /// The format of some bytes: by their first bytes, else by the given name.
  ///
  /// The two forms of property lists are unmistakable, so their first bytes count more than the
  /// file's name.
  public static func format(of bytes: [UInt8], named name: String?) -> SettingsFormat? {
    switch PropertyList.form(of: bytes) {
    case .binary: return .binaryPlist
    case .xml: return .plist
    case nil: break
    }
    if let named = name.flatMap({ SettingsFormat(name: $0) }) {
      // A property list of another form would have been recognised.
      return named
    }
    if JSONDocument.isLikely(bytes) { return .json }
    // What both can be read as may lose its quotes, or get some.
    return INIDocument.isLikely(bytes) && (try? TOML.parse(bytes)) == nil ? .ini : nil
  }

  /// Whether dates and the like are objects with one key that begins with `$`.
  var hasTags: Bool { self == .json || self == .toml }

  var isPropertyList: Bool { self == .plist || self == .binaryPlist }

  /// Whether all values are texts.
  var isUntyped: Bool { self == .ini || self == .env }

  /// Reads a document of this format.
  func document(_ bytes: [UInt8]) throws -> any EditableDocument {
    switch self {
    case .json: try TextDocument<JSONDocument>(bytes)
    case .yaml: try TextDocument<YAMLSyntax>(bytes)
    case .toml: try TextDocument<TOMLDocument>(bytes)
    case .plist: try TextDocument<XMLPropertyListDocument>(bytes)
    case .binaryPlist: try BinaryPropertyListDocument(bytes)
    case .ini: try TextDocument<INIDocument>(bytes)
    case .env: try TextDocument<EnvironmentDocument>(bytes)
    }
  }

  /// A file without settings.
  var emptyFile: [UInt8] {
    switch self {
    case .json: Array("{}\n".utf8)
    case .yaml, .toml, .ini, .env: []
    case .plist: (try? PropertyList.dictionary([]).serialized(as: .xml)) ?? []
    case .binaryPlist: (try? PropertyList.dictionary([]).serialized(as: .binary)) ?? []
    }
  }
}
