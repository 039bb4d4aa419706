import SyncKit

/// The names at the top of a place, and what conflict copies make of them.
enum PlaceName {
  /// The folder of a domain, or what a provider makes of a second one with its name
  /// (`airports 2`, `airports (conflicted copy)`, `AIRPORTS`).
  static func isFolder(_ name: String, of domain: String) -> Bool {
    rest(of: name, after: domain).map(isCopyMark) ?? false
  }

  /// The vault that a marker stands for; nil for a name that is no marker's.
  static func vault(_ name: String) -> String? {
    guard let rest = rest(of: uncovered(name), after: "root-"), rest.utf8.count >= 36 else {
      return nil
    }
    let end = rest.utf8.index(rest.startIndex, offsetBy: 36)
    guard let text = String(rest.utf8[..<end]), UUIDText.isUUID(text), isCopyMark(rest[end...])
    else {
      return nil
    }
    return text
  }

  /// The layout that a file says a domain is kept in; nil for any other file.
  static func layout(_ name: String, of domain: String) -> String? {
    guard let rest = rest(of: uncovered(name), after: "layout-\(domain)-") else { return nil }
    let layout = rest.prefix { ("a"..."z").contains($0) }
    return layout.isEmpty || !isCopyMark(rest.dropFirst(layout.count)) ? nil : String(layout)
  }

  /// The name that a provider's placeholder (`.NAME.icloud`) stands for; any other name as it is.
  static func uncovered(_ name: String) -> String {
    isPlaceholder(name) ? String(name.dropFirst().dropLast(".icloud".count)) : name
  }

  /// The same for a whole path.
  static func uncoveredPath(_ path: String) -> String {
    let last = lastPart(path)
    return path.dropLast(last.count) + uncovered(String(last))
  }

  /// Whether the last part of a name is that of a file that its provider has yet to download.
  static func isPlaceholder(_ name: String) -> Bool {
    let last = lastPart(name)
    return last.hasPrefix(".") && last.lowercased().hasSuffix(".icloud")
      && last.utf8.count > ".icloud".utf8.count + 1
  }

  static func lastPart(_ name: String) -> Substring {
    name.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
  }

  private static func rest(of name: String, after start: String) -> Substring? {
    let name = name.lowercased()
    guard name.utf8.starts(with: start.utf8) else { return nil }
    return name[name.utf8.index(name.startIndex, offsetBy: start.utf8.count)...]
  }

  /// Whether what follows a name can be a provider's mark, and not the rest of a longer name.
  private static func isCopyMark(_ rest: Substring) -> Bool {
    guard let next = rest.utf8.first else { return true }
    return !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(next)
      && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) && next != UInt8(ascii: "-")
  }
}
