/// What the name of a key says about its value.
struct SecretName {
  /// The words that say what it is.
  private let words: [String]
  /// All of them.
  private let allWords: [String]
  private let isHidden: Bool

  init(_ key: String) {
    var words = Self.words(of: key)
    allWords = words
    isHidden = key.hasPrefix("_")
    // `API_KEY_2` and `passwordProd` are what they are without the last word.
    while words.count > 1, let last = words.last,
      last.allSatisfy(\.isNumber) || Self.qualifiers.contains(last)
    { words.removeLast() }
    if let last = words.last, last.contains(where: \.isLetter) {
      words[words.count - 1] = String(last.reversed().drop(while: \.isNumber).reversed())
    }
    self.words = words
  }

  /// Whether a text of this name is a secret: `apiToken`, `API_KEY`, `db.password`.
  ///
  /// The last words count: `passwordManager` and `tokenColors` are about something else, and so is
  /// what begins with a verb, such as `rememberPasswords`.
  var isSecret: Bool {
    guard let last = words.last, let first = words.first, !Self.verbs.contains(first) else {
      return false
    }
    if isHidden, words == ["auth"] { return true }
    return ends(in: Self.names)
      || ["password", "passwd", "passphrase", "passwort", "secret", "apikey"].contains {
        last.hasSuffix($0)
      }
  }

  /// Whether a number of this name is a secret.
  var isOfNumber: Bool {
    guard let first = words.first, !Self.verbs.contains(first) else { return false }
    return ends(in: Self.numbers, allowsPlural: false)
  }

  /// Whether this names a licence or a serial number, whose values may be something else too.
  var isOfLicence: Bool {
    words.contains { ["license", "licence", "serial", "registration", "activation"].contains($0) }
  }

  var isOfCookie: Bool { ends(in: ["cookie"]) }

  /// Whether this names a hash or an identifier, which look random and are none of anybody's secrets.
  var isOfHash: Bool { allWords.contains { Self.hashes.contains($0) } || ends(in: ["id", "sum"]) }

  private func ends(in names: Set<String>, allowsPlural: Bool = true) -> Bool {
    (1...3).contains { count in
      guard count <= words.count else { return false }
      let end = words.suffix(count).joined()
      if names.contains(end) { return true }
      return allowsPlural && end.hasSuffix("s") && names.contains(String(end.dropLast()))
    }
  }

  /// The words of a key in lower case: at `.`, `_`, `-` and where a capital follows a small letter.
  private static func words(of key: String) -> [String] {
    var words: [String] = [""]
    var previous: Character = " "
    for character in key {
      if !character.isLetter, !character.isNumber {
        words.append("")
      } else {
        if character.isUppercase, previous.isLowercase { words.append("") }
        words[words.count - 1] += character.lowercased()
      }
      previous = character
    }
    return words.filter { !$0.isEmpty }
  }

  private static let names: Set = [
    "password", "passwd", "passphrase", "passcode", "pwd", "pass", "psk", "presharedkey", "wepkey",
    "secret", "secretkey", "secretkeybase", "secretaccesskey", "token", "apikey", "appkey",
    "accesskey", "privatekey", "sharedkey", "masterkey", "encryptionkey", "deploykey", "sshkey",
    "storagekey", "accountkey", "hmackey", "licensekey", "licencekey", "licensecode", "licencecode",
    "productkey", "serialkey", "registrationkey", "registrationcode", "activationkey",
    "activationcode", "unlockcode", "unlockkey", "recoverycode", "recoverykey", "recoveryphrase",
    "seedphrase", "mnemonic", "credential", "bearer", "jwt", "authorization", "basicauth",
    "sessionid", "phpsessid", "jsessionid", "otp", "totp", "totpseed", "totpsecret", "otpauth",
    "pin",
    "cvv", "backupcode", "privatekeyid", "passwort", "kennwort", "motdepasse", "contraseña",
    "contrasena", "senha", "wachtwoord", "hasło", "lösenord", "пароль", "密码", "パスワード",
  ]

  private static let numbers: Set = [
    "pin", "otp", "cvv", "password", "passwd", "passcode", "passphrase", "pwd", "psk", "secret",
  ]

  private static let qualifiers: Set = [
    "prod", "production", "dev", "test", "staging", "live", "old", "new", "backup", "value", "hash",
    "base64", "encrypted", "local", "default", "main", "plain",
  ]

  private static let verbs: Set = [
    "show", "hide", "ask", "remember", "accept", "use", "enable", "require", "save", "allow", "max",
    "min", "has", "is", "no", "check", "prompt", "clear", "block", "restore", "count",
  ]

  private static let hashes: Set = [
    "commit", "hash", "sha", "sha1", "sha256", "sha512", "md5", "checksum", "etag", "digest", "rev",
    "revision", "integrity", "fingerprint", "uuid", "guid", "oid", "head", "ref",
  ]
}
