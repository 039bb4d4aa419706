import AirportMappings
import SyncKit
import Testing

struct ExportTests {
  private func filled() throws -> Pilot {
    let pilot = try Pilot("ipad")
    try pilot.save("YUM", ["icao": "KNYL"])
    try pilot.save("BJX", ["icao": "MMBJ", "source": "guessed"], at: Pilot.start - 5_000)
    try pilot.save(
      "ABC",
      [
        "icao": "LEAB", "source": "learned", "verifiedByCoordinates": true,
        "created": .instant(1_000), "lastUsed": .instant(2_000),
      ])
    try pilot.save("JFK", ["icao": "KJFK"])
    try pilot.store.write { try $0.delete(.mapping(iata: "jfk")) }
    return pilot
  }

  @Test
  func `the app's map has a line for each pair, by IATA code, without what is deleted`() throws {
    #expect(
      try filled().export("json") == """
        {
          "ABC": "LEAB",
          "BJX": "MMBJ",
          "YUM": "KNYL"
        }

        """)
    #expect(try Pilot("new").export("json") == "{}\n")
  }

  @Test
  func `the table has the provenance, the times and the device`() throws {
    #expect(
      try filled().export("csv")
        == [
          "iata,icao,source,learnedAutomatically,verifiedByCoordinates,referenceDate,"
            + "created,modified,lastUsed,device",
          "ABC,LEAB,learned,true,true,2026-09-05,"
            + "1970-01-01T00:00:01.000Z,2023-11-14T22:13:20.004Z,1970-01-01T00:00:02.000Z,ipad",
          "BJX,MMBJ,guessed,true,false,,2023-11-14T22:13:15.000Z,2023-11-14T22:13:15.000Z,,ipad",
          "YUM,KNYL,manual,false,false,2026-09-05,"
            + "2023-11-14T22:13:20.001Z,2023-11-14T22:13:20.001Z,,ipad",
          "",
        ].joined(separator: "\r\n"))
  }

  @Test
  func `a table that is read back elsewhere is written again as it was`() throws {
    let csv = try filled().export("csv")
    let copy = try Pilot("ipad")
    copy.clock.advance(by: 60_000)
    #expect(try copy.import(csv).added == 3)
    #expect(try copy.export("csv") == csv)
  }

  @Test(arguments: ["json", "csv"])
  func `what is read back on the same device changes nothing`(format: String) throws {
    let pilot = try filled()
    let before = try pilot.export("csv")
    let summary = try pilot.import(pilot.export(format))
    #expect(summary.unchanged == 3)
    #expect(summary.batch == nil)
    #expect(try pilot.export("csv") == before)
  }

  @Test
  func `the map that is read back elsewhere has the same pairs, entered by hand`() throws {
    let json = try filled().export("json")
    let copy = try Pilot("iphone")
    #expect(try copy.import(json).added == 3)
    #expect(try copy.export("json") == json)
    #expect(try copy.mapping("BJX")?.source == .manual)
    #expect(try copy.mapping("BJX")?.referenceDate == nil)
    #expect(try copy.mapping("ABC")?.referenceDate == "2026-09-05")
  }

  @Test
  func `an unknown format is not written`() throws {
    #expect(try AirportsDomain().exportRecords([], format: "xlsx") == nil)
  }
}
