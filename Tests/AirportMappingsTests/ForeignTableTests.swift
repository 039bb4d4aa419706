import AirportMappings
import SyncKit
import Testing

/// Tables of airports as other projects publish them, each in its own layout.
///
/// Layouts are those of the named project; rows are made up around codes that the reference knows.
struct ForeignTableTests {
  /// A file with what has to come of it.
  struct Table: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    var format: String?
    var pairs: [String: String]
    /// How many rows are passed over, by kind.
    var passedOver: [String: Int] = [:]
    var testDescription: String { name }
  }

  @Test(arguments: tables + objects)
  func `a table is read as it comes, and what makes no pair is counted`(table: Table) throws {
    let records = try imported(table.text, format: table.format)
    #expect(records.faults.map(\.message) == [])
    let pairs = records.rows.map {
      ($0.draft.id?.text ?? "", $0.draft.fields["icao"]?.string ?? "")
    }
    #expect(Dictionary(pairs, uniquingKeysWith: { $1 }) == table.pairs)
    #expect(records.rows.count == table.pairs.count)
    #expect(records.rows.allSatisfy { $0.draft.fields.count == 1 && $0.draft.at == nil })
    let passed = Dictionary(uniqueKeysWithValues: records.passedOver.map { ($0.kind, $0.count) })
    #expect(passed == table.passedOver)
  }

  // MARK: Tables

  private static let tables = [
    Table(
      name: "OurAirports, today",
      text: """
        "id","ident","type","name","latitude_deg","longitude_deg","elevation_ft","continent","iso_country","iso_region","municipality","scheduled_service","icao_code","iata_code","gps_code","local_code","home_link","wikipedia_link","keywords"
        1,"KJFK","large_airport","One Field",40.6,-73.8,13,"NA","US","US-NY","Sample","yes","KJFK","JFK","KJFK","JFK",,,
        2,"00A","heliport","Two Pad",40,-74,11,"NA","US","US-PA","Sample","no",,,"K00A","00A",,,
        3,"CEB3","small_airport","Three Strip",65,-123,850,"NA","CA","CA-NT","Sample","yes",,"YCK","CEB3","CEB3",,,
        4,"FYWH","large_airport","Four, Field",-22,17,5640,"AF","NA","NA-KH","Sample","yes",,"WDH","FYWH",,,,
        5,"XX-0001","closed","Five Field",20,-99,1,"NA","MX","MX-X","Sample","no","LEAB","ABC",,,,,
        6,"EGLL","large_airport","Six Field",51,0,80,"EU","GB","GB-ENG","Sample","yes",,"LHR","EGLL",,,,
        """,
      pairs: ["JFK": "KJFK", "WDH": "FYWH", "LHR": "EGLL"],
      passedOver: [
        "no IATA code": 1, "a local code in place of an ICAO code": 1, "a closed airport": 1,
      ]),
    Table(
      name: "datahub's airport-codes, without an ICAO column",
      text: """
        ident,type,name,elevation_ft,continent,iso_country,iso_region,municipality,gps_code,iata_code,local_code,coordinates
        00AA,small_airport,A Field,3435,NA,US,US-KS,Sample,00AA,,00AA,"38.7, -101.4"
        EGLL,large_airport,B Field,83,EU,GB,GB-ENG,Sample,EGLL,LHR,,"51.4, -0.4"
        AU-0004,small_airport,C Field,,OC,AU,AU-QLD,Sample,,BEO,,"-27.2, 150.4"
        """,
      pairs: ["LHR": "EGLL"], passedOver: ["no IATA code": 1, "no ICAO code": 1]),
    Table(
      name: "an extract of OurAirports that has only the identifier",
      text: """
        ident,name,iata_code
        EDDF,A Field,FRA
        US-0443,B Field,
        CEB3,C Field,YCK
        """,
      pairs: ["FRA": "EDDF"],
      passedOver: ["no IATA code": 1, "a local code in place of an ICAO code": 1]),
    Table(
      name: "OpenFlights, 14 columns without a header",
      text: #"""
        1,"A Field","Sample","Sampleland","FRA","EDDF",50.0,8.5,364,1,"E","Europe/Berlin","airport","OurAirports"
        2,"B \"Old\" Field","Sample","Sampleland",\N,"EDKA",50.8,6.1,623,1,"E","Europe/Berlin","airport","OurAirports"
        3,"C Station","Sample","Sampleland","QKL",\N,50.9,6.9,174,1,"E",\N,"station","User"
        4,"D Field","Sample","Sampleland","YCK","CEB3",65.0,-123.4,850,-7,"A",\N,"airport","OurAirports"
        5,"E Field","Sample","Sampleland","LHR","EGLL",51.4,-0.4,83,0,"E","Europe/London","airport","OurAirports"

        """#,
      pairs: ["FRA": "EDDF", "LHR": "EGLL"],
      passedOver: [
        "no IATA code": 1, "no ICAO code": 1, "a local code in place of an ICAO code": 1,
      ]),
    Table(
      name: "OpenFlights of former years, 11 columns with empty cells",
      text: """
        507,"A Field","Sample","Sampleland","LHR","EGLL",51.4775,-0.461389,83,0,"E"
        508,"B Field","Sample","Sampleland","","EGKB",51.3,0.03,598,0,"E"
        509,"C Field","Sample","Sampleland","CDG","LFPG",49.0,2.5,392,1,"E"

        """,
      format: "dat", pairs: ["LHR": "EGLL", "CDG": "LFPG"], passedOver: ["no IATA code": 1]),
    Table(
      name: "OpenTravelData, carets, cities beside airports, entries of the past",
      text: """
        iata_code^icao_code^faa_code^is_geonames^geoname_id^envelope_id^name^asciiname^latitude^longitude^fclass^date_from^date_until^country_code^city_code_list^location_type
        AAE^DABB^^Y^11^^A Field^A Field^36.8^7.8^S^^^DZ^AAE^A
        AAE^^^Y^12^^A Town "Old"^A Town^36.9^7.7^P^^^DZ^AAE^C
        FRA^EDDF^^Y^13^^B, Field^B Field^50.0^8.5^S^^^DE^FRA^A
        FRA^EDAF^^Y^14^1^B Base^B Base^50.0^8.5^S^1945-01-01^2005-12-31^DE^FRA^A
        ZRB^^^Y^15^^B Station^B Station^50.1^8.6^S^^^DE^FRA^R

        """,
      pairs: ["AAE": "DABB", "FRA": "EDDF"],
      passedOver: ["no ICAO code": 2, "an entry of the past": 1]),
    Table(
      name: "OpenTravelData's lists with their header in a remark",
      text: """
        # iata_code^icao_code^name^location_type
        # AAA^XXXX^an example^A
        FRA^EDDF^A Field^A
        """,
      pairs: ["FRA": "EDDF"]),
    Table(
      name: "ip2location",
      text: """
        "country_code","region_name","iata","icao","airport","latitude","longitude"
        "AE","Sample","AUH","OMAA","A Field","24.4","54.6"
        "AE","Sample","AYM","","B Port","24.5","54.6"
        "AR","Sample","","SAWA","C Field","-50.3","-72.2"
        "FR","Sample","MLH","LFSB","D Field","47.6","7.5"
        "FR","Sample","BSL","LFSB","D Field","47.6","7.5"
        """,
      pairs: ["AUH": "OMAA", "MLH": "LFSB", "BSL": "LFSB"],
      passedOver: ["no IATA code": 1, "no ICAO code": 1]),
    Table(
      name: "airportsdata, whose key is often a local code",
      text: """
        "icao","iata","name","city","subd","country","elevation","lat","lon","tz","lid"
        "00AA","","A Field","Sample","Sample","US",3435,38.7,-101.4,"America/Chicago","00AA"
        "KJFK","JFK","B Field","Sample","Sample","US",13,40.6,-73.7,"America/New_York","JFK"
        "CEB3","YCK","C Field","Sample","Sample","CA",850,65.0,-123.4,"America/Yellowknife",""
        """,
      pairs: ["JFK": "KJFK"],
      passedOver: ["no IATA code": 1, "a local code in place of an ICAO code": 1]),
    Table(
      name: "lxndrblz, words for nothing in place of a code",
      text: """
        code,icao,name,latitude,longitude,elevation,url,time_zone,city_code,country,city,state,county,type,iata
        A1,EGLL,A Field,51.4,-0.4,83,,Europe/London,LON,GB,London,England,,AP,LHR
        A2,N/A,B Field,51.4,-0.4,83,,Europe/London,LON,GB,London,England,,AP,LGW
        A3,NULL,C Field,51.4,-0.4,83,,Europe/London,LON,GB,London,England,,AP,STN
        A4,EGGW,D Field,51.4,-0.4,83,,Europe/London,LON,GB,London,England,,AP,-
        A5,None,E Field,51.4,-0.4,83,,Europe/London,LON,GB,London,England,,AP,LCY
        A6,nan,F Field,51.4,-0.4,83,,Europe/London,LON,GB,London,England,,AP,SEN
        A7,EGKK,G Field,51.4,-0.4,83,,Europe/London,LON,GB,London,England,,AP,NaN
        """,
      pairs: ["LHR": "EGLL"], passedOver: ["no ICAO code": 4, "no IATA code": 2]),
    Table(
      name: "a table with the codes of cities",
      text: "iata,icao,name\nLON,EGLL,A Town\nJFK,KJFK,B Field\n", pairs: ["JFK": "KJFK"],
      passedOver: ["the code of a city": 1]),
    Table(
      name: "the same airport twice",
      text: "IATA,ICAO,City\nJFK,KJFK,A\njfk,kjfk,B\nLHR,EGLL,C\n",
      pairs: ["JFK": "KJFK", "LHR": "EGLL"], passedOver: ["repeats another row": 1]),
    Table(
      name: "two ICAO codes for one IATA code, one of them right",
      text: "iata,icao,name\nBEM,FEFL,A Field\nBEM,GMMD,B Field\n", pairs: ["BEM": "GMMD"],
      passedOver: ["another row has another ICAO code": 1]),
    Table(
      name: "two ICAO codes for one IATA code, none of them known",
      text: "iata,icao,name\nXQZ,KXQZ,A Field\nJFK,KJFK,C Field\nXQZ,CXQZ,B Field\n",
      pairs: ["JFK": "KJFK"], passedOver: ["another row has another ICAO code": 2]),
    Table(
      name: "Windows' regional settings: semicolons, a line that names them, empty columns",
      text:
        "sep=;\r\nIATA-Code;ICAO-Code;Flughafen;;\r\nMUC;EDDM;A Feld;;\r\nZRH;LSZH;B Feld;;\r\n",
      pairs: ["MUC": "EDDM", "ZRH": "LSZH"]),
    Table(
      name: "French: OACI",
      text: "Aéroport;Code IATA;Code OACI\nA;NTE;LFRS\nB;;LFRZ\n", pairs: ["NTE": "LFRS"],
      passedOver: ["no IATA code": 1]),
    Table(
      name: "Spanish, columns in quotes with spaces between",
      text: "\"Ciudad\", \"IATA\", \"OACI\"\n\"A, B\", \"MAD\", \"LEMD\"\n", pairs: ["MAD": "LEMD"]),
    Table(
      name: "Russian",
      text: "Город\tКод ИАТА\tКод ИКАО\nА\tSVO\tUUEE\n", format: "tsv", pairs: ["SVO": "UUEE"]),
    Table(
      name: "Chinese",
      text: "机场,三字码,四字码\n甲,PVG,ZSPD\n", pairs: ["PVG": "ZSPD"]),
    Table(
      name: "a title above the header, and bars",
      text: "My airports\n\nIATA|ICAO|Note\nDEN|KDEN|a\nSEA|KSEA|b\n",
      pairs: ["DEN": "KDEN", "SEA": "KSEA"]),
    Table(
      name: "Excel's formulas that keep text as text",
      text: "IATA,ICAO\n\"=\"\"JFK\"\"\",\"=\"\"KJFK\"\"\"\n'LHR,'EGLL\n",
      pairs: ["JFK": "KJFK", "LHR": "EGLL"]),
    Table(
      name: "two columns, the ICAO code first", text: "KJFK,JFK\nEGLL,LHR\nEDDF,FRA\n",
      pairs: ["JFK": "KJFK", "LHR": "EGLL", "FRA": "EDDF"]),
    Table(
      name: "a person's two columns, one code unknown", text: "iata,icao\nJFK,KJFK\nXYZ,\n,KABC\n",
      pairs: ["JFK": "KJFK"], passedOver: ["no IATA code": 1, "no ICAO code": 1]),
    Table(
      name: "the Global Airport Database, parted by colons",
      text: """
        EGLL:LHR:A FIELD:SAMPLE:ENGLAND:051:028:039:N:000:027:041:W:00025:51.477:-0.461
        EGKB:N/A:B FIELD:SAMPLE:ENGLAND:051:019:051:N:000:001:057:E:00182:51.331:0.033
        EDDF:FRA:C FIELD:SAMPLE:GERMANY:050:001:035:N:008:032:035:E:00111:50.026:8.543

        """,
      format: "txt", pairs: ["LHR": "EGLL", "FRA": "EDDF"], passedOver: ["no IATA code": 1]),
    Table(
      name: "a course's table in single quotes",
      text: "IATA, ICAO, Name\n'JFK ', 'KJFK ', 'A '\n'LHR ', 'EGLL ', 'B '\n",
      pairs: ["JFK": "KJFK", "LHR": "EGLL"]),
    Table(
      name: "Markdown", text: "| IATA | ICAO | Name |\n|------|:-----|---|\n| JFK | KJFK | A |\n",
      format: "txt", pairs: ["JFK": "KJFK"], passedOver: ["no IATA code": 1]),
    Table(
      name: "a logbook with both codes behind each name",
      text: """
        Date,Flight number,From,To,Dep time
        2024-01-01,XX1,"Sample / Sample Field (LHR/EGLL)","Other / Other (JFK/KJFK)",10:00:00
        2024-01-02,XX2,"Other / Other (JFK/KJFK)","Small / Small Strip (NA0/EDXP)",11:00:00
        """,
      pairs: ["LHR": "EGLL", "JFK": "KJFK"],
      passedOver: ["repeats another row": 1, "an IATA code that is not three letters": 1]),
    Table(
      name: "lines made by hand", text: "JFK KJFK\nLHR = EGLL\nEDDF -> FRA\nMUC/EDDM\n",
      format: "txt",
      pairs: ["JFK": "KJFK", "LHR": "EGLL", "FRA": "EDDF", "MUC": "EDDM"]),
    Table(
      name: "a map in YAML", text: "JFK: KJFK\nLHR: EGLL\n",
      format: nil, pairs: ["JFK": "KJFK", "LHR": "EGLL"]),
    Table(
      name: "columns without names in another order, with remarks",
      text: "Frankfurt\tEDDF\tDE\tFRA\nLondon\tEGLL\tGB\tLHR\n", format: "txt",
      pairs: ["FRA": "EDDF", "LHR": "EGLL"]),
  ]

  // MARK: JSON

  private static let objects = [
    Table(
      name: "mwgg: objects by ICAO code",
      text: """
        {"00AK": {"icao": "00AK", "iata": "", "name": "A Field", "city": "Sample", "lat": 59.9},
         "KJFK": {"icao": "KJFK", "iata": "JFK", "name": "B Field", "city": "Sample", "lat": 40.6},
         "EDAY": {"icao": "EDAY", "iata": null, "name": "C Field", "city": "Sample", "lat": 52.5}}
        """,
      pairs: ["JFK": "KJFK"], passedOver: ["no IATA code": 2]),
    Table(
      name: "objects by IATA code that do not repeat it",
      text: #"{"JFK": {"icao": "KJFK", "name": "A"}, "LHR": {"icao": "EGLL", "name": "B"}}"#,
      pairs: ["JFK": "KJFK", "LHR": "EGLL"]),
    Table(
      name: "objects by ICAO code that do not repeat it",
      text:
        #"{"KJFK": {"iata": "JFK", "name": "A"}, "EGLL": {"iata": "LHR"}, "EDAY": {"iata": ""}}"#,
      pairs: ["JFK": "KJFK", "LHR": "EGLL"], passedOver: ["no IATA code": 1]),
    Table(
      name: "a map from ICAO to IATA codes",
      text: #"{"KJFK": "JFK", "EGLL": "LHR", "EDDF": "FRA"}"#,
      pairs: ["JFK": "KJFK", "LHR": "EGLL", "FRA": "EDDF"]),
    Table(
      name: "OurAirports as JSON with the names of its CSV",
      text: """
        [{"id": 1, "ident": "KJFK", "type": "large_airport", "iata_code": "JFK", "icao_code": "KJFK"},
         {"id": 2, "ident": "00A", "type": "heliport", "iata_code": "", "gps_code": "K00A"},
         {"id": 3, "ident": "FYWH", "type": "large_airport", "iata_code": "WDH", "gps_code": "FYWH"}]
        """,
      pairs: ["JFK": "KJFK", "WDH": "FYWH"], passedOver: ["no IATA code": 1]),
    Table(
      name: "JSON lines",
      text: """
        {"iata_code": "JFK", "icao_code": "KJFK", "name": "A"}
        {"iata_code": null, "icao_code": "EDAY", "name": "B"}

        {"iata_code": "LHR", "icao_code": "EGLL", "name": "C"}
        """,
      format: "jsonl", pairs: ["JFK": "KJFK", "LHR": "EGLL"], passedOver: ["no IATA code": 1]),
    Table(
      name: "JSON lines without a format",
      text: "{\"iata\": \"JFK\", \"icao\": \"KJFK\"}\n{\"iata\": \"LHR\", \"icao\": \"EGLL\"}\n",
      pairs: ["JFK": "KJFK", "LHR": "EGLL"]),
    Table(
      name: "a service's answer with pages",
      text: """
        {"pagination": {"offset": 0, "limit": 2}, "data": [
          {"id": "1", "airport_name": "A", "iata_code": "ACC", "icao_code": "DGAA"},
          {"id": "2", "airport_name": "B", "iata_code": "ANC", "icao_code": "PANC"}]}
        """,
      pairs: ["ACC": "DGAA", "ANC": "PANC"]),
    Table(
      name: "another service's answer, in camel case",
      text:
        #"[{"airportId": "1", "nameAirport": "A", "codeIataAirport": "ORY", "codeIcaoAirport": "LFPO", "codeIataCity": "PAR"}]"#,
      pairs: ["ORY": "LFPO"]),
    Table(
      name: "GeoJSON",
      text: """
        {"type": "FeatureCollection", "features": [
          {"type": "Feature", "properties": {"iata": "CDG", "icao": "LFPG", "name": "A"},
           "geometry": {"type": "Point", "coordinates": [2.5, 49.0]}},
          {"type": "Feature", "properties": {"iata": "", "icao": "LFPB", "name": "B"},
           "geometry": {"type": "Point", "coordinates": [2.4, 48.9]}}]}
        """,
      format: "geojson", pairs: ["CDG": "LFPG"], passedOver: ["no IATA code": 1]),
    Table(
      name: "OpenDataSoft, whose records have fields of their own",
      text: """
        [{"datasetid": "airports", "recordid": "a1", "fields": {"iata_code": "NCE", "icao_code": "LFMN"}},
         {"datasetid": "airports", "recordid": "a2", "fields": {"iata_code": "LYS", "icao_code": "LFLL"}}]
        """,
      pairs: ["NCE": "LFMN", "LYS": "LFLL"]),
    Table(
      name: "codes within an object of their own",
      text:
        #"{"airports": [{"name": "A", "codes": {"iata": "OSL", "icao": "ENGM"}}, {"name": "B", "codes": {"iata": "BGO", "icao": "ENBR"}}]}"#,
      pairs: ["OSL": "ENGM", "BGO": "ENBR"]),
    Table(
      name: "flights, with an airport at each end and an airline",
      text: """
        {"data": [{"flight_date": "2024-01-01",
          "departure": {"airport": "A", "iata": "SFO", "icao": "KSFO"},
          "arrival": {"airport": "B", "iata": "DFW", "icao": "KDFW"},
          "airline": {"name": "C", "iata": "XX", "icao": "XXA"}}]}
        """,
      pairs: ["SFO": "KSFO", "DFW": "KDFW"],
      passedOver: ["an IATA code that is not three letters": 1]),
    Table(
      name: "lists with a header",
      text:
        #"[["iata", "icao", "name"], ["JFK", "KJFK", "A"], ["LHR", "EGLL", "B"], ["X1", null, "C"]]"#,
      pairs: ["JFK": "KJFK", "LHR": "EGLL"], passedOver: ["no ICAO code": 1]),
    Table(
      name: "lists without a header", text: #"[["JFK", "KJFK"], ["LHR", "EGLL"]]"#,
      pairs: ["JFK": "KJFK", "LHR": "EGLL"]),
  ]

  // MARK: The rest

  @Test func `UTF-16 and Windows-1252 are read like UTF-8`() throws {
    let text = "IATA\tICAO\tOrt\r\nZRH\tLSZH\tZürich\r\nGVA\tLSGG\tGenève\r\n"
    let units = Array(text.utf16)
    let utf16: [UInt8] = [0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let latin1: [UInt8] = text.unicodeScalars.map { UInt8($0.value) }
    for bytes in [Array(text.utf8), utf16, latin1] {
      let records = try #require(try AirportsDomain().importRecords(bytes, format: nil))
      #expect(records.faults.isEmpty)
      #expect(records.rows.map(\.draft.id) == ["ZRH", "GVA"])
    }
  }

  @Test func `a text in an encoding that cannot be told is refused with a way out`() {
    let text = Array("iata;icao;город\nSVO;UUEE;".utf8) + [0xCC, 0xEE, 0xF1, 0xEA, 0xE2, 0xE0]
    let error = #expect(throws: SyncError.self) {
      try AirportsDomain().importRecords(text, format: "csv")
    }
    #expect(error?.code == .inputInvalid)
    #expect(error?.message.contains("line 2") == true)
    #expect(error?.hint?.contains("--encoding") == true)
  }

  @Test func `rows that disagree are named, with what was decided`() throws {
    let records = try imported(
      "iata,icao,name\nBEM,FEFL,A\nXQZ,KXQZ,B\nBEM,GMMD,C\nXQZ,CXQZ,D\nJFK,KJFK,E\n")
    #expect(
      records.warnings == [
        "BEM: rows 2 (FEFL), 4 (GMMD) disagree; GMMD was taken, as the reference has it",
        "XQZ: rows 3 (KXQZ), 5 (CXQZ) disagree; none was taken",
      ])
  }

  @Test func `in a person's table none of two unknown codes is preferred`() throws {
    let records = try imported("iata,icao\nXQZ,KXQZ\nJFK,KJFK\nXQZ,CXQZ\n")
    #expect(records.rows.map(\.draft.id) == ["JFK"])
    #expect(records.faults.map(\.row) == [2, 4])
    #expect(Set(records.faults.map(\.message)) == ["“XQZ” (2) and “XQZ” (4) both mean XQZ."])
  }

  @Test func `in a person's table the code that the reference has wins over another`() throws {
    let records = try imported("iata,icao\nBEM,FEFL\nBEM,GMMD\n")
    #expect(records.rows.map(\.draft.fields) == [["icao": "GMMD"]])
    #expect(records.faults.map(\.row) == [2])
  }

  @Test(
    arguments: [
      ("iata,icao\n,KJFK\nLHR,\n", "No row has both an IATA and an ICAO code"),
      (
        "dep_iata,dep_icao,arr_iata,arr_icao\nJFK,KJFK,LHR,EGLL\n",
        "Several columns may be the IATA"
      ),
      ("2B,410,AER,2965,KZN,2990,,0,CR2\n2B,410,ASF,2966,KZN,2990,,0,CR2\n", "needs a header"),
      ("id,name,alias,iata,callsign,country\n1,A,,AB,C,D\n", "lacks the column icao"),
      ("[[\"a\", \"b\", \"c\"], [\"d\", \"e\", \"f\"]]", "hold no pairs of codes"),
    ] as [(String, String)])
  func `a table of something else is refused`(text: String, reason: String) {
    #expect(refusal(of: text)?.contains(reason) == true)
  }
}
