import AirportMappings
import Testing

struct CodeGuessTests {
  @Test(arguments: [
    ("JFK", "KJFK"), ("yyz", "CYYZ"), ("TNC", "PATC"), ("NCG", "MMCG"), ("PPE", "MMPE"),
    ("UPN", "MMPN"), ("CUN", "MMUN"), ("MIA", "KMIA"), ("TAB", "TTCP"), ("YUL", "CYUL"),
  ])
  func `a guess is made when a pattern yields the airport's own code`(iata: String, icao: String) {
    let airport = AirportReference.shared.airport(iata: iata)
    #expect(airport?.icao == icao)
    let follows = CodeGuess.candidates(for: iata.uppercased()).contains(icao)
    #expect(CodeGuess(iata)?.icao == (follows ? icao : nil))
    #expect(CodeGuess(iata)?.airport == (follows ? airport : nil))
  }

  @Test(arguments: [
    "PRS",  // KPRS is in Texas, PRS in the Solomon Islands
    "YCK",  // CYCK is XCM's
    "YKG",  // CYKG is YWB's, Kangirsuk is CYAS
    "YUM",  // Yuma is KNYL
    "PBI",  // now KDJT
    "CUU",  // the pattern yields MMUU, Chihuahua is MMCU
    "BJX", "AGU", "SLW", "XYZ", "LON", "MLH",
  ])
  func `no guess is better than another airport's code or a blind K`(iata: String) {
    #expect(CodeGuess(iata) == nil)
  }

  @Test(arguments: ["", "Y", "12", "é", "KJFK", "ＪＦＫ"])
  func `nothing is guessed from a text that is not an IATA code`(text: String) {
    #expect(CodeGuess(text) == nil)
    _ = CodeGuess.candidates(for: text)
  }

  @Test
  func `the patterns are tried in their order`() {
    #expect(CodeGuess.candidates(for: "YUM") == ["CYUM"])
    #expect(CodeGuess.candidates(for: "TAB") == ["LTAB", "TTAB"])
    #expect(CodeGuess.candidates(for: "MIA") == ["MMIA", "KMIA"])
    #expect(CodeGuess.candidates(for: "CUU") == ["KCUU", "MMUU", "CCUU"])
  }

  @Test
  func `every guess is right, while believing what exists would be wrong 1,367 times`() {
    let reference = AirportReference.shared
    let airports = reference.all.filter { $0.iata != nil }
    let guesses = airports.compactMap { airport in
      CodeGuess(airport.iata ?? "").map { $0.icao == airport.icao }
    }
    #expect(guesses.count == 1_647)
    #expect(guesses.allSatisfy { $0 })
    let believed = airports.count { airport in
      let existing = CodeGuess.candidates(for: airport.iata ?? "").first {
        reference.airport(ident: $0) != nil
      }
      return existing != nil && existing != airport.icao
    }
    #expect(believed == 1_367)
  }
}
