import SyncKitHTTP

extension ConfigType {
  /// Whether a single value can be read as this type; lists and maps accept none.
  package func accepts(_ text: String) -> Bool {
    switch self {
    case .text, .path, .proxy: !text.isEmpty && !text.unicodeScalars.contains("\0")
    case .url: ConfigText.isURL(text) && !ConfigText.hasCredentials(text)
    case .address: ConfigText.isAddress(text)
    case .fingerprint: CertificateFingerprint(text) != nil
    case .flag: ConfigText.flag(text) != nil
    case .whole(let range): ConfigText.whole(text).map(range.contains) ?? false
    case .duration(let minimum): ConfigText.duration(text).map { $0 >= minimum } ?? false
    case .percent: Percent(text) != nil
    case .bytes: ConfigText.bytes(text).map { $0 > 0 } ?? false
    case .choice(let values): values.contains(text)
    case .name(let kind): kind == .domain || ConfigText.isName(text)
    case .any: true
    case .list, .secret, .map, .named: false
    }
  }

  /// What may stand there, to follow "must be".
  package var expectation: String {
    switch self {
    case .text: "text"
    case .path: "a path"
    case .url: "an address such as https://sync.example.org"
    case .proxy: "an address such as http://proxy.example.org:8080, or 'direct'"
    case .address: "an address such as 127.0.0.1:8765 or unix:/run/cloudsync.sock"
    case .fingerprint: "64 hexadecimal digits, with or without colons"
    case .flag: "true or false"
    case .whole(let range) where range.count == 1: "\(range.lowerBound)"
    case .whole(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .duration(let minimum) where minimum > .zero:
      "a duration such as 500ms, 15m or 7d, at least 1s"
    case .duration: "a duration such as 500ms, 15m or 7d"
    case .percent: "a percentage such as 20%"
    case .bytes: "a number of bytes such as 1MiB or 500MB"
    case .choice(let values): "one of \(values.joined(separator: ", "))"
    case .name(let kind): "the name of a \(kind.rawValue)"
    case .list: "a list"
    case .secret: "a map that says where the secret is"
    case .map, .named: "a map"
    case .any: "anything"
    }
  }

  /// What stands for a value in a line of help.
  package var example: String {
    switch self {
    case .path: "/PATH"
    case .url: "https://HOST"
    default: "…"
    }
  }

  /// What a wrong value was probably meant to be.
  package func suggestion(for text: String) -> String? {
    switch self {
    case .flag:
      switch text.lowercased() {
      case "yes", "y", "on", "1", "true": "write true"
      case "no", "n", "off", "0", "false": "write false"
      default: nil
      }
    case .percent: Percent(text + "%").map { "did you mean '\($0)'?" }
    case .duration: ConfigText.whole(text).map { "a unit is missing: \($0)ms, \($0)s, \($0)m, …" }
    case .choice(let values): NearestName.hint(for: text, among: values)
    case .url where !text.contains("://"): "an address begins with https:// or http://"
    default: nil
    }
  }
}
