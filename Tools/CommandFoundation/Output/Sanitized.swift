import SyncKitFormats

/// Text that came from outside, made safe to show.
///
/// A record may hold anything, also what moves a terminal's cursor, hides text or turns its direction
/// around. Line breaks and tabs are shown as `\n`, `\r` and `\t`, the rest as ``DisplayWidth`` has it.
package enum Sanitized {
  /// The text in one line.
  package static func line(_ text: String) -> String {
    DisplayWidth.sanitized(replaced(text, backslashes: false))
  }

  /// The text with its own line breaks, each line safe.
  package static func block(_ text: String) -> String {
    text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { DisplayWidth.sanitized(String($0)) }
      .joined(separator: "\n")
  }

  /// The text as one cell of tab-separated values; a backslash is doubled, so that it can be undone.
  package static func cell(_ text: String) -> String {
    DisplayWidth.sanitized(replaced(text, backslashes: true))
  }

  private static func replaced(_ text: String, backslashes: Bool) -> String {
    let special = text.utf8.contains { byte in
      switch byte {
      case 0x09, 0x0A, 0x0D: true
      case UInt8(ascii: "\\"): backslashes
      default: false
      }
    }
    guard special else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case "\r": result.append(contentsOf: "\\r".unicodeScalars)
      case "\t": result.append(contentsOf: "\\t".unicodeScalars)
      case "\\" where backslashes: result.append(contentsOf: "\\\\".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
