/// The names in a ZIP archive: how their bytes are read, and which are refused.
enum ZipName {
  /// The text of a name.
  ///
  /// Names are UTF-8 where a flag says so. Without it they should be in code page 437, but the archiver
  /// of macOS writes UTF-8 without a flag, so a name is taken for that when it can be.
  static func decode(_ bytes: ArraySlice<UInt8>, isUTF8: Bool) throws -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    guard !isUTF8 else { throw ArchiveError("the name of an entry is not valid UTF-8") }
    var text = String.UnicodeScalarView()
    for byte in bytes {
      text.append(byte < 0x80 ? Unicode.Scalar(byte) : upperHalf[Int(byte) - 0x80])
    }
    return String(text)
  }

  /// Why a path may not be used, nil when it may.
  static func fault(of path: String) -> String? {
    let path = path.utf8
    if path.isEmpty { return "an entry has no name" }
    if path.contains(0) { return "the name holds a zero byte" }
    let names = path.split(omittingEmptySubsequences: false) {
      $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\")
    }
    let isDrive =
      Unicode.Scalar(path.first ?? 0).properties.isAlphabetic
      && path.dropFirst().first == UInt8(ascii: ":")
    if names[0].isEmpty || isDrive { return "the path is absolute" }
    if names.contains(where: { $0.elementsEqual("..".utf8) }) {
      return "the path leads out of the archive"
    }
    return nil
  }

  /// Source: [cp437 to Unicode](https://www.unicode.org/Public/MAPPINGS/VENDORS/MICSFT/PC/CP437.TXT).
  private static let upperHalf: [Unicode.Scalar] = Array(
    ("ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐"
      + "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}").unicodeScalars)
}
