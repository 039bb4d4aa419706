/// The profiles in the files of the AWS tools: sections of lines `key = value`.
///
/// Source: [Configuration and credential file settings](https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-files.html).
struct AWSProfiles: Sendable {
  /// The values of each profile.
  private var profiles: [String: [String: String]] = [:]

  /// Reads both files.
  ///
  /// - Parameters:
  ///   - credentials: The file of keys, whose sections are names of profiles; what it says counts first.
  ///   - config: The file of settings, whose sections are `default` and `profile NAME`; others are passed over.
  init(credentials: [UInt8]?, config: [UInt8]?) {
    if let config { read(config, isConfig: true) }
    if let credentials { read(credentials, isConfig: false) }
  }

  /// What a profile says under a key; nil when it says nothing.
  subscript(profile: String, key: String) -> String? { profiles[profile]?[key] }

  /// Whether there is such a profile.
  func has(_ profile: String) -> Bool { profiles[profile] != nil }

  private mutating func read(_ bytes: [UInt8], isConfig: Bool) {
    var profile: String?
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      let text = Self.trimmed(line)
      if text.isEmpty || text.hasPrefix("#") || text.hasPrefix(";") { continue }
      if text.hasPrefix("[") {
        profile = text.firstIndex(of: "]").flatMap {
          Self.profile(text[text.index(after: text.startIndex)..<$0], isConfig: isConfig)
        }
        if let profile { profiles[profile, default: [:]][""] = "" }
        continue
      }
      // An indented line is part of a group of settings, none of which is ours.
      if line.first?.isWhitespace == true { continue }
      guard let profile, let equals = text.firstIndex(of: "=") else { continue }
      let key = Self.trimmed(text[..<equals]).lowercased()
      let value = Self.trimmed(text[text.index(after: equals)...])
      if !key.isEmpty { profiles[profile, default: [:]][key] = String(value) }
    }
  }

  /// The profile that a section is for; nil for one of another kind.
  private static func profile(_ section: Substring, isConfig: Bool) -> String? {
    var name = trimmed(section)
    if isConfig, name != "default" {
      guard name.hasPrefix("profile"), name.dropFirst("profile".count).first?.isWhitespace == true
      else { return nil }
      name = trimmed(name.dropFirst("profile".count))
    }
    return String(name.filter { $0 != "\"" && $0 != "'" })
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let start = text.drop(while: \.isWhitespace)
    return start.prefix(
      upTo: start.lastIndex { !$0.isWhitespace }.map { start.index(after: $0) } ?? start.startIndex)
  }
}
