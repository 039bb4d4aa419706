import AirportMappings
import Testing

struct CityCodeTests {
  private let reference = AirportReference.shared

  @Test
  func `nineteen of 49 city codes are airports too`() {
    #expect(reference.cityCodes.count == 49)
    let both = reference.cityCodes.filter { !reference.isOnlyCityCode($0) }
    let expected = "ANK BFS BKK BRU DFW DKR DXB HOU IEV IST JNB JOG MEL NGO OSL SHA SLU THR TPE"
    #expect(both == expected.split(separator: " ").map(String.init))
  }

  @Test(arguments: ["LON", "NYC", "PAR", "TYO", "WAS", "CHI", "MIL", "lon"])
  func `some codes are a city's alone`(code: String) {
    #expect(reference.isCityCode(code))
    #expect(reference.isOnlyCityCode(code))
    #expect(reference.airport(iata: code) == nil)
  }

  @Test(arguments: ["JFK", "XYZ", "", "LO", "LOND", "ＬＯＮ", "LON\0"])
  func `other codes belong to no city`(code: String) {
    #expect(!reference.isCityCode(code))
    #expect(reference.airports(inCity: code).isEmpty)
  }

  @Test
  func `an airport that shares its city's code is one of the city's airports`() {
    #expect(reference.airports(inCity: "DXB").compactMap(\.iata) == ["DWC", "DXB", "NHD"])
    #expect(reference.airports(inCity: "JNB").compactMap(\.iata) == ["GCJ", "HLA", "JNB", "QRA"])
    #expect(reference.cityCodes.allSatisfy { !reference.airports(inCity: $0).isEmpty })
  }

  @Test(arguments: [
    ("NYC", ["EWR", "HPN", "ISP", "JFK", "LGA", "NYS", "SWF"]), ("WAS", ["BWI", "DCA", "IAD"]),
    ("PAR", ["BVA", "CDG", "LBG", "ORY", "POX", "VIY"]), ("STO", ["ARN", "BMA", "NYO", "VST"]),
    ("BUH", ["BBU", "OTP"]), ("YMQ", ["YHU", "YMX", "YUL"]), ("DTT", ["DET", "DTW", "YIP"]),
    ("TYO", ["HND", "NRT", "OKO"]), ("BAK", ["GYD", "ZXT"]), ("EAP", ["BSL", "MLH"]),
  ])
  func `a metropolitan area has all of its airports`(code: String, airports: [String]) {
    #expect(reference.airports(inCity: code).compactMap(\.iata) == airports)
    #expect(reference.isOnlyCityCode(code))
  }
}
