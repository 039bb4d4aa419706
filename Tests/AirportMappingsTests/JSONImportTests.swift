import AirportMappings
import SyncKit
import Testing

struct JSONImportTests {
  @Test(arguments: [nil, "json"])
  func `the app's map becomes mappings, spaces and small letters forgiven`(format: String?) throws {
    let records = try imported(#"{" jfk ": "kjfk ", "LHR": "EGLL"}"#, format: format)
    #expect(records.faults.isEmpty)
    #expect(records.rows.map(\.draft.id) == ["JFK", "LHR"])
    #expect(records.rows.map(\.draft.fields) == [["icao": "KJFK"], ["icao": "EGLL"]])
    #expect(records.rows.map(\.row) == [1, 2])
  }

  @Test(arguments: ["UserAirportMappings", "UserAirportCodeMappings"])
  func `a map is found under either key of the app`(key: String) throws {
    let records = try imported(#"{"iCloudSyncEnabled": true, "\#(key)": {"JFK": "KJFK"}}"#)
    #expect(records.rows.map(\.draft.id) == ["JFK"])
    #expect(records.faults.isEmpty)
  }

  @Test
  func `both keys of the app are united, and contradictions named`() throws {
    let records = try imported(
      """
      {"UserAirportMappings": {"JFK": "KJFK", "ABC": "LEAB"},
       "UserAirportCodeMappings": {"JFK": "KJFK", "ABC": "KABC"}}
      """)
    #expect(records.rows.map(\.draft.id) == ["JFK", "ABC"])
    #expect(records.faults.map(\.message) == ["“ABC” (2) and “ABC” (3) both mean ABC."])
  }

  @Test(arguments: ["{}", " \n{ }", "[]", #"{"records": []}"#, #"{"UserAirportMappings": {}}"#])
  func `no pairs are no rows`(text: String) throws {
    let records = try imported(text)
    #expect(records.rows.isEmpty)
    #expect(records.faults.isEmpty)
  }

  @Test(arguments: ["", " \r\n\t", "\u{FEFF}", "\u{FEFF}\n"], [nil, "json", "csv"])
  func `an empty file is an error`(text: String, format: String?) {
    #expect(refusal(of: text, format: format) == "The file is empty.")
  }

  @Test
  func `a key that comes twice is an error with its place`() {
    let message = refusal(of: "{\"JFK\": \"KJFK\",\n \"JFK\": \"KJFK\"}")
    #expect(message?.contains("line 2, column 2") == true)
  }

  @Test(arguments: [#"{"JFK": "KJFK""#, "{'JFK': 'KJFK'}", #"{"JFK": "KJFK",}"#, "[1", "{]"])
  func `invalid JSON is an error with its place`(text: String) {
    #expect(refusal(of: text)?.hasPrefix("The file is not valid JSON: line 1, column ") == true)
  }

  @Test(arguments: ["1", "true", "\"JFK\"", "null"])
  func `a document of neither codes nor records is an error`(text: String) {
    #expect(refusal(of: text, format: "json")?.contains("must contain") == true)
  }

  @Test
  func `two keys for one code are a fault that names both`() throws {
    let records = try imported(#"{"JFK": "KJFK", " jfk": "KJFX"}"#)
    #expect(records.rows.count == 1)
    #expect(records.faults.map(\.row) == [2])
    #expect(records.faults.map(\.column) == [" jfk"])
    #expect(records.faults.map(\.message) == ["“JFK” (1) and “jfk” (2) both mean JFK."])
  }

  @Test
  func `every bad pair is a fault with its place, key and reason`() throws {
    let records = try imported(
      """
      {"JFK": "KJFK", "J1K": "KJFK", "LAX": "QLAX", "LON": "EGLL", "SFO": 5, "": "KORD", "DEN": null,
       "BOS": ["KBOS"], "SEA": {"icao": "KSEA"}}
      """)
    #expect(records.rows.map(\.draft.id) == ["JFK", "SEA"])
    #expect(records.faults.map(\.row) == [2, 3, 4, 5, 8])
    #expect(records.faults.map(\.column) == ["J1K", "LAX", "LON", "SFO", "BOS"])
    let reasons = [
      "the digit 1", "begins with Q", "the code of a city", "must be text, not 5",
      "must be text, not an array",
    ]
    for (fault, reason) in zip(records.faults, reasons) {
      #expect(fault.message.contains(reason))
    }
    #expect(
      records.passedOver == [
        ImportedRecords.PassedOver(kind: "no IATA code", count: 1, first: 6),
        ImportedRecords.PassedOver(kind: "no ICAO code", count: 1, first: 7),
      ])
  }

  @Test
  func `a document of a listing gives everything that its records say`() throws {
    let records = try imported(
      """
      {"schema": "cloudsync.airports.list/1", "records": [
        {"collection": "mapping", "id": "JFK", "created": "2020-01-01T00:00:00.000Z",
         "modified": "2021-01-01T00:00:00.000Z", "device": {"id": "x", "name": "y"},
         "scope": "local", "conflicts": [],
         "fields": {"icao": "KJFK", "source": "learned", "learnedAutomatically": true,
           "verifiedByCoordinates": false, "referenceDate": "2026-09-05", "lastUsed": null}},
        {"collection": "rejection", "id": "abc-kabc", "fields": {}},
        {"collection": "unknown", "id": "XYZ", "fields": {"lastSeen": "2022-01-01"}},
        {"collection": "mapping", "id": "SFO", "deleted": true, "fields": {"icao": "KSFO"}}]}
      """)
    #expect(records.faults.isEmpty)
    #expect(records.rows.map(\.draft.id) == ["JFK", "ABC-KABC", "XYZ"])
    #expect(records.rows.map(\.draft.collection) == ["mapping", "rejection", "unknown"])
    let draft = try #require(records.rows.first?.draft)
    #expect(draft.at == 1_609_459_200_000)
    #expect(
      draft.fields == [
        "icao": "KJFK", "source": "learned", "learnedAutomatically": true,
        "verifiedByCoordinates": false, "referenceDate": "2026-09-05",
        "created": .instant(1_577_836_800_000),
      ])
  }

  @Test
  func `records as the app's database has them are read too`() throws {
    let records = try imported(
      """
      [{"iata": "jfk", "icao": "kjfk", "createdDate": "2020-01-01T00:00:00Z", "deviceID": "unknown",
        "modifiedDate": "2021-01-01T00:00:00Z", "learnedAutomatically": 1, "verifiedByCoordinates": 0}]
      """)
    #expect(records.faults.isEmpty)
    let draft = try #require(records.rows.first?.draft)
    #expect(draft.id == "JFK")
    #expect(draft.at == 1_609_459_200_000)
    #expect(draft.fields["learnedAutomatically"] == true)
    #expect(draft.fields["verifiedByCoordinates"] == false)
  }

  @Test
  func `bad records are faults with the field`() throws {
    let records = try imported(
      """
      {"records": [
        {"id": "JFK", "fields": {"icao": "KJFK", "source": "rumour", "runway": 3}},
        {"id": "LAX", "fields": {}}, {"fields": {"icao": "KSFO"}}, 7,
        {"collection": "aircraft", "id": "SFO", "fields": {"icao": "KSFO"}},
        {"id": "DEN", "fields": {"icao": "KDEN", "lastUsed": 5, "learnedAutomatically": 2}},
        {"iata": "BOS"}]}
      """)
    #expect(records.rows.isEmpty)
    #expect(records.faults.map(\.row) == [1, 1, 2, 3, 4, 5, 6, 6])
    #expect(
      records.faults.map(\.column) == [
        "source", "runway", "icao", "iata", nil, "collection", "lastUsed", "learnedAutomatically",
      ])
    #expect(records.passedOver.map(\.kind) == ["no ICAO code"])
    #expect(
      records.faults[0].message == "A source is one of verified, manual, learned and guessed.")
  }
}
