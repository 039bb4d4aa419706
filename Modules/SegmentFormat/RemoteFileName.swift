import SyncKit

/// The names at the top of a remote, and what conflict copies make of them.
enum RemoteFileName {
  /// The folder of a domain, or what a provider makes of a second one with its name
  /// (`airports 2`, `airports (conflicted copy)`, `AIRPORTS`).
  static func isFolder(_ name: String, of domain: String) -> Bool {
    rest(of: name, after: domain).map(isCopyMark) ?? false
  }

  /// The vault that a marker stands for; nil for a name that is not a marker's.
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

  /// What a file stands for whose content its provider has not brought.
  struct StandIn {
    /// The path of the file to come.
    var path: String
    /// Whether the provider holds it, so that it is on the remote; one on its way may never come.
    var isHeld: Bool
  }

  /// What a file may stand for, by its path.
  ///
  /// iCloud calls a file that it holds `.NAME.icloud`; Nextcloud, ownCloud and Resilio call it `NAME.nextcloud`,
  /// `NAME.owncloud` and `NAME.rslsf`. What is on its way is `.syncthing.NAME.tmp`, `NAME.partial` and the like.
  static func standIn(_ path: Substring) -> StandIn? {
    let last = lastPart(String(path))
    guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return nil }
    let ending = last[last.index(after: dot)...].lowercased()
    let isHeld = heldEndings.contains(ending)
    guard isHeld || comingEndings.contains(ending) else { return nil }
    var name = last[..<dot]
    for start in [".syncthing.", "~syncthing~", "."] where name.hasPrefix(start) {
      name = name.dropFirst(start.count)
      break
    }
    return StandIn(path: String(path.dropLast(last.count)) + name, isHeld: isHeld)
  }

  private static let heldEndings: Set = [
    "icloud", "nextcloud", "owncloud", "rslsf", "rsls", "cloud", "placeholder",
  ]
  private static let comingEndings: Set = [
    "tmp", "part", "partial", "filepart", "download", "crdownload", "!sync",
  ]

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
