/// The codes of all rows, searched in place.
struct ReferenceCodes: Sendable {
  private let bytes: [UInt8]
  private let rowCount: Int
  private let iataCount: Int

  init?(_ section: ReferenceSection, layout: ReferenceLayout) {
    (bytes, rowCount, iataCount) = (section.bytes, layout.rowCount, layout.iataCount)
    guard bytes.count == 4 * rowCount + 5 * iataCount else { return nil }
  }

  /// The four bytes of a row's ident; the row must exist.
  func ident(_ row: Int) -> ArraySlice<UInt8> { bytes[4 * row..<4 * row + 4] }

  /// The row with an ident, in either case of its letters.
  func row(ident: String) -> Int? {
    guard let key = Self.key(ident, length: 4) else { return nil }
    return position(of: key, at: 0, count: rowCount, length: 4)
  }

  /// The row with an IATA code, in either case of its letters.
  func row(iata: String) -> Int? {
    guard let key = Self.key(iata, length: 3) else { return nil }
    return position(of: key, at: 4 * rowCount, count: iataCount, length: 3).map(iataRow)
  }

  /// The rows that have an IATA code, by that code; a damaged table may name rows beyond its end.
  var iataRows: some Sequence<Int> { (0..<iataCount).lazy.map(iataRow) }

  /// Whether every list ascends strictly and every row number is valid.
  var isSound: Bool {
    let idents = (0..<rowCount).map { key(4 * $0, length: 4) }
    let codes = (0..<iataCount).map { key(4 * rowCount + 3 * $0, length: 3) }
    return zip(idents, idents.dropFirst()).allSatisfy(<)
      && zip(codes, codes.dropFirst()).allSatisfy(<)
      && bytes[..<(4 * rowCount + 3 * iataCount)].allSatisfy { (0x21...0x7E).contains($0) }
      && iataRows.allSatisfy { $0 < rowCount }
  }

  private func iataRow(_ position: Int) -> Int {
    let offset = 4 * rowCount + 3 * iataCount + 2 * position
    return Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
  }

  private func position(of wanted: UInt32, at start: Int, count: Int, length: Int) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      let found = key(start + middle * length, length: length)
      if found == wanted { return middle }
      if found < wanted { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  private func key(_ offset: Int, length: Int) -> UInt32 {
    bytes[offset..<offset + length].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The bytes of a code as one number that sorts like them; only ASCII letters change their case.
  private static func key(_ code: String, length: Int) -> UInt32? {
    guard code.utf8.count == length else { return nil }
    return code.utf8.reduce(0) { $0 << 8 | UInt32($1.uppercasedASCII) }
  }
}

extension UInt8 {
  /// The byte, or the capital if it is a small ASCII letter, in no locale.
  var uppercasedASCII: UInt8 { (0x61...0x7A).contains(self) ? self - 0x20 : self }
}
