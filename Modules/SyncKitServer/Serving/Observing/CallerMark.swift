import SyncCrypto

/// A short mark by which lines of a log belong together and which does not lead back to a token.
enum CallerMark {
  /// The mark of a token, by its public part.
  static func of(_ token: String) -> String {
    SHA256.hash(Array("cloudsync caller \(token)".utf8)).prefix(4).map { byte in
      let text = String(byte, radix: 16)
      return text.utf8.count == 1 ? "0\(text)" : text
    }.joined()
  }
}
