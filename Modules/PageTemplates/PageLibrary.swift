import Mustache

/// Templates of pages, and what they make of values.
///
/// Whatever a template shows is escaped, by code points: the library's own escaping goes by characters, and takes a
/// quotation mark with an accent behind it for another character.
package struct PageLibrary: Sendable {
  private let library: MustacheLibrary

  /// Reads templates.
  ///
  /// - Parameter templates: Their texts by name, in UTF-8.
  /// - Throws: What the library says of a template that is none.
  package init(_ templates: [String: [UInt8]]) throws {
    MustacheContentTypes.register(EscapedText(), named: EscapedText.name)
    var library = MustacheLibrary()
    for (name, bytes) in templates {
      // Each says how it is escaped; a template inside another one forgets what that has said.
      let text = "{{% CONTENT_TYPE:\(EscapedText.name)}}" + String(decoding: bytes, as: UTF8.self)
      try library.register(text, named: name)
    }
    self.library = library
  }

  /// Makes a page.
  ///
  /// - Parameters:
  ///   - name: The template.
  ///   - values: What it shows: a struct, or values by name.
  /// - Returns: The page in UTF-8.
  package func page(_ name: String, _ values: Any) -> [UInt8] {
    Array((library.render(values, withTemplate: name) ?? "").utf8)
  }
}

/// Text between tags and in quoted attributes.
struct EscapedText: MustacheContentType {
  static let name = "ESCAPED"

  func escapeText(_ text: String) -> String {
    var escaped = ""
    escaped.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
