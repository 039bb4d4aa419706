import AirportMappings
import Testing

struct CodeShapeTests {
  @Test(arguments: ["jfk", " JFK ", "\u{FEFF}Jfk\u{A0}", "\tjFk\r\n", "\u{200B}JFK\u{3000}"])
  func `spaces and small letters are forgiven`(text: String) throws {
    #expect(try AirportCode.iata(text) == "JFK")
  }

  @Test(arguments: [
    ("ıst", "U+0131 LATIN SMALL LETTER DOTLESS I"),
    ("İST", "U+0130 LATIN CAPITAL LETTER I WITH DOT ABOVE"),
    ("ＪＦＫ", "U+FF2A FULLWIDTH LATIN CAPITAL LETTER J"),
    ("АBC", "U+0410 CYRILLIC CAPITAL LETTER A"),
    ("ſLC", "U+017F LATIN SMALL LETTER LONG S"),
    ("J\u{301}FK", "U+0301 COMBINING ACUTE ACCENT"),
    ("J\u{1B}[31mFK", "U+001B"),
    ("JF\u{202E}K", "U+202E RIGHT-TO-LEFT OVERRIDE"),
    ("J K", "a space"),
    ("J1K", "the digit 1"),
    ("JFK🛫", "U+1F6EB AIRPLANE DEPARTURE"),
  ])
  func `a character other than A to Z is refused by name`(text: String, name: String) {
    let problem = #expect(throws: AirportCodeProblem.self) { try AirportCode.iata(text) }
    #expect(problem?.description.contains(name) == true)
    #expect(problem?.description.unicodeScalars.contains("\u{1B}") == false)
    #expect(problem?.description.unicodeScalars.contains("\u{202E}") == false)
  }

  @Test(arguments: ["ist", "IST"])
  func `an i becomes a capital I in every locale`(text: String) throws {
    #expect(try AirportCode.iata(text) == "IST")
    #expect(AirportReference.shared.airport(iata: text)?.icao == "LTFM")
  }

  @Test(arguments: ["", "  ", "JF", "JFKX", "\u{FEFF}", String(repeating: "A", count: 100_000)])
  func `an IATA code has three letters`(text: String) {
    let problem = #expect(throws: AirportCodeProblem.self) { try AirportCode.iata(text) }
    #expect((problem?.description.count ?? 0) < 120)
  }

  @Test(arguments: ["KJF", "KJFKX", "K00C", "CEB3", "_MLH", "07FA", "IABC", "jabc", "QABC"])
  func `an ICAO code has four letters and begins with neither I, J nor Q`(text: String) {
    #expect(throws: AirportCodeProblem.self) { try AirportCode.icao(text) }
  }

  @Test
  func `a local code with digits needs to be asked for`() throws {
    #expect(try AirportCode.icao("ceb3", allowingLocal: true) == "CEB3")
    #expect(try AirportCode.icao("K00C", allowingLocal: true) == "K00C")
    #expect(throws: AirportCodeProblem.firstCharacter("07FA", .local)) {
      try AirportCode.icao("07FA", allowingLocal: true)
    }
    #expect(throws: AirportCodeProblem.character("_", text: "_MLH", .local)) {
      try AirportCode.icao("_MLH", allowingLocal: true)
    }
  }

  @Test
  func `the message names the text, the fault and the rule`() {
    let long = #expect(throws: AirportCodeProblem.self) { try AirportCode.iata(" KJFK") }
    #expect(long?.description == "“KJFK” has 4 characters; an IATA code is three letters A to Z.")
    let digit = #expect(throws: AirportCodeProblem.self) { try AirportCode.icao("K00C") }
    #expect(
      digit?.description == "“K00C” contains the digit 0; an ICAO code is four letters A to Z.")
    let first = #expect(throws: AirportCodeProblem.self) { try AirportCode.icao("jfkx") }
    #expect(
      first?.description
        == "“jfkx” begins with j; no ICAO code begins with I, J, Q or a digit.")
  }

  @Test
  func `every real ICAO code of an airport with an IATA code has the shape`() {
    let codes = AirportReference.shared.all.filter { $0.iata != nil }.compactMap(\.icao)
    #expect(codes.count == 7_637)
    #expect(codes.allSatisfy { (try? AirportCode.icao($0)) == $0 })
    // The old filter by usual first letters lost more than a third of them.
    #expect(codes.filter { !"KCMPTOELSW".contains($0.prefix(1)) }.count == 2_952)
    #expect(Set(codes.map { $0.prefix(1) }) == Set("ABCDEFGHKLMNOPRSTUVWXYZ".map { "\($0)" }))
  }
}
