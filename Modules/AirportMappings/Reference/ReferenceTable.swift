import CSyncKitZlib
import Synchronization

/// The table behind a reference: each section is inflated when it is first needed, and kept.
///
/// A lookup by code needs four small sections of more than a hundred, so it costs about a
/// millisecond once and microseconds from then on.
final class ReferenceTable: Sendable {
  let layout: ReferenceLayout
  private let source: ReferenceSource
  private let inflated: Mutex<[ReferenceSection?]>

  /// Reads the header alone.
  init(_ source: ReferenceSource) throws(AirportReferenceError) {
    layout = try source.withBytes { bytes in
      Result { () throws(AirportReferenceError) in try ReferenceLayout(bytes) }
    }.get()
    self.source = source
    inflated = Mutex(Array(repeating: nil, count: layout.sections.count))
  }

  func section(_ number: Int) throws(AirportReferenceError) -> ReferenceSection {
    try inflated.withLock { (inflated) throws(AirportReferenceError) in
      guard inflated.indices.contains(number) else { throw .damagedSection(number) }
      if let section = inflated[number] { return section }
      let extent = layout.sections[number]
      let section = source.withBytes { bytes in
        ReferenceSection(
          inflating: UnsafeRawBufferPointer(rebasing: bytes[extent.range]),
          size: extent.inflatedSize, isText: ReferenceLayout.isText(number))
      }
      guard let section else { throw .damagedSection(number) }
      inflated[number] = section
      return section
    }
  }

  func codes() throws(AirportReferenceError) -> ReferenceCodes {
    let section = try section(ReferenceLayout.codes)
    guard let codes = ReferenceCodes(section, layout: layout) else {
      throw .damagedSection(ReferenceLayout.codes)
    }
    return codes
  }

  func figures(_ block: Int) throws(AirportReferenceError) -> ReferenceFigures {
    let number = ReferenceLayout.figures(block)
    let section = try section(number)
    guard let figures = ReferenceFigures(section, rowCount: layout.rows(block).count) else {
      throw .damagedSection(number)
    }
    return figures
  }

  func texts(_ block: Int) throws(AirportReferenceError) -> ReferenceSection {
    let number = ReferenceLayout.texts(block)
    let section = try section(number)
    guard section.lineEnds.count == layout.rows(block).count else { throw .damagedSection(number) }
    return section
  }

  /// The airport of a row.
  func airport(_ row: Int) throws(AirportReferenceError) -> Airport {
    let codes = try codes()
    guard (0..<layout.rowCount).contains(row) else {
      throw .damagedSection(ReferenceLayout.codes)
    }
    let (block, place) = row.quotientAndRemainder(dividingBy: layout.blockRows)
    let figures = try figures(block)
    let texts = try texts(block)
    guard let text = texts.fields(place), text.count == 4 else {
      throw .damagedSection(ReferenceLayout.texts(block))
    }
    let regions = try section(ReferenceLayout.regions)
    guard let region = regions.fields(figures.region(place)), region.count == 3 else {
      throw .damagedSection(ReferenceLayout.regions)
    }
    let ident = codes.ident(row)
    return Airport(
      ident: String(decoding: ident, as: UTF8.self),
      iata: texts.code(text[0], ident: ident).map { String(decoding: $0, as: UTF8.self) },
      localCode: texts.code(text[1], ident: ident).map { String(decoding: $0, as: UTF8.self) },
      name: texts.text(text[2]), city: texts.text(text[3]),
      subdivision: regions.text(region[1]), country: regions.text(region[0]),
      elevationFeet: figures.elevationFeet(place), coordinate: figures.coordinate(place),
      timeZone: regions.text(region[2]))
  }

  /// The CRC-32 of all but the last four bytes, where the table keeps it.
  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    let body = UnsafeRawBufferPointer(rebasing: bytes.dropLast(4))
    let sum = crc32_z(0, body.baseAddress?.assumingMemoryBound(to: Bytef.self), body.count)
    return UInt32(truncatingIfNeeded: sum)
  }

  /// Reads everything, so that no later query can meet damage.
  func verify() throws(AirportReferenceError) {
    let isIntact = source.withBytes { bytes in
      Self.checksum(bytes) == bytes.number32(bytes.count - 4)
    }
    guard isIntact else { throw .wrongChecksum }
    let codes = try codes()
    guard codes.isSound else { throw .damagedSection(ReferenceLayout.codes) }
    for row in 0..<layout.rowCount {
      let airport = try airport(row)
      guard airport.coordinate.isOnEarth, airport.iata.map({ codes.row(iata: $0) == row }) ?? true
      else { throw .damagedSection(ReferenceLayout.figures(row / layout.blockRows)) }
    }
    let cities = try section(ReferenceLayout.cities)
    guard cities.lineEnds.indices.allSatisfy({ cities.fields($0)?.count == 2 }) else {
      throw .damagedSection(ReferenceLayout.cities)
    }
    guard TextFolding(try section(ReferenceLayout.foldings)) != nil else {
      throw .damagedSection(ReferenceLayout.foldings)
    }
  }
}

extension ReferenceSection {
  /// A code that may be written as the ident or its tail; nil if the airport has none.
  func code(_ field: Range<Int>, ident: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    switch bytes[field].first {
    case nil: nil
    case 0x3D where field.count == 1: ident
    case 0x7E where field.count == 1: ident.dropFirst()
    default: bytes[field]
    }
  }
}
