import SyncKitFormats

/// Writes and reads the names and values of a URL's query or a form.
///
/// Source: [application/x-www-form-urlencoded](https://url.spec.whatwg.org/#urlencoded-parsing).
enum URLForm {
  /// Pairs as text, everything but letters, digits and `-._~` escaped.
  static func encode(_ pairs: [(String, String)]) -> String {
    pairs.map { "\(PercentEncoding.encode($0.0))=\(PercentEncoding.encode($0.1))" }.joined(
      separator: "&")
  }

  /// The pairs of a text; of two pairs with one name the first counts.
  static func decode(_ text: some StringProtocol) -> [String: String] {
    var pairs: [String: String] = [:]
    for part in text.split(separator: "&").prefix(64) {
      let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = unescape(halves[0])
      if pairs[name] == nil { pairs[name] = halves.count > 1 ? unescape(halves[1]) : "" }
    }
    return pairs
  }

  private static func unescape(_ text: some StringProtocol) -> String {
    PercentEncoding.decode(String(text.map { $0 == "+" ? " " : $0 }))
  }
}
