/// Addresses of films at Letterboxd: `https://boxd.it/2a1m`, `https://letterboxd.com/film/the-matrix/`.
enum LetterboxdAddress {
  /// Whether two addresses of one form name different films.
  ///
  /// A short address and a long one cannot be compared.
  static func differ(_ left: String?, _ right: String?) -> Bool {
    guard let left = left.flatMap(parts), let right = right.flatMap(parts) else { return false }
    return left.form == right.form && left.name != right.name
  }

  private static func parts(_ address: String) -> (form: String, name: String)? {
    var rest = address.trimmed[...]
    for start in ["https://", "http://"] where rest.hasPrefix(start) {
      rest = rest.dropFirst(start.count)
    }
    if rest.hasPrefix("www.") { rest = rest.dropFirst(4) }
    let parts = rest.split(separator: "/")
    if parts.count == 2, parts[0] == "boxd.it" { return ("short", String(parts[1])) }
    if parts.count >= 3, parts[0] == "letterboxd.com", parts[1] == "film" {
      return ("long", parts[2].lowercased())
    }
    return nil
  }
}
