import AirportMappings
import SyncKit
import Testing

struct CSVImportTests {
  @Test(arguments: [
    "iata,icao\nJFK,KJFK\nlhr, egll\n", "JFK,KJFK\r\nLHR,EGLL", "IATA;ICAO\nJFK;KJFK\nLHR;EGLL\n",
    " Icao ,\"IATA\"\nKJFK,JFK\n\nEGLL,LHR\n", "\u{FEFF}iata\ticao\nJFK\tKJFK\nLHR\tEGLL",
  ])
  func `two columns are enough, with a header or without`(text: String) throws {
    for format in [nil, "csv"] {
      let records = try imported(text, format: format)
      #expect(records.faults.isEmpty)
      #expect(records.rows.map(\.draft.id) == ["JFK", "LHR"])
      #expect(records.rows.map(\.draft.fields) == [["icao": "KJFK"], ["icao": "EGLL"]])
    }
  }

  @Test
  func `optional columns are read, others are ignored, and empty cells say nothing`() throws {
    let records = try imported(
      """
      icao,Source,learnedAutomatically,verified_by_coordinates,createdDate,Modified,lastUsed,iata,deviceID
      KJFK,Learned,1,false,2020-01-01,2021-01-01T01:00:00+01:00,2022-01-01T00:00:00Z,JFK,iPad
      EGLL,,,,,,,LHR,
      """)
    #expect(records.faults.isEmpty)
    #expect(records.rows.map(\.row) == [2, 3])
    let draft = try #require(records.rows.first?.draft)
    #expect(draft.at == 1_609_459_200_000)
    #expect(
      draft.fields == [
        "icao": "KJFK", "source": "learned", "learnedAutomatically": true,
        "verifiedByCoordinates": false, "created": .instant(1_577_836_800_000),
        "lastUsed": .instant(1_640_995_200_000),
      ])
    #expect(records.rows.last?.draft.fields == ["icao": "EGLL"])
    #expect(records.rows.last?.draft.at == nil)
  }

  @Test
  func `every bad row is a fault with its line, column and reason`() throws {
    let records = try imported(
      """
      iata,icao,source,created
      JFK,KJFK,manual,2020-01-01
      JF,KJFK,manual,
      LAX,IKLA,rumour,yesterday
      SFO,K1,,
      "D
      E",KDEN,,
      jfk,KJFX,,
      BOS,KBOS
      NYC,KJFK,,
      MIA,KMIA,,
      """)
    #expect(records.rows.map(\.draft.id) == ["JFK", "MIA"])
    #expect(records.faults.map(\.row) == [3, 4, 4, 4, 5, 6, 8, 9, 10])
    #expect(
      records.faults.map(\.column) == [
        "iata", "icao", "source", "created", "icao", "iata", "iata", nil, "iata",
      ])
    #expect(records.faults[6].message == "“JFK” (2) and “jfk” (8) both mean JFK.")
    #expect(records.faults[7].message.contains("2 cells where the header has 4"))
    #expect(records.rows.map(\.row) == [2, 11])
  }

  @Test
  func `a table without a header reports rows that are not a pair`() throws {
    let records = try imported("JFK,KJFK\nLHR\nLAX,KLAX,x\nfrom,to\n")
    #expect(records.rows.map(\.draft.id) == ["JFK"])
    #expect(records.faults.map(\.row) == [2, 3, 4, 4])
    #expect(records.faults.map(\.column) == [nil, nil, "iata", "icao"])
  }

  @Test
  func `a row that ends all reading is a fault, and what came before it stands`() throws {
    let records = try imported("iata,icao\nJFK,KJFK\nLHR,\"EGLL\nLAX,KLAX\n")
    #expect(records.rows.map(\.draft.id) == ["JFK"])
    #expect(records.faults.map(\.row) == [3])
  }

  @Test(arguments: [
    ("name,code,city\nx,y,z", "needs a header"), ("JFK", "needs a header"),
    ("iata,name\nJFK,x", "lacks the column icao"), ("iata,icao,IATA\nJFK,KJFK,x", "twice"),
    ("iata,ic\"ao\nJFK,KJFK", "line 1, column 8"),
  ])
  func `columns that cannot be recognised are an error`(text: String, reason: String) {
    #expect(refusal(of: text, format: "csv")?.contains(reason) == true)
  }

  @Test
  func `a header alone is an import of nothing`() throws {
    let records = try imported("iata,icao\n")
    #expect(records.rows.isEmpty)
    #expect(records.faults.isEmpty)
  }

  @Test
  func `airports of OurAirports are read by column name, and incomplete rows are skipped`() throws {
    let header =
      "id,ident,type,name,latitude_deg,longitude_deg,elevation_ft,continent,iso_country,iso_region,"
      + "municipality,scheduled_service,icao_code,iata_code,gps_code,local_code,home_link,"
      + "wikipedia_link,keywords\n"
    let rows = [
      #"3622,"KJFK","large_airport","John F Kennedy",40.6,-73.7,13,"NA","US","US-NY","New York","yes","KJFK","JFK","KJFK","JFK",,,"#,
      #"1,"00A","heliport","No codes",40,-74,11,"NA","US","US-PA","X","no",,,"K00A","00A",,,"#,
      #"2,"CEB3","small_airport","Colville Lake",67,-126,850,"NA","CA","CA-NT","X","yes",,"YCK","CEB3","CEB3",,,"#,
      #"3,"FYWH","large_airport","Namibia",-22,17,5640,"AF","NA","NA-KH","Windhoek","yes",,"WDH","FYWH",,,,"#,
      #"4,"MX-0001","small_airport","No IATA",20,-99,1,"NA","MX","MX-X","X","no","MMXX",,"MMXX",,,,"#,
    ]
    let records = try imported(header + rows.joined(separator: "\n"))
    #expect(records.faults.isEmpty)
    #expect(records.rows.map(\.draft.id) == ["JFK", "WDH"])
    #expect(records.rows.map(\.draft.fields) == [["icao": "KJFK"], ["icao": "FYWH"]])
    #expect(records.rows.map(\.row) == [2, 5])
  }

  @Test
  func `a code that reads like a missing value stays a code, and NA is none`() throws {
    let records = try imported("iata,icao\nNAN,NFFN\nNUL,PANU\nJFK,KJFK\nNA,NFFN\n")
    #expect(records.rows.map(\.draft.id) == ["NAN", "NUL", "JFK"])
    #expect(records.passedOver.map(\.kind) == ["no IATA code"])
  }

  @Test
  func `an unknown format is not read`() throws {
    let records = try AirportsDomain().importRecords(Array("JFK,KJFK".utf8), format: "xlsx")
    #expect(records.map(\.rows.count) == nil)
  }
}
