import Testing

@testable import AirportMappings

/// A table of three airports in the format of the embedded one, section by section, to be spoilt.
struct TinyTable: Sendable {
  var rowCount = 3
  var iataCount = 2
  var codes = Array("AAAABBBB_CCCAAACCC".utf8) + [0, 0, 2, 0]
  var regions = Array("XX\tNorth\tEtc/UTC\nYY\t\tEtc/GMT\n".utf8)
  var cities = Array("AAA\tAAA\n".utf8)
  /// ß becomes ss, ö becomes o.
  var foldings: [UInt8] = [0xDF, 0, 2, 0x73, 0x73, 0xF6, 0, 1, 0x6F, 0]
  var blocks = [(figures: Self.figures, texts: Array(Self.texts.utf8))]

  static let texts = "~\t\tAlpha Airport\tTown\n\t=\tGröße\t\n~\tAX\tPole\tNorth\n"
  /// Region 0 1 0, elevation 0, latitude 1, -1 and 90, longitude 0, as planes.
  static let figures: [UInt8] =
    planes([0, 1, 0], 2) + planes([0, 0, 0], 4)
    + planes([1_000_000, -1_000_000, 90_000_000], 4) + planes([0, 0, 0], 4)

  static func planes(_ values: [Int32], _ width: Int) -> [UInt8] {
    (0..<width).reversed().flatMap { plane in
      values.map { UInt8(truncatingIfNeeded: $0 >> (8 * Int32(plane))) }
    }
  }

  func bytes() throws -> [UInt8] {
    let sections = [codes, regions, cities, foldings] + blocks.flatMap { [$0.figures, $0.texts] }
    let streams = sections.map(Self.stored)
    var bytes = Array("CSAIRPRT".utf8) + [1, 0, 0, 2] + Self.number(20_200_102)
    bytes += Self.number(rowCount) + Self.number(iataCount) + Self.number(sections.count)
    for (section, stream) in zip(sections, streams) {
      bytes += Self.number(stream.count) + Self.number(section.count)
    }
    bytes += streams.joined() + [0, 0, 0, 0]
    bytes.sealWithChecksum()
    return bytes
  }

  private static func number(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  /// A zlib stream of one block that is not compressed (RFC 1950, RFC 1951).
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    let size = number(bytes.count).prefix(2)
    let adler = number(Int(high << 16 | low)).reversed()
    return [0x78, 0x01, 0x01] + size + size.map { ~$0 } + bytes + adler
  }
}

extension TinyTable {
  /// One way to break the format under right checksums.
  struct Fault: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var inflict: @Sendable (inout TinyTable) -> Void

    init(_ description: String, _ inflict: @escaping @Sendable (inout TinyTable) -> Void) {
      testDescription = description
      self.inflict = inflict
    }
  }

  static let faults = [
    Fault("idents out of order") { $0.codes[0] = 0x5A },
    Fault("an ident twice") { $0.codes.replaceSubrange(4..<8, with: "AAAA".utf8) },
    Fault("an ident with a control character") { $0.codes[0] = 0x07 },
    Fault("IATA codes out of order") { $0.codes[12] = 0x44 },
    Fault("an IATA code of a row beyond the end") { $0.codes[20] = 3 },
    Fault("an IATA code of a row far beyond the end") { $0.codes[21] = 0xFF },
    Fault("an IATA code of another row") { $0.codes[20] = 1 },
    Fault("codes too short") { $0.codes.removeLast() },
    Fault("a region that is not there") { $0.blocks[0].figures[3] = 9 },
    Fault("a region without a time zone") { $0.regions = Array("XX\tNorth\nYY\t\tUTC\n".utf8) },
    Fault("a region without its line feed") { $0.regions.removeLast() },
    Fault("figures too short") { $0.blocks[0].figures.removeLast() },
    Fault("a latitude beyond the pole") { $0.blocks[0].figures[18] = 0x7F },
    Fault("a text with too few fields") { $0.blocks[0].texts.removeFirst(2) },
    Fault("a text with too many fields") { $0.blocks[0].texts.insert(0x09, at: 0) },
    Fault("a text too few") { $0.blocks[0].texts = Array("\t\tA\t\n\t\tB\t\n".utf8) },
    Fault("no texts") { $0.blocks[0].texts = [] },
    Fault("an IATA code that the codes do not have") { $0.blocks[0].texts[0] = 0x58 },
    Fault("a city without a tab") { $0.cities = Array("AAA AAA\n".utf8) },
    Fault("a folding into three bytes") { $0.foldings[2] = 3 },
    Fault("foldings too short") { $0.foldings.removeLast() },
    Fault("a block too few") { $0.blocks = [] },
    Fault("a block too many") { $0.blocks.append($0.blocks[0]) },
    Fault("more rows than there are") { $0.rowCount = 4 },
    Fault("more IATA codes than rows") { $0.iataCount = 4 },
    Fault("far too many rows") { $0.rowCount = 1 << 31 },
  ]
}

extension [UInt8] {
  /// Puts the right checksum into the last four bytes.
  mutating func sealWithChecksum() {
    let sum = withUnsafeBytes { ReferenceTable.checksum($0) }
    for index in 0..<4 {
      self[count - 4 + index] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * index))
    }
  }
}
