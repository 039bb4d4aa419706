/// When two names of accounts are one for a reader.
///
/// Names that differ only in case, in how a letter with a mark is composed (Unicode's canonical
/// equivalence, as NFC has it), in the width of letters and spaces, in the number of spaces, or in joiners that
/// cannot be seen are one name. Other compatibility forms, such as raised digits, and letters of other scripts
/// that look alike are not: folding these would join what people tell apart.
enum AccountName {
  /// A text that is equal for names that are one.
  ///
  /// Swift compares texts by canonical equivalence.
  static func folded(_ name: String) -> String {
    let narrow = String(
      String.UnicodeScalarView(name.unicodeScalars.filter { !isUnseen($0) }.map(narrowed)))
    // By way of capitals, so that 'ß' and 'ss', 'ſ' and 's', 'ς' and 'σ' fall together.
    let plain = narrow.uppercased().lowercased()
    return plain.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// A text that is the same, byte for byte, for names that are one, and for a few others.
  ///
  /// A database finds by it the names that are to be compared; it knows no canonical equivalence.
  static func outline(_ name: String) -> String {
    String(folded(name).map { $0.isASCII ? $0 : "?" })
  }

  /// The usual form of a full-width letter, digit or sign.
  private static func narrowed(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard (0xFF01...0xFF5E).contains(scalar.value) else { return scalar }
    return Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
  }

  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .format
  }
}
