/// A language that the pages are written in.
package enum PageLanguage: String, CaseIterable, Sendable {
  case english = "en"
  case german = "de"

  /// The one that a browser prefers, by its field `Accept-Language`; English where it wants none of ours.
  package init(accepting field: String?) {
    var best: (language: Self, weight: Double)?
    for part in (field ?? "").split(separator: ",").prefix(20) {
      let words = part.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
      guard let range = words.first, let language = Self(range: range) else { continue }
      let weight =
        words.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
      if weight > best?.weight ?? 0 { best = (language, weight) }
    }
    self = best?.language ?? .english
  }

  /// Reads a tag such as `de-AT`.
  private init?(range: String) {
    self.init(rawValue: String(range.prefix { $0 != "-" }))
  }
}
