/// When two names of accounts are one, whoever reads them.
///
/// Names that differ only in case, in how a letter with a mark is composed (Unicode's canonical
/// equivalence, as NFC has it), in the width or number of spaces, or in joiners that nobody sees are one
/// name. Compatibility forms, such as full-width letters, and letters of other scripts that look alike
/// are not: folding these takes apart what people tell apart.
enum AccountName {
  /// A text that is equal for names that are one.
  ///
  /// Swift compares texts by canonical equivalence.
  static func folded(_ name: String) -> String {
    // By way of capitals, so that 'ß' and 'ss', 'ſ' and 's', 'ς' and 'σ' fall together.
    let plain = String(
      String.UnicodeScalarView(
        name.uppercased().lowercased().unicodeScalars.filter { !isUnseen($0) }))
    return plain.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .format
  }
}
