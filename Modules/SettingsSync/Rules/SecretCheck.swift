/// Finds values that look like passwords, tokens and keys, by their name and their content.
///
/// It errs on the side of caution: such a value stays on the device until a person names its key.
public enum SecretCheck {
  /// Why something looks like a secret.
  public enum Reason: String, Sendable {
    /// The key has the name of a secret.
    case name
    /// The value has the form of a known kind of token or key.
    case form
    /// The value looks random.
    case randomness
  }

  /// Why a setting looks like a secret; nil when it does not.
  public static func reason(key: String, value: SettingValue) -> Reason? {
    switch value {
    case .bool, .date, .double, .decimal, .plain: return nil
    case .int, .uint: return isNamed(key, among: ["pin", "otp", "cvv"]) ? .name : nil
    case .string(let text):
      if text.isEmpty { return nil }
      if isNamed(key, among: words) { return .name }
      return isForm(text) ? .form : isRandom(text) ? .randomness : nil
    case .data(let bytes):
      return !bytes.isEmpty && isNamed(key, among: words) ? .name : nil
    case .array(let values):
      return values.lazy.compactMap { reason(key: key, value: $0) }.first
    case .dict(let members):
      return members.lazy.compactMap { member in
        reason(key: member.key, value: member.value) ?? reason(key: key, value: member.value)
      }.first
    }
  }

  private static let words = [
    "password", "passwd", "passphrase", "passcode", "pwd", "secret", "token", "apikey",
    "accesskey", "privatekey", "credential", "credentials", "bearer", "jwt", "cookie",
    "sessionid", "otp", "pin", "cvv",
  ]

  /// Whether a word of the key, or two joined, is a name of secrets: `apiToken`, `API_KEY`.
  private static func isNamed(_ key: String, among names: [String]) -> Bool {
    let parts = parts(of: key)
    let pairs = zip(parts, parts.dropFirst()).map { $0 + $1 }
    return (parts + pairs).contains { part in
      names.contains(part) || names.contains { part == $0 + "s" }
        || ["password", "secret", "passphrase"].contains {
          part.hasSuffix($0) || part.hasPrefix($0)
        }
    }
  }

  /// The words of a key in lower case: at `.`, `_`, `-` and where a capital follows a small letter.
  private static func parts(of key: String) -> [String] {
    var parts: [String] = [""]
    var previous: Character = " "
    for character in key {
      if !character.isLetter, !character.isNumber {
        parts.append("")
      } else {
        if character.isUppercase, previous.isLowercase { parts.append("") }
        parts[parts.count - 1] += character.lowercased()
      }
      previous = character
    }
    return parts.filter { !$0.isEmpty }
  }

  private static func isForm(_ text: String) -> Bool {
    if text.hasPrefix("-----BEGIN ") && text.utf8.prefix(60).contains(UInt8(ascii: "K")) {
      return true
    }
    let prefixes = [
      "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "sk-", "sk_live_",
      "rk_live_", "AKIA", "ASIA", "AIza", "ya29.", "hf_", "npm_", "dop_v1_",
    ]
    if prefixes.contains(where: text.hasPrefix), text.utf8.count >= 20, isToken(text) {
      return true
    }
    // A JSON Web Token: three parts, the first two JSON in base64.
    return text.hasPrefix("eyJ") && text.split(separator: ".").count == 3
  }

  /// Whether a text is one long random word.
  ///
  /// That is: 32 hexadecimal digits or more, or 20 characters or more with capitals, small letters and
  /// digits, not dominated by a few of them. Identifiers such as UUIDs are random and not secrets.
  private static func isRandom(_ text: String) -> Bool {
    guard (20...512).contains(text.utf8.count), isToken(text), !isUUID(text) else { return false }
    let characters = text.map { $0 }
    let digits = characters.filter(\.isNumber).count
    guard digits > 1, digits < characters.count, !text.contains(".") else { return false }
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
