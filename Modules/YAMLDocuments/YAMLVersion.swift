import CSyncKitYAML

/// The parser that reads YAML.
public enum YAMLVersion {
  /// The version of libyaml, as `major.minor.patch`.
  public static var text: String { String(cString: yaml_get_version_string()) }
}
