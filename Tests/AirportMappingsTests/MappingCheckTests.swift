import AirportMappings
import Testing

struct MappingCheckTests {
  @Test(arguments: [
    ("YUM", "KNYL"), ("YKG", "CYAS"), ("YTM", "CYFJ"), ("YQC", "CYHA"), ("BJX", "MMLO"),
    ("AGU", "MMAS"), ("PBI", "KDJT"), ("SLW", "MMIO"), ("LMM", "MMLM"), ("CUU", "MMCU"),
    ("ABC", "LEAB"), ("PRS", "AGGP"), ("TXL", "EDDT"), ("DXB", "OMDB"), (" jfk", "kjfk "),
  ])
  func `an airport that owns both codes confirms the pair`(iata: String, icao: String) throws {
    let check = try MappingCheck(iata: iata, icao: icao)
    #expect(check.verdict == .matches)
    #expect(check.standing == .confirmed)
    #expect(check.otherOwner == nil)
  }

  @Test(arguments: [
    ("PRS", "KPRS", "AGGP"), ("YKG", "CYKG", "CYAS"), ("YUM", "KYUM", "KNYL"),
    ("BJX", "MMBJ", "MMLO"), ("AGU", "MMAG", "MMAS"), ("CUU", "MMUU", "MMCU"),
    ("PBI", "KPBI", "KDJT"), ("SLW", "MMLM", "MMIO"), ("ABC", "KABC", "LEAB"),
  ])
  func `another ICAO code than the reference's contradicts it`(
    iata: String, icao: String, right: String
  ) throws {
    let check = try MappingCheck(iata: iata, icao: icao)
    #expect(check.verdict == .contradicts)
    #expect(check.standing == .doubtful)
    #expect(check.airport?.icao == right)
    #expect(check.referenceDate == "2026-09-05")
    #expect(check.description.contains(right))
    #expect(check.description.contains("2026-09-05"))
  }

  @Test
  func `an ICAO code that exists elsewhere names its owner`() throws {
    let texas = try MappingCheck(iata: "PRS", icao: "KPRS")
    #expect(texas.otherOwner?.city == "Presidio")
    #expect(texas.otherOwner?.iata == nil)
    #expect(
      texas.description
        == "The reference of 2026-09-05 has AGGP for PRS (Parasi Airport), not KPRS. "
        + "KPRS belongs to Presidio Lely International Airport.")
    let mochis = try MappingCheck(iata: "SLW", icao: "MMLM")
    #expect(mochis.airport?.city == "Saltillo")
    #expect(mochis.otherOwner?.iata == "LMM")
    let unowned = try MappingCheck(iata: "BJX", icao: "MMBJ")
    #expect(unowned.otherOwner == nil)
  }

  @Test
  func `an unassigned IATA code is unknown, whoever owns the ICAO code`() throws {
    let check = try MappingCheck(iata: "XYZ", icao: "KXYZ")
    #expect(check.verdict == .unknownIATA)
    #expect(check.standing == .doubtful)
    #expect(check.otherOwner == nil)
    let taken = try MappingCheck(iata: "XYZ", icao: "KJFK")
    #expect(taken.verdict == .unknownIATA)
    #expect(taken.otherOwner?.iata == "JFK")
  }

  @Test
  func `a code of a city alone is rejected with the city's airports`() throws {
    let check = try MappingCheck(iata: "LON", icao: "EGLL")
    guard case .cityCode(let airports) = check.verdict else {
      Issue.record("\(check.verdict)")
      return
    }
    #expect(
      airports.compactMap(\.iata) == ["BQH", "LCY", "LGW", "LHR", "LTN", "NHT", "SEN", "STN"])
    #expect(check.standing == .rejected)
    #expect(check.description.contains("use one of BQH, LCY, LGW, LHR, LTN, NHT, SEN, STN."))
  }

  @Test
  func `an airport without an ICAO code can be neither confirmed nor contradicted`() throws {
    // MLH and BSL are one airport, whose ICAO code the reference gives to BSL.
    let shared = try MappingCheck(iata: "MLH", icao: "LFSB")
    #expect(shared.verdict == .noReferenceICAO)
    #expect(shared.standing == .doubtful)
    #expect(shared.otherOwner?.iata == "BSL")
    #expect(try MappingCheck(iata: "MLH", icao: "LFXX").verdict == .noReferenceICAO)
  }

  @Test
  func `a local code is compared only when asked, and the pattern's code is elsewhere`() throws {
    #expect(throws: AirportCodeProblem.self) { try MappingCheck(iata: "YCK", icao: "CEB3") }
    #expect(try MappingCheck(iata: "YCK", icao: "CEB3", allowingLocal: true).verdict == .matches)
    let guess = try MappingCheck(iata: "YCK", icao: "CYCK")
    #expect(guess.verdict == .contradicts)
    #expect(guess.otherOwner?.iata == "XCM")
  }

  @Test(arguments: [("JFKX", "KJFK"), ("JFK", "KJF"), ("JFK", "IJFK"), ("", ""), ("ＪＦＫ", "KJFK")])
  func `a malformed code is an error, not a verdict`(iata: String, icao: String) {
    #expect(throws: AirportCodeProblem.self) { try MappingCheck(iata: iata, icao: icao) }
  }

  @Test
  func `no two airports of the reference share an ICAO code`() {
    let codes = AirportReference.shared.all.compactMap(\.icao)
    #expect(Set(codes).count == codes.count)
  }
}
