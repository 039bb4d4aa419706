import CommandFoundation
import SyncKitFormats

/// Removes identities, locations and content from texts.
///
/// Known names, of devices and remotes for example, become a word and a number, the same one wherever
/// they appear. Anything like a path, an address, a key or a quotation is removed as well, since a
/// message may quote anything.
struct Redaction {
  private var known: [(name: String, stand: String)] = []
  private var counts: [String: Int] = [:]

  /// Replaces a name by its kind and a number from now on, and returns these.
  @discardableResult
  mutating func name(_ name: String, as kind: String) -> String {
    if let found = known.first(where: { $0.name == name }) { return found.stand }
    counts[kind, default: 0] += 1
    let stand = "\(kind)-\(counts[kind] ?? 0)"
    guard !name.isEmpty else { return stand }
    known.append((name, stand))
    // A name within another one must not break it up.
    known.sort { $0.name.utf8.count > $1.name.utf8.count }
    return stand
  }

  /// The text without private parts.
  func text(_ text: String) -> String {
    var rest = text[...]
    var result = ""
    while let first = rest.first {
      if first == "'" || first == "\"", let quote = quotation(rest) {
        // A command to type is our own text.
        let isOurs = quote.hasPrefix("'cloudsync ")
        result += isOurs ? words(String(quote)) : "\(first)…\(first)"
        rest = rest.dropFirst(quote.count)
      } else {
        let end = rest.dropFirst().firstIndex { $0 == "'" || $0 == "\"" } ?? rest.endIndex
        result += words(String(rest[..<end]))
        rest = rest[end...]
      }
    }
    return result
  }

  /// A text in quotation marks at the beginning; nil for an apostrophe.
  private func quotation(_ text: Substring) -> Substring? {
    guard let mark = text.first, let end = text.dropFirst().firstIndex(of: mark) else { return nil }
    return text[...end]
  }

  private func words(_ text: String) -> String {
    var text = text
    for (name, stand) in known { text = Self.replace(name, by: stand, in: text) }
    return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      Self.isTelling(word) ? "…" : String(word)
    }.joined(separator: " ")
  }

  /// Whether a word may be a path, an address or a key; a time is none.
  private static func isTelling(_ word: Substring) -> Bool {
    let core = word.drop { "([<".contains($0) }
    if core.contains("/") || core.contains("\\") || core.contains("@") { return true }
    if core.hasPrefix("20"), core.contains("T"), core.contains(":") { return false }
    let letters = core.utf8.filter { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A }.count
    let digits = core.utf8.filter { $0 >= 0x30 && $0 <= 0x39 }.count
    return letters + digits >= 16 && digits >= 2 && letters >= 2
  }

  /// Replaces a name where it stands as a word of its own.
  private static func replace(_ name: String, by stand: String, in text: String) -> String {
    var result = ""
    var rest = text[...]
    while let start = find(name, in: rest) {
      let end = rest.index(start, offsetBy: name.count)
      let isWhole =
        !isPart(start > text.startIndex ? text[text.index(before: start)] : nil)
        && !isPart(end < text.endIndex ? text[end] : nil)
      result += rest[..<start]
      result += isWhole ? stand : String(rest[start..<end])
      rest = rest[end...]
    }
    return result + rest
  }

  private static func find(_ name: String, in text: Substring) -> String.Index? {
    var start = text.startIndex
    while start < text.endIndex {
      if text[start...].hasPrefix(name) { return start }
      start = text.index(after: start)
    }
    return nil
  }

  private static func isPart(_ character: Character?) -> Bool {
    character.map { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" } ?? false
  }
}
