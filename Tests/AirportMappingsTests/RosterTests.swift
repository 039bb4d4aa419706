import AirportMappings
import SyncKit
import Testing

/// Reading codes out of texts, and what they stand for.
struct RosterTests {
  private func codes(_ text: String) -> [String] { RosterReader(text.utf8).codes.map(\.text) }

  @Test func `codes stand between other things`() {
    #expect(
      codes("DL123 JFK-LHR 0830Z, CDG/ORY (KSEA)→PDX") == [
        "JFK", "LHR", "CDG", "ORY", "KSEA", "PDX",
      ])
    #expect(codes("crew meal for the day") == [])
    #expect(codes("JFKX1 AB ABCDE _JFK JFK_ JFKé éLHR 1ABC") == [])
  }

  @Test func `lower case counts where a word is alone on its line`() {
    #expect(codes("jfk,\nflight to lhr\n\n - Ksea") == ["JFK", "KSEA"])
  }

  @Test func `a code is listed once, with its first line and its count`() {
    let codes = RosterReader("x\nJFK LHR\r\nJFK\n".utf8).codes
    #expect(codes.map(\.line) == [2, 2])
    #expect(codes.map(\.count) == [2, 1])
  }

  @Test func `bytes that are not text do no harm`() {
    #expect(
      RosterReader([0xFF, 0xFE, 0x4A, 0x46, 0x4B, 0x00, 0x4A, 0x46, 0x4B]).codes.map(\.text) == [
        "JFK"
      ])
    #expect(RosterReader([UInt8]()).codes.isEmpty)
  }

  @Test func `your mapping comes first, then the reference, and nothing is made up`() throws {
    let pilot = try Pilot("ipad")
    try pilot.store.add(iata: "ABC", icao: "KABC")
    let answers = try pilot.store.resolve(RosterReader("ABC KABC LHR EGLL PRS XYZ LON DUTY".utf8))
    let icaos = answers.map { $0.lookup?.icao }
    #expect(icaos == ["KABC", "KABC", "EGLL", "EGLL", "AGGP", nil, nil, nil])
    #expect(answers[5].outcome == .unknown)
    guard case .city(let airports) = answers[6].outcome else {
      Issue.record("LON is \(answers[6].outcome)")
      return
    }
    #expect(airports.contains { $0.iata == "LHR" })
    #expect(answers[7].outcome == .word)
  }
}
