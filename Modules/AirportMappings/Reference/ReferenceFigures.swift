/// The numbers of one block of rows, stored as planes of bytes.
struct ReferenceFigures: Sendable {
  private let bytes: [UInt8]
  private let rowCount: Int

  init?(_ section: ReferenceSection, rowCount: Int) {
    guard section.bytes.count == 14 * rowCount else { return nil }
    (bytes, self.rowCount) = (section.bytes, rowCount)
  }

  // A row is counted from the block's first one, and must exist.

  func region(_ row: Int) -> Int { Int(value(row, planes: 0..<2)) }

  func elevationFeet(_ row: Int) -> Double { signed(row, planes: 2..<6) / 100 }

  func coordinate(_ row: Int) -> Coordinate {
    // Dividing an exact integer by a power of ten gives the same Double as parsing the decimal.
    Coordinate(
      latitude: signed(row, planes: 6..<10) / 1_000_000,
      longitude: signed(row, planes: 10..<14) / 1_000_000)
  }

  private func signed(_ row: Int, planes: Range<Int>) -> Double {
    Double(Int32(bitPattern: value(row, planes: planes)))
  }

  private func value(_ row: Int, planes: Range<Int>) -> UInt32 {
    var value: UInt32 = 0
    for plane in planes {
      value = value << 8 | UInt32(bytes[plane * rowCount + row])
    }
    return value
  }
}
