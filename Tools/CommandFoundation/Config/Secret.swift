/// Where a secret is; never the secret itself, unless it stands in the file in plain sight.
///
/// Its description shows only its kind of source, so that no message or dump reveals it.
package enum Secret: Hashable, Sendable {
  /// The first line a program prints; arguments are passed as they are, without a shell.
  case command([String])
  /// The first line of a file, by its absolute path.
  case file(String)
  /// An environment variable.
  case environment(String)
  /// A file of that name in the folder that systemd's `CREDENTIALS_DIRECTORY` names.
  case credential(String)
  /// An entry of the system's keyring.
  case keyring(String)
  /// Text that the configuration holds, where that is allowed.
  case text(String)
}

extension Secret {
  /// Where it is, as the configuration says it in YAML; nil for one that stands there itself.
  package var source: String? {
    switch self {
    case .command(let words):
      "{ command: [\(words.map(YAMLText.scalar).joined(separator: ", "))] }"
    case .file(let path): "{ file: \(YAMLText.scalar(path)) }"
    case .environment(let name): "{ env: \(YAMLText.scalar(name)) }"
    case .credential(let name): "{ credential: \(YAMLText.scalar(name)) }"
    case .keyring(let name): "{ keyring: \(YAMLText.scalar(name)) }"
    case .text: nil
    }
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String {
    switch self {
    case .command: "secret from a command"
    case .file: "secret from a file"
    case .environment: "secret from the environment"
    case .credential: "secret from systemd"
    case .keyring: "secret from the keyring"
    case .text: "secret"
    }
  }

  package var debugDescription: String { description }

  package var customMirror: Mirror { Mirror(self, children: []) }
}
