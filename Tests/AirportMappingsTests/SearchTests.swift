import AirportMappings
import Testing

struct SearchTests {
  private func idents(_ query: String, limit: Int = 20) -> [String] {
    AirportReference.shared.airports(matching: query, limit: limit).map(\.ident)
  }

  @Test(arguments: [
    ("JFK", "KJFK"), (" kjfk ", "KJFK"), ("NYL", "KNYL"), ("ceb3", "CEB3"), ("_mlh", "_MLH"),
    ("TZ-0146", "_KBH"), ("ABC", "LEAB"), ("DXB", "OMDB"), ("00AA", "00AA"),
  ])
  func `a code finds its airport first`(query: String, ident: String) {
    #expect(idents(query).first == ident)
  }

  @Test
  func `a city code finds the city's airports first`() {
    #expect(
      idents("LON", limit: 8) == [
        "EGGW", "EGKB", "EGKK", "EGLC", "EGLL", "EGMC", "EGSS", "EGWU",
      ])
    #expect(idents("DXB", limit: 3) == ["OMDB", "OMDM", "OMDW"])
  }

  @Test(
    arguments: [
      ("GVA", ["LSGG"]), ("gva", ["LSGG"]), (" lsgg ", ["LSGG"]), ("ceb3", ["CEB3"]),
      ("_mlh", ["_MLH"]), ("TZ-0146", ["_KBH"]), ("DXB", ["OMDB"]), ("lima", ["LIMA"]),
      ("SEL", ["RKSI", "RKSM", "RKSS"]), ("heathrow", []), ("XYZ", []), ("", []),
    ] as [(String, [String])])
  func `a code means its airport, or the airports of its city, and no other`(
    code: String, idents: [String]
  ) {
    #expect(AirportReference.shared.airports(withCode: code).map(\.ident).sorted() == idents)
  }

  @Test(arguments: [
    "heathrow", "Heathrow", "LONDON heathrow", "heathrow london", "  heath   row ",
  ])
  func `all words of the query must occur, in any order`(query: String) {
    #expect(idents(query).first == "EGLL")
  }

  @Test(arguments: [
    "sao paulo guarulhos", "São Paulo/Guarulhos", "SÃO PAULO-GUARULHOS", "guarulhos",
  ])
  func `accents, case and punctuation do not matter`(query: String) {
    #expect(idents(query).first == "SBGR")
  }

  @Test(arguments: [
    ("ohare", "KORD"), ("o'hare", "KORD"), ("O’Hare", "KORD"), ("lukasz", nil),
    ("lodz", "EPLL"), ("łódź", "EPLL"), ("arnavutkoy", "LTFM"), ("lososina", "EPNL"),
  ])
  func `letters with marks are found by plain ones`(query: String, ident: String?) {
    #expect(idents(query, limit: 1).first == ident)
  }

  @Test
  func `airports with an IATA code come first, and among them names that begin with the query`() {
    let found = AirportReference.shared.airports(matching: "zurich", limit: 100)
    #expect(found.first?.iata == "ZRH")
    let london = AirportReference.shared.airports(matching: "london", limit: 1_000)
    let withIATA = london.prefix { $0.iata != nil }
    #expect(withIATA.count > 5)
    #expect(london.dropFirst(withIATA.count).allSatisfy { $0.iata == nil })
    let starting = withIATA.prefix { $0.name.hasPrefix("London") }
    #expect(starting.contains { $0.iata == "LHR" })
    #expect(withIATA.dropFirst(starting.count).allSatisfy { !$0.name.hasPrefix("London") })
  }

  @Test(arguments: [
    "", "   ", "'", "!?", "Москва", "東京", "heathrow Москва", "xqzzy", "\0", "=", "~",
  ])
  func `nothing is found where nothing fits`(query: String) {
    #expect(idents(query).isEmpty)
  }

  @Test
  func `the limit holds`() {
    #expect(idents("airport", limit: 7).count == 7)
    #expect(idents("airport", limit: 0).isEmpty)
    #expect(idents("airport", limit: -1).isEmpty)
    #expect(idents("heathrow", limit: .max).count < 10)
  }
}
