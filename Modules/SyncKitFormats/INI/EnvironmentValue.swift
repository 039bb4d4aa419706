/// A value of a line `KEY=value`, as shells and the programs that read `.env` files take it.
///
/// Quotes around a value are none of it. What a shell would work on (`$`, a backslash, a backquote) has a meaning
/// of its own in each program, so a value with such a sign is its text as the file has it, with quotes and all.
struct EnvironmentValue {
  /// The value.
  let text: String
  /// Its quotes.
  let style: DocumentNode.Style

  /// A value that was read.
  init(_ text: String, _ style: DocumentNode.Style) { (self.text, self.style) = (text, style) }

  /// Reads what stands behind the `=`.
  init(_ written: String) {
    let bytes = Array(written.utf8)
    guard let quote = Self.enclosing(bytes) else {
      (text, style) = (written, .plain)
      return
    }
    let inner = Array(bytes.dropFirst().dropLast())
    guard !inner.contains(quote), !Self.isVerbatim(inner) else {
      (text, style) = (written, .plain)
      return
    }
    text = String(decoding: inner, as: UTF8.self)
    style = quote == UInt8(ascii: "'") ? .singleQuoted : .doubleQuoted
  }

  /// What to write for a value, with the quotes of the one in whose place it comes; nil for a new line.
  static func written(
    _ value: String, inPlaceOf old: EnvironmentValue?
  ) throws(DocumentRefusal) -> String {
    let bytes = Array(value.utf8)
    guard !isVerbatim(bytes) else { return value }
    let wanted: String? =
      switch old?.style {
      case .singleQuoted: "'"
      case .doubleQuoted: "\""
      default: nil
      }
    if let wanted, !value.contains(wanted) { return wanted + value + wanted }
    let isPlain = bytes.allSatisfy(isPlainByte)
    // A program that reads such a line without quotes reads another one so too.
    let isPlainHere =
      old.map { !$0.text.utf8.allSatisfy(isPlainByte) && wanted == nil } ?? false
    if isPlain || isPlainHere && canStandAlone(value) { return value }
    for quote in ["\"", "'"] where !value.contains(quote) { return quote + value + quote }
    throw DocumentRefusal("a value with both kinds of quotes is read in different ways")
  }

  /// The quote that opens and closes a text.
  private static func enclosing(_ bytes: [UInt8]) -> UInt8? {
    guard bytes.count >= 2, let first = bytes.first, first == bytes.last,
      first == UInt8(ascii: "\"") || first == UInt8(ascii: "'")
    else { return nil }
    return first
  }

  /// Whether a value is its text as a file has it.
  private static func isVerbatim(_ bytes: [UInt8]) -> Bool {
    enclosing(bytes) != nil || bytes.contains { "$\\`".utf8.contains($0) }
  }

  /// Whether a value without quotes is read as it is: no quote, no comment, no space at its ends.
  private static func canStandAlone(_ value: String) -> Bool {
    let bytes = Array(value.utf8)
    let ends = [bytes.first, bytes.last].compactMap { $0 }
    return !ends.contains(where: DocumentLines.isBlank)
      && !bytes.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
      && !bytes.contains(UInt8(ascii: "#"))
  }

  /// A byte that every reader takes as it is without quotes.
  private static func isPlainByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...:
      true
    default: "_-./:@%+,=^".utf8.contains(byte)
    }
  }
}
