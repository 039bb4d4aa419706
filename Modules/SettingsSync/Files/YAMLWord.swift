import SyncKitFormats

/// What a word without quotes is in YAML, for readers of version 1.1 and of 1.2.
///
/// Source: [YAML 1.2.2](https://yaml.org/spec/1.2.2/), chapter 10.3, and the
/// [types of YAML 1.1](https://yaml.org/type/).
enum YAMLWord {
  /// The value that both take the word for; the word itself where they differ.
  static func value(_ text: String) -> DocumentValue {
    switch text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": return .double(.infinity)
    case "-.inf", "-.Inf", "-.INF": return .double(-.infinity)
    case ".nan", ".NaN", ".NAN": return .double(.nan)
    default: break
    }
    guard !isAmbiguous(text) else { return .plain(text) }
    if text.hasPrefix("0x"), let value = UInt64(text.dropFirst(2), radix: 16) {
      return .number(NumberText(value))
    }
    return number(text).map { .number($0) } ?? .string(text)
  }

  /// Whether readers take a word for values of different types.
  static func isAmbiguous(_ text: String) -> Bool {
    switch text.lowercased() {
    case "yes", "no", "on", "off", "y", "n", "=", "<<": return true
    default: break
    }
    let bytes = Array(text.utf8)
    guard let first = bytes.first, isDigit(first) || "+-.".utf8.contains(first),
      bytes.contains(where: isDigit)
    else { return false }
    let unsigned =
      first == UInt8(ascii: "+") || first == UInt8(ascii: "-")
      ? Array(bytes.dropFirst()) : bytes
    return isOctalOrBinary(unsigned, isSigned: unsigned.count < bytes.count)
      || isGrouped(unsigned) || isSexagesimal(unsigned) || isDate(bytes)
      || isFloatOfOne(unsigned, isSigned: unsigned.count < bytes.count)
  }

  /// `0777`, `0o17`, `0b11`: a number for one of them.
  private static func isOctalOrBinary(_ text: [UInt8], isSigned: Bool) -> Bool {
    guard text.count > 1, text[0] == UInt8(ascii: "0") else { return false }
    let rest = text.dropFirst(2)
    switch text[1] {
    case UInt8(ascii: "o"), UInt8(ascii: "b"):
      return !rest.isEmpty && rest.allSatisfy { isDigit($0) || $0 == UInt8(ascii: "_") }
    case UInt8(ascii: "x"):
      let isHex =
        !rest.isEmpty
        && rest.allSatisfy {
          Character(Unicode.Scalar($0)).isHexDigit || $0 == UInt8(ascii: "_")
        }
      return isHex && (isSigned || rest.contains(UInt8(ascii: "_")) || rest.count > 16)
    default:
      return text.allSatisfy { isDigit($0) || "_.eE+-".utf8.contains($0) }
        && isDigit(text[1])
    }
  }

  /// `1_000`, `1_000.5`: a number for version 1.1.
  private static func isGrouped(_ text: [UInt8]) -> Bool {
    text.contains(UInt8(ascii: "_"))
      && text.allSatisfy { isDigit($0) || "_.eE+-".utf8.contains($0) }
  }

  /// `12:30`, `1:30:00.5`: a number to the base 60 for version 1.1.
  private static func isSexagesimal(_ text: [UInt8]) -> Bool {
    let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count > 1, !parts[0].isEmpty,
      parts[0].allSatisfy({ isDigit($0) || $0 == UInt8(ascii: "_") })
    else { return false }
    for (index, part) in parts.enumerated().dropFirst() {
      var digits = part
      if index == parts.count - 1, let point = part.firstIndex(of: UInt8(ascii: ".")) {
        guard part[(point + 1)...].allSatisfy({ isDigit($0) || $0 == UInt8(ascii: "_") }) else {
          return false
        }
        digits = part[..<point]
      }
      guard 1...2 ~= digits.count, digits.allSatisfy(isDigit),
        digits.count == 1 || digits.lexicographicallyPrecedes("6".utf8)
      else { return false }
    }
    return true
  }

  /// `2026-11-21`, with or without a time.
  private static func isDate(_ text: [UInt8]) -> Bool {
    let parts = text.prefix { isDigit($0) || $0 == UInt8(ascii: "-") }
      .split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count == 4, 1...2 ~= parts[1].count, 1...2 ~= parts[2].count
    else { return false }
    let rest = text.dropFirst(parts[0].count + parts[1].count + parts[2].count + 2)
    guard let mark = rest.first else { return parts[1].count == 2 && parts[2].count == 2 }
    return "Tt \t".utf8.contains(mark)
      && rest.dropFirst().allSatisfy { isDigit($0) || ":.+-Zz \t".utf8.contains($0) }
  }

  /// `1e3`, `-.5`: a number for version 1.2, and a text for the widespread readers of 1.1.
  private static func isFloatOfOne(_ text: [UInt8], isSigned: Bool) -> Bool {
    let string = String(decoding: text, as: UTF8.self)
    guard text.allSatisfy({ isDigit($0) || ".eE+-".utf8.contains($0) }), Double(string) != nil,
      let first = text.first
    else { return false }
    if first == UInt8(ascii: "."), isSigned { return true }
    guard let mark = text.firstIndex(where: { "eE".utf8.contains($0) }) else { return false }
    let exponent = text[(mark + 1)...]
    return !text[..<mark].contains(UInt8(ascii: "."))
      || !(exponent.first == UInt8(ascii: "+") || exponent.first == UInt8(ascii: "-"))
  }

  /// A decimal number that both read, in the grammar of JSON.
  private static func number(_ text: String) -> NumberText? {
    var text = text[...]
    guard let first = text.utf8.first, isDigit(first) || "+-.".utf8.contains(first) else {
      return nil
    }
    if text.hasPrefix("+") { text = text.dropFirst() }
    var plain = String(text)
    if plain.hasPrefix(".") { plain = "0" + plain }
    if plain.hasPrefix("-.") { plain = "-0" + plain.dropFirst() }
    if plain.hasSuffix(".") { plain += "0" }
    if let point = plain.firstIndex(of: "."), plain.index(after: point) < plain.endIndex,
      "eE".contains(plain[plain.index(after: point)])
    {
      plain.insert("0", at: plain.index(after: point))
    }
    return NumberText(plain)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }
}
