import Crypto

/// A short mark by which lines of a log belong together and from which nobody gets back to an account.
enum AccountMark {
  /// The mark of an account.
  static func of(_ account: String) -> String {
    SHA256.hash(data: Array("cloudsync account \(account)".utf8)).prefix(4).map { byte in
      let text = String(byte, radix: 16)
      return text.utf8.count == 1 ? "0\(text)" : text
    }.joined()
  }
}
