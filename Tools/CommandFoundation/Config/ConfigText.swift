import SyncKitFormats

/// Reads the single values of the configuration from their text.
///
/// Nothing here depends on a locale, and nothing is rounded or guessed.
package enum ConfigText {
  /// `true` or `false`, and no other word for them.
  package static func flag(_ text: String) -> Bool? {
    switch text {
    case "true": true
    case "false": false
    default: nil
    }
  }

  /// A whole number in decimal digits.
  package static func whole(_ text: String) -> Int? {
    guard text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
    return Int(text)
  }

  /// A span of time from zero to a hundred years, which no later sum of times can overflow.
  package static func duration(_ text: String) -> Duration? {
    guard let milliseconds = DurationText.parse(text), 0...longest ~= milliseconds else {
      return nil
    }
    return .milliseconds(milliseconds)
  }

  /// A number of bytes: digits, and a unit of powers of 1,000 or 1,024 or none.
  package static func bytes(_ text: String) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let units = [
      "": 1, "B": 1, "kB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000, "TB": 1_000_000_000_000,
      "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
    ]
    guard let number = whole(String(digits)), let unit = units[String(text.dropFirst(digits.count))]
    else { return nil }
    let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: unit)
    return isTooLarge ? nil : bytes
  }

  private static let longest: Int64 = 36_525 * 86_400_000

  /// Whether a text is the address of a web server: `http://` or `https://` and a host.
  package static func isURL(_ text: String) -> Bool {
    guard let host = authority(ofURL: text) else { return false }
    return !host.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }

  /// Whether a URL carries a user or password, which would be a secret in plain sight.
  package static func hasCredentials(_ url: String) -> Bool {
    authority(ofURL: url)?.contains("@") ?? false
  }

  /// A text whose addresses are without what stands before their `@`.
  package static func hidingCredentials(_ text: String) -> String {
    var rest = text[...]
    var shown = ""
    while let mark = rest.firstRange(of: "://") {
      shown += rest[..<mark.upperBound]
      rest = rest[mark.upperBound...]
      let authority = rest.prefix { !"/?# ".contains($0) }
      guard let at = authority.lastIndex(of: "@") else { continue }
      shown += "(hidden)"
      rest = rest[at...]
    }
    return shown + rest
  }

  /// The same for a proxy, which may have no scheme, and whose password may have any character.
  package static func hidingCredentials(ofProxy text: String) -> String {
    guard let at = text.lastIndex(of: "@") else { return text }
    let scheme = text[..<at].firstRange(of: "://").map { text[..<$0.upperBound] } ?? ""
    return "\(scheme)(hidden)\(text[at...])"
  }

  /// What stands between the scheme and the path.
  package static func authority(ofURL text: String) -> Substring? {
    guard let scheme = ["https://", "http://"].first(where: { text.lowercased().hasPrefix($0) })
    else { return nil }
    return text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
  }

  /// Whether a text says where to listen: `host:port`, `[::1]:port` or `unix:/path`.
  package static func isAddress(_ text: String) -> Bool {
    if text.hasPrefix("unix:") { return text.dropFirst(5).hasPrefix("/") }
    guard let colon = text.lastIndex(of: ":"),
      let port = whole(String(text[text.index(after: colon)...])), 0...65535 ~= port
    else { return false }
    let host = text[..<colon]
    guard host.hasPrefix("[") else { return !host.isEmpty && !host.contains(":") }
    return host.hasSuffix("]") && host.count > 2
  }

  /// Whether a text can name a remote, a job or a hook: letters, digits, `-` and `_`, at most 64.
  ///
  /// Dots are left out because they separate the parts of a key's path.
  package static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, first != UInt8(ascii: "-"), text.utf8.count <= 64 else {
      return false
    }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }
}
