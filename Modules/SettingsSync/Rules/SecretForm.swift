/// What the form of a text says about it.
enum SecretForm {
  /// Whether a text stands for a value that is elsewhere: `${TOKEN}`, `op://vault/item`.
  static func isReference(_ text: String) -> Bool {
    let isWhole = text.hasPrefix("${") && text.hasSuffix("}") || text.hasPrefix("{{")
    return isWhole || text.hasPrefix("$(") || text.hasPrefix("op://") || text.hasPrefix("env:")
      || text.hasPrefix("keychain:") || text.hasPrefix("vault:")
  }

  /// Whether a text is the place of a file.
  static func isPath(_ text: String) -> Bool {
    if ["~/", "./", "../", "file:", "%APPDATA%", "$HOME"].contains(where: text.hasPrefix) {
      return true
    }
    let bytes = Array(text.utf8.prefix(3))
    if bytes.count == 3, bytes[1] == UInt8(ascii: ":"), bytes[2] == UInt8(ascii: "\\") {
      return true
    }
    return text.hasPrefix("/") && text.dropFirst().contains("/")
  }

  /// Whether a text is a key or token of a known kind, or holds one.
  static func matches(_ text: String) -> Bool {
    isKnownToken(text) || isPasswordHash(text) || holdsCredentials(text)
      || holdsSecret(address: text)
  }

  private static func isKnownToken(_ text: String) -> Bool {
    if text.hasPrefix("-----BEGIN "), text.prefix(80).contains("PRIVATE KEY") { return true }
    if prefixes.contains(where: text.hasPrefix), text.utf8.count >= 20, isToken(text) {
      return true
    }
    if text.hasPrefix("AGE-SECRET-KEY-") { return true }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    // A JSON Web Token: three parts, the first two JSON in base64.
    if text.hasPrefix("eyJ"), parts.count == 3 { return true }
    // A token of a bot: two parts with a point or a colon, and a long random one.
    if parts.count == 3, parts[0].utf8.count >= 18, parts[2].utf8.count >= 25, isToken(text),
      parts.allSatisfy({ !$0.isEmpty }), text.contains(where: \.isNumber)
    {
      return true
    }
    let halves = text.split(separator: ":", omittingEmptySubsequences: false)
    if halves.count == 2, 8...12 ~= halves[0].count, halves[0].allSatisfy(\.isNumber),
      halves[1].utf8.count >= 30, isToken(String(halves[1]))
    {
      return true
    }
    for (prefix, length) in [("key-", 32), ("SK", 32), ("AC", 32)] where text.hasPrefix(prefix) {
      let rest = text.dropFirst(prefix.count)
      if rest.count == length, rest.allSatisfy(\.isHexDigit) { return true }
    }
    // Five groups of five, as products are unlocked with.
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.count == 5 && groups.allSatisfy { $0.utf8.count == 5 }
      && isLicenceKey(text)
  }

  private static let prefixes = [
    "ghp_", "gho_", "ghs_", "ghu_", "ghr_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "xoxa-",
    "xapp-", "sk-", "sk_live_", "sk_test_", "rk_live_", "whsec_", "AKIA", "ASIA", "AIza", "ya29.",
    "hf_", "npm_", "pypi-", "dop_v1_", "SG.", "shpat_", "GOCSPX-", "lin_api_", "EAACEd",
  ]

  /// Whether a text is a password as systems store it.
  private static func isPasswordHash(_ text: String) -> Bool {
    ["$2a$", "$2b$", "$2y$", "$1$", "$5$", "$6$", "$argon2", "$scrypt$", "$pbkdf2"].contains {
      text.hasPrefix($0)
    } && text.utf8.count >= 20
  }

  /// Whether a text is a header or a connection with a password in it.
  private static func holdsCredentials(_ text: String) -> Bool {
    for scheme in ["Bearer ", "Basic "] {
      guard let place = text.firstRange(of: scheme) else { continue }
      let before = text[..<place.lowerBound]
      let rest = text[place.upperBound...].prefix { !$0.isWhitespace }
      if before.isEmpty || before.hasSuffix(": "), rest.utf8.count >= 6, isToken(String(rest)) {
        return true
      }
    }
    guard text.contains(";"), text.contains("=") else { return false }
    let names: Set = ["password", "pwd", "accountkey", "sharedaccesskey", "sharedaccesssignature"]
    return text.split(separator: ";").contains { part in
      let pair = part.split(separator: "=", maxSplits: 1)
      return pair.count == 2 && names.contains(pair[0].lowercased().filter { $0 != " " })
    }
  }

  /// Whether an address has a password, a token or a signature in it.
  private static func holdsSecret(address text: String) -> Bool {
    guard let colon = text.firstRange(of: "://"), !text.contains(" "),
      text[..<colon.lowerBound].allSatisfy({ $0.isLetter || $0.isNumber || "+.-".contains($0) })
    else { return false }
    let rest = text[colon.upperBound...]
    let host = rest.prefix { !"/?#".contains($0) }
    if let at = host.lastIndex(of: "@") {
      let person = host[..<at]
      if let mark = person.firstIndex(of: ":"), person.index(after: mark) < person.endIndex {
        let word = String(person[person.index(after: mark)...])
        if !isReference(word), !word.hasPrefix("{"), !word.hasPrefix("<") { return true }
      }
    }
    let path = rest.dropFirst(host.count)
    if host.hasSuffix("hooks.slack.com") && path.hasPrefix("/services/")
      || path.hasPrefix("/api/webhooks/") && path.utf8.count > 60
    {
      return true
    }
    guard let mark = path.firstIndex(where: { "?#".contains($0) }) else { return false }
    return path[path.index(after: mark)...].split(whereSeparator: { "&;#?".contains($0) }).contains
    {
      let pair = $0.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, pair[1].utf8.count >= 4, let first = pair[1].first,
        !"{$<%".contains(first) || pair[1].contains(where: \.isNumber) && first == "%"
      else { return false }
      let name = pair[0].lowercased().filter { $0 != "_" && $0 != "-" }
      return parameters.contains(name)
        || ["token", "apikey", "secret", "signature", "password"].contains { name.hasSuffix($0) }
    }
  }

  private static let parameters: Set = [
    "key", "token", "appid", "sig", "auth", "pwd", "pass", "secret", "password", "subscriptionkey",
    "sessionid", "sid",
  ]

  /// Whether a text is capitals and digits in groups: `ABCD-EFGH-IJKL`.
  static func isLicenceKey(_ text: String) -> Bool {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.count >= 3
      && groups.allSatisfy { group in
        (2...8).contains(group.utf8.count)
          && group.utf8.allSatisfy { byte in
            UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
              || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
          }
      } && !isUUID(text) && text.filter { $0 != "-" }.utf8.count >= 12
  }

  /// Whether a text is one long random word.
  ///
  /// That is: 32 hexadecimal digits or more, or 20 characters or more with capitals, small letters and
  /// digits, not dominated by a few of them. Identifiers such as UUIDs are random and not secrets.
  static func isRandom(_ text: String) -> Bool {
    guard (20...512).contains(text.utf8.count), isToken(text), !isUUID(text), !isPath(text) else {
      return false
    }
    let characters = text.map { $0 }
    let digits = characters.filter(\.isNumber).count
    guard digits > 1, digits < characters.count, !text.contains("."), !isDigest(text) else {
      return false
    }
    var counts: [Character: Double] = [:]
    for character in characters { counts[character, default: 0] += 1 }
    // The sum of squared shares is the chance that two characters are the same: its inverse is the
    // number of characters that the text effectively chooses from, like entropy without a logarithm.
    let total = Double(characters.count)
    let chance = counts.values.reduce(0) { $0 + ($1 / total) * ($1 / total) }
    if characters.allSatisfy(\.isHexDigit) { return characters.count >= 32 && 1 / chance >= 8 }
    return characters.contains(where: \.isUppercase) && characters.contains(where: \.isLowercase)
      && 1 / chance >= 11
  }

  /// Whether a text names the hash that it is.
  private static func isDigest(_ text: String) -> Bool {
    ["sha1-", "sha256-", "sha384-", "sha512-"].contains { text.hasPrefix($0) }
  }

  private static func isToken(_ text: String) -> Bool {
    text.utf8.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "+/=_-.".utf8.contains(byte)
    }
  }

  private static func isUUID(_ text: String) -> Bool {
    let parts = text.split(separator: "-")
    return parts.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && parts.allSatisfy { $0.allSatisfy(\.isHexDigit) }
  }
}
