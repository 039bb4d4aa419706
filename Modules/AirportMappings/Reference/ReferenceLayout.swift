import AirportReferenceData

/// The source of a reference's bytes.
enum ReferenceSource: Sendable {
  case embedded
  case bytes([UInt8])

  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    switch self {
    case .embedded:
      body(
        UnsafeRawBufferPointer(start: airport_reference_bytes(), count: airport_reference_size()))
    case .bytes(let bytes):
      bytes.withUnsafeBytes(body)
    }
  }
}

/// The header of the table: how many rows it has, and where each section is.
///
/// The format is documented in `Tools/reference/build_airports.py`.
struct ReferenceLayout: Sendable {
  /// One zlib stream in the file.
  struct Section: Sendable {
    var range: Range<Int>
    var inflatedSize: Int
  }

  /// The sections before those of the first block.
  static let codes = 0
  static let regions = 1
  static let cities = 2
  static let foldings = 3
  private static let headerSize = 28
  /// No section comes near it; a damaged size must not allocate gigabytes.
  private static let largestSection = 1 << 24

  let release: Int
  let rowCount: Int
  let iataCount: Int
  let blockRows: Int
  let sections: [Section]

  var blockCount: Int { (rowCount + blockRows - 1) / blockRows }

  static func figures(_ block: Int) -> Int { 4 + 2 * block }
  static func texts(_ block: Int) -> Int { 5 + 2 * block }
  /// Whether a section is lines of text.
  static func isText(_ section: Int) -> Bool {
    section == regions || section == cities || section > foldings && !section.isMultiple(of: 2)
  }

  /// The rows of a block, fewer in the last one.
  func rows(_ block: Int) -> Range<Int> {
    block * blockRows..<min(rowCount, (block + 1) * blockRows)
  }

  init(_ bytes: UnsafeRawBufferPointer) throws(AirportReferenceError) {
    guard bytes.starts(with: "CSAIRPRT".utf8) else { throw .notATable }
    guard bytes.count >= Self.headerSize + 4 else { throw .wrongSize }
    let version = Int(bytes.number16(8))
    guard version == 1 else { throw .unknownVersion(version) }
    guard let release = Int(exactly: bytes.number32(12)),
      let rowCount = Int(exactly: bytes.number32(16)), rowCount <= Int(UInt16.max),
      let iataCount = Int(exactly: bytes.number32(20)), iataCount <= rowCount,
      let sectionCount = Int(exactly: bytes.number32(24))
    else { throw .wrongSize }
    (self.release, self.rowCount, self.iataCount) = (release, rowCount, iataCount)
    blockRows = Int(bytes.number16(10))
    guard blockRows > 0, sectionCount == 4 + 2 * ((rowCount + blockRows - 1) / blockRows),
      bytes.count >= Self.headerSize + 8 * sectionCount + 4
    else { throw .wrongSize }

    var sections: [Section] = []
    var start = Self.headerSize + 8 * sectionCount
    let end = bytes.count - 4
    for number in 0..<sectionCount {
      guard let size = Int(exactly: bytes.number32(Self.headerSize + 8 * number)),
        let inflatedSize = Int(exactly: bytes.number32(Self.headerSize + 8 * number + 4)),
        size <= end - start, inflatedSize <= Self.largestSection
      else { throw .wrongSize }
      sections.append(Section(range: start..<start + size, inflatedSize: inflatedSize))
      start += size
    }
    guard start == end else { throw .wrongSize }
    self.sections = sections
  }
}

extension UnsafeRawBufferPointer {
  func number16(_ offset: Int) -> UInt16 {
    UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  func number32(_ offset: Int) -> UInt32 {
    UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}
