import SyncKitFormats

/// A format of apps' settings files.
public enum SettingsFormat: String, Sendable, CaseIterable {
  case json, yaml, toml
  /// A property list in XML.
  case plist
  /// A property list in binary form, as `defaults export` writes it.
  case binaryPlist = "bplist"

  /// The format by its name or the suffix of a file; nil for others.
  public init?(name: String) {
    switch name.lowercased() {
    case "json": self = .json
    case "yaml", "yml": self = .yaml
    case "toml": self = .toml
    case "plist", "xml", "defaults": self = .plist
    case "bplist", "binary": self = .binaryPlist
    default: return nil
    }
  }

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
    if let named = name.flatMap({ SettingsFormat(name: $0) }) { return named }
    let first = bytes.first { ![0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return first == UInt8(ascii: "{") ? .json : nil
  }
}
