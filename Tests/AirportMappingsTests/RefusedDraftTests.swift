import AirportMappings
import SyncKit
import Testing

struct RefusedDraftTests {
  private func refusal(_ id: RecordID?, _ fields: [FieldName: Value]) throws -> SyncError {
    let pilot = try Pilot("ipad")
    let error = #expect(throws: SyncError.self) {
      try pilot.store.write { try $0.save(RecordDraft("mapping", id: id, fields: fields)) }
    }
    #expect(try pilot.store.records("mapping").isEmpty)
    return try #require(error)
  }

  @Test(
    arguments: [
      ("ＪＦＫ", "FULLWIDTH"), ("ıst", "DOTLESS I"), ("İST", "DOT ABOVE"), ("J\u{301}FK", "ACUTE"),
      ("JF🛫", "AIRPLANE"), ("JF", "2 characters"), ("JFKX", "4 characters"), ("J1K", "the digit 1"),
      (RecordID(String(repeating: "A", count: 100)), "100 characters"), ("  ", "empty"),
      ("J K", "a space"),
    ] as [(RecordID, String)])
  func `a code of odd shape is refused by its field and reason`(id: RecordID, reason: String) throws
  {
    let error = try refusal(id, ["icao": "KJFK"])
    #expect(error.code == .inputInvalid)
    #expect(error.message.hasPrefix("The field 'iata' is invalid. "))
    #expect(error.message.contains(reason))
    #expect(error.isSafe)
  }

  @Test(arguments: [
    ("IKJF", "begins with I"), ("jkjf", "begins with j"), ("QKJF", "begins with Q"),
    ("K00C", "the digit 0"), ("KJF", "3 characters"), ("", "empty"), ("ＫＪＦＫ", "FULLWIDTH"),
    ("KJİK", "DOT ABOVE"), ("KJFK\u{0}", "U+0000"), ("KÉ\u{301}FK", "É"),
  ])
  func `an ICAO code of odd shape is refused`(icao: String, reason: String) throws {
    let error = try refusal("JFK", ["icao": .string(icao)])
    #expect(error.code == .inputInvalid)
    #expect(error.message.hasPrefix("The field 'icao' is invalid. "))
    #expect(error.message.contains(reason))
  }

  @Test(arguments: [" jfk ", "Jfk", "\u{FEFF}JFK\n"] as [RecordID])
  func `small letters and spaces make one record`(id: RecordID) throws {
    let pilot = try Pilot("ipad")
    try pilot.save("JFK", ["icao": "KJFK"])
    #expect(try pilot.save(id, ["icao": " kjfk "]) == .unchanged)
    #expect(try pilot.store.records("mapping").map(\.key.id) == ["JFK"])
  }

  @Test(arguments: ["LON", "NYC", "tyo"] as [RecordID])
  func `a city's code is refused with the city's airports`(id: RecordID) throws {
    let error = try refusal(id, ["icao": "EGLL"])
    #expect(error.message.contains("is the code of a city, not of an airport; use one of "))
  }

  @Test
  func `a city's code that is an airport's too is welcome`() throws {
    let pilot = try Pilot("ipad")
    #expect(try pilot.save("DXB", ["icao": "OMDB"]) == .added)
  }

  @Test
  func `a mapping needs a code, and keeps it`() throws {
    #expect(try refusal("JFK", [:]).message == "A new mapping needs the field 'icao'.")
    #expect(try refusal("JFK", ["source": "manual"]).code == .inputInvalid)
    #expect(try refusal("JFK", ["icao": .null]).message.contains("'icao'"))
    #expect(try refusal("JFK", ["icao": 5]).message.contains("type string"))
    #expect(try refusal(nil, ["icao": "KJFK"]).message.contains("'iata'"))
    let pilot = try Pilot("ipad")
    try pilot.save("JFK", ["icao": "KJFK"])
    #expect(throws: SyncError.self) {
      try pilot.store.write { try $0.edit(.mapping(iata: "JFK"), ["icao": .null]) }
    }
    #expect(try pilot.mapping("JFK")?.icao == "KJFK")
  }

  @Test
  func `sources and dates are checked`() throws {
    let source = try refusal("JFK", ["icao": "KJFK", "source": "rumour"])
    #expect(source.message.contains("'source'"))
    #expect(source.message.contains("verified, manual, learned and guessed"))
    for date in ["yesterday", "2026-02-30", "2026-09-05T00:00:00Z"] {
      let error = try refusal("JFK", ["icao": "KJFK", "referenceDate": .string(date)])
      #expect(error.message.contains("'referenceDate'"))
    }
  }

  @Test
  func `the IATA code may come as a field instead of the id, not against it`() throws {
    let pilot = try Pilot("ipad")
    try pilot.store.write {
      try $0.save(RecordDraft("mapping", fields: ["iata": "jfk", "icao": "KJFK"]))
    }
    #expect(try pilot.record("JFK")?.fields["iata"] == nil)
    #expect(try pilot.mapping("JFK")?.icao == "KJFK")
    #expect(try refusal("LHR", ["iata": "JFK", "icao": "KJFK"]).message.contains("'iata'"))
  }

  @Test
  func `ids of the other collections are codes too`() throws {
    let pilot = try Pilot("ipad")
    try pilot.store.write {
      try $0.save(RecordDraft("unknown", id: " xyz", fields: ["lastSeen": .instant(5)]))
      try $0.save(RecordDraft("rejection", id: "abc-kabc", fields: [:]))
    }
    #expect(try pilot.store.records("unknown").map(\.key.id) == ["XYZ"])
    #expect(try pilot.store.records("rejection").map(\.key.id) == ["ABC-KABC"])
    for id in ["ABC", "ABC-", "ABC-KABC-X", "AB-KABC"] as [RecordID] {
      #expect(throws: SyncError.self) {
        try pilot.store.write { try $0.save(RecordDraft("rejection", id: id, fields: [:])) }
      }
    }
  }
}
