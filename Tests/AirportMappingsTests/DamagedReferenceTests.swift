import Testing

@testable import AirportMappings

/// A copy of the table that the library embeds.
func embeddedBytes() -> [UInt8] { ReferenceSource.embedded.withBytes { Array($0) } }

struct DamagedReferenceTests {
  @Test
  func `the embedded bytes are a reference`() throws {
    #expect(try AirportReference(bytes: embeddedBytes()).count == 28_298)
  }

  @Test(arguments: [0, 1, 7, 8, 27, 28, 31, 32, 100, 1_000, 100_000, 735_019])
  func `a table that was cut off is refused`(size: Int) {
    #expect(throws: AirportReferenceError.self) {
      try AirportReference(bytes: Array(embeddedBytes().prefix(size)))
    }
  }

  @Test
  func `a table with more bytes than it should have is refused`() {
    #expect(throws: AirportReferenceError.wrongSize) {
      try AirportReference(bytes: embeddedBytes() + [0])
    }
  }

  @Test
  func `something else is refused, and so is a newer version`() {
    #expect(throws: AirportReferenceError.notATable) {
      try AirportReference(bytes: Array("icao,iata,name".utf8))
    }
    var newer = embeddedBytes()
    newer[8] = 2
    #expect(throws: AirportReferenceError.unknownVersion(2)) { try AirportReference(bytes: newer) }
  }

  @Test
  func `a flipped bit is caught by the checksum`() {
    for offset in stride(from: 2_000, to: 735_000, by: 61_007) {
      var bytes = embeddedBytes()
      bytes[offset] ^= 0x10
      #expect(throws: AirportReferenceError.wrongChecksum) { try AirportReference(bytes: bytes) }
    }
  }

  @Test(arguments: [12, 16, 20, 24, 28, 31, 900, 941, 100_000, 300_000, 734_000])
  func `damage under a right checksum is refused as well`(offset: Int) {
    var bytes = embeddedBytes()
    bytes[offset] ^= 0xFF
    bytes.sealWithChecksum()
    // The day of the release is the one thing that may be altered and still be sound.
    if offset == 12 {
      #expect((try? AirportReference(bytes: bytes))?.releaseDate != "2026-09-05")
    } else {
      #expect(throws: AirportReferenceError.self) { try AirportReference(bytes: bytes) }
    }
  }

  @Test
  func `no byte of a small table can be altered into a trap`() throws {
    let sound = try TinyTable().bytes()
    for offset in sound.indices {
      for pattern: UInt8 in [0x01, 0x80, 0xFF] {
        var bytes = sound
        bytes[offset] ^= pattern
        bytes.sealWithChecksum()
        // What is still sound must answer; what is not must have been refused.
        if let reference = try? AirportReference(bytes: bytes) { _ = reference.everything }
      }
    }
  }

  @Test
  func `a small table in the format is a reference`() throws {
    let reference = try AirportReference(bytes: TinyTable().bytes())
    #expect(reference.all.map(\.ident) == ["AAAA", "BBBB", "_CCC"])
    #expect(reference.all.map(\.iata) == ["AAA", nil, "CCC"])
    #expect(reference.all.map(\.localCode) == [nil, "BBBB", "AX"])
    #expect(reference.all.map(\.latitude) == [1, -1, 90])
    #expect(reference.airports(inCity: "AAA").map(\.ident) == ["AAAA"])
    #expect(reference.airports(matching: "Größe").map(\.ident) == ["BBBB"])
    #expect(reference.releaseDate == "2020-01-02")
  }

  @Test
  func `a table without airports answers that there are none`() throws {
    let empty = TinyTable(
      rowCount: 0, iataCount: 0, codes: [], regions: [], cities: [], foldings: [], blocks: [])
    let reference = try AirportReference(bytes: empty.bytes())
    #expect(reference.everything.isEmpty)
    #expect(reference.count == 0)
  }

  @Test(arguments: TinyTable.faults)
  func `a section that breaks the format is refused`(fault: TinyTable.Fault) throws {
    var table = TinyTable()
    fault.inflict(&table)
    let bytes = try table.bytes()
    #expect(throws: AirportReferenceError.self) { try AirportReference(bytes: bytes) }
  }

  @Test
  func `an error says what is wrong in a sentence`() {
    #expect(
      AirportReferenceError.damagedSection(3).description
        == "The airport reference is damaged in its section 3.")
  }
}

extension AirportReference {
  /// Makes every kind of query.
  fileprivate var everything: [Airport] {
    _ = releaseDate
    return all + airports(matching: "airport aaa")
      + nearest(latitude: 0, longitude: 0).map(\.airport)
      + cityCodes.flatMap { airports(inCity: $0) }
      + [airport(iata: "AAA"), airport(ident: "_CCC"), airport(icao: "BBBB")].compactMap(\.self)
  }
}
