/// Writes values so that readers of YAML 1.1 and 1.2 get the same types back.
///
/// What either could take for something else is quoted: `no`, `12:30`, `0o17`, a date. A double
/// always has a point and a sign in its exponent, points in time and bytes bear their tags. The same
/// value gives the same bytes each time.
public struct YAMLWriter {
  private var output = ""

  /// The text of a document in block style, ended by a line feed.
  public static func write(_ value: YAMLValue) -> [UInt8] {
    var writer = YAMLWriter()
    writer.write(value, indent: 0, afterKey: false)
    return Array(writer.output.utf8)
  }

  private mutating func write(_ value: YAMLValue, indent: Int, afterKey: Bool) {
    let blank = String(repeating: " ", count: indent)
    switch value {
    case .list(let items) where !items.isEmpty:
      if afterKey { output += "\n" }
      for (index, item) in items.enumerated() {
        output += index == 0 && !afterKey && indent > 0 ? "- " : "\(blank)- "
        write(item, indent: indent + 2, afterKey: false)
      }
    case .map(let members) where !members.isEmpty:
      if afterKey { output += "\n" }
      for (index, member) in members.enumerated() {
        let lead = index == 0 && !afterKey && indent > 0 ? "" : blank
        output += "\(lead)\(Self.text(member.key)):"
        write(member.value, indent: indent + 2, afterKey: true)
      }
    default:
      output += (afterKey ? " " : "") + Self.scalar(value) + "\n"
    }
  }

  private static func scalar(_ value: YAMLValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .int(let value): "\(value)"
    case .uint(let value): "\(value)"
    case .double(let value): number(value)
    case .string(let text): Self.text(text)
    case .timestamp(let text): "!!timestamp \(quoted(text))"
    case .binary(let text): "!!binary \(quoted(text))"
    case .list: "[]"
    case .map: "{}"
    }
  }

  private static func number(_ value: Double) -> String {
    if value.isNaN { return ".nan" }
    if value.isInfinite { return value < 0 ? "-.inf" : ".inf" }
    let text = "\(value)"
    guard let mark = text.firstIndex(of: "e") else { return text }
    // A reader of YAML 1.1 takes `1e+20` for a text.
    let mantissa = text[..<mark]
    let exponent = text[text.index(after: mark)...]
    let sign = exponent.hasPrefix("-") || exponent.hasPrefix("+") ? "" : "+"
    return (mantissa.contains(".") ? mantissa : mantissa + ".0") + "e" + sign + exponent
  }

  /// A text, quoted where any reader could take it for something else.
  public static func text(_ text: String) -> String { isPlain(text) ? text : quoted(text) }

  private static func isPlain(_ text: String) -> Bool {
    let words: Set = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
    guard let first = text.utf8.first, isLetter(first), !words.contains(text.lowercased()) else {
      return false
    }
    return text.utf8.allSatisfy { byte in
      isLetter(byte) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-./".utf8.contains(byte)
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
      || byte == UInt8(ascii: "_")
  }

  /// A text in double quotes, with escapes for what cannot stand there.
  public static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": quoted += "\\x" + hex(scalar, digits: 2)
      case "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFE}", "\u{FFFF}":
        quoted += "\\u" + hex(scalar, digits: 4)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  private static func hex(_ scalar: Unicode.Scalar, digits: Int) -> String {
    let text = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
