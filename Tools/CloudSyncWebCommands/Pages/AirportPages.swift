import Hummingbird
import PageTemplates
import SyncKitFormats
import SyncKitText
import Synchronization

extension WebSite {
  static let airportRoutes: [Route] = [
    Route(.post, "airports/add") { site, request in try await site.addPair(request) },
    Route(.get, "airports/map.svg") { site, request in try await site.airportMap(request) },
  ]

  /// How many doubts are listed.
  private static let mostDoubts = 50

  /// What stands above the tables of the airports.
  func airportsTop(_ request: PageRequest) async throws -> [String: Any] {
    let words = WebWords(request.language)
    let check = try await document(["airports", "check"])
    let count = Int(check["checked"]?.int ?? 0)
    let doubts = check["doubts"]?.array ?? []
    var values: [String: Any] = [
      "code": request.query["code"] ?? "",
      "doubts": doubts.prefix(Self.mostDoubts).map { doubt($0, words) },
      "doubtsAbout": words[
        "airports.doubtsAbout", words.day(check["referenceDate"]?.string ?? "") ?? ""],
      "mapText": words.count("airports.mapText", count),
    ]
    if !doubts.isEmpty { values["hasDoubts"] = true }
    if doubts.count > Self.mostDoubts {
      values["moreDoubts"] = words["import.more", words.number(doubts.count - Self.mostDoubts)]
    }
    if count > 0 { values["hasMap"] = true }
    if let code = request.query["code"] {
      values.merge(try await lookup(code, words)) { _, new in new }
    }
    return values
  }

  private func doubt(_ doubt: JSON, _ words: WebWords) -> [String: Any] {
    let iata = doubt["iata"]?.string ?? ""
    var values: [String: Any] = [
      "iata": iata, "icao": doubt["icao"]?.string ?? "",
      "message": doubt["message"]?.string ?? "",
      "mark": doubt["verdict"]?.string == "contradicts" ? "bad" : "plain",
      "address": address(of: ["collection": "mapping", "id": .string(iata)], in: "airports"),
    ]
    if let right = doubt["reference"]?.string {
      values["right"] = right
      values["take"] = words["airports.take", right]
    }
    return values
  }

  private func lookup(_ code: String, _ words: WebWords) async throws -> [String: Any] {
    let found: JSON
    do {
      found = try await document(
        ["airports", "lookup"], names: code.split(separator: " ").map(String.init))
    } catch let failure as CommandFailure {
      return ["lookupFailure": failure.message]
    }
    let matches = (found["matches"]?.array ?? []).map { match in
      let source = match["source"]?.string ?? ""
      let place = ["city", "country"].compactMap { match[$0]?.string }
      var values: [String: Any] = [
        "iata": match["iata"]?.string ?? "–", "icao": match["icao"]?.string ?? "",
        "name": match["name"]?.string ?? "", "place": place.joined(separator: ", "),
        "source": words.name(source, of: "airports.from"),
      ]
      // What does not come from the reference is a record of this person.
      if source != "reference", let iata = match["iata"] {
        values["address"] = address(of: ["collection": "mapping", "id": iata], in: "airports")
      }
      return values
    }
    return ["hasMatches": true, "matches": matches]
  }

  private func addPair(_ request: PageRequest) async throws -> WebAnswer {
    try await change(
      ["airports", "add"], names: [request.form["iata"] ?? "", request.form["icao"] ?? ""],
      domain: "airports", done: WebWords(request.language)["record.added"])
    return .redirect(to: address("data/airports"))
  }

  // MARK: The map

  private func airportMap(_ request: PageRequest) async throws -> WebAnswer {
    let words = WebWords(request.language)
    async let mine = document(["airports", "export", "--format=geojson"])
    async let land = landOfMap()
    let map = AirportMap(try await mine)
    return try await image(
      "map",
      [
        "title": words.count("airports.mapText", map.airports.count), "land": land,
        "graticule": AirportMap.graticule, "words": AirportMap.words, "airports": map.airports,
      ])
  }

  /// The places of the airports of the reference, which show where land is; asked once.
  private func landOfMap() async throws -> String {
    if let known = land.withLock({ $0 }) { return known }
    let document = try await document(["airports", "nearest", "--limit=100000"], names: ["0,0"])
    let made = AirportMap.land(document["airports"]?.array ?? [])
    land.withLock { $0 = made }
    return made
  }
}

/// A map of the whole earth on which a degree is three pixels wide and high: an equirectangular one.
struct AirportMap {
  /// The airports for the template.
  private(set) var airports: [[String: Any]] = []
  /// The most dots.
  private static let most = 4_000
  private static let scale = 3.0

  /// Reads what `airports export --format geojson` prints; airports at one place are one dot.
  init(_ document: JSON) {
    var dots: [String: (x: String, y: String, labels: [String])] = [:]
    var order: [String] = []
    for feature in document["features"]?.array ?? [] {
      guard let place = feature["geometry"]?["coordinates"]?.array, place.count >= 2,
        let longitude = place[0].double, let latitude = place[1].double,
        let (x, y) = Self.place(latitude, longitude)
      else { continue }
      let key = "\(x) \(y)"
      if dots[key] == nil {
        guard order.count < Self.most else { continue }
        order.append(key)
      }
      dots[key, default: (x, y, [])].labels.append(Self.label(feature))
    }
    airports = order.compactMap { key in
      dots[key].map { dot in
        [
          "x": dot.x, "y": dot.y,
          "label": dot.labels.prefix(8).joined(separator: "; "),
        ]
      }
    }
  }

  private static func label(_ feature: JSON) -> String {
    let properties = feature["properties"]
    let name = properties?["name"]?.string.map { ", \($0)" } ?? ""
    let text = "\(properties?["iata"]?.string ?? "") \(properties?["icao"]?.string ?? "")\(name)"
    // XML has no other control characters, however they are written.
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter {
          $0.properties.generalCategory != .control && $0.value & 0xFFFE != 0xFFFE
        }))
  }

  /// Where a place is on the map; nil for one that is not on the earth.
  private static func place(_ latitude: Double, _ longitude: Double) -> (x: String, y: String)? {
    guard -90...90 ~= latitude, -180...180 ~= longitude else { return nil }
    return (pixels((longitude + 180) * scale), pixels((90 - latitude) * scale))
  }

  private static func pixels(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// A dot for every square degree that has an airport.
  static func land(_ airports: [JSON]) -> String {
    var seen: Set<Int> = []
    var path = ""
    for airport in airports {
      guard let latitude = airport["coordinates"]?["latitude"]?.double,
        let longitude = airport["coordinates"]?["longitude"]?.double,
        -90..<90 ~= latitude, -180..<180 ~= longitude
      else { continue }
      let (row, column) = (Int(89 - latitude.rounded(.down)), Int(longitude.rounded(.down)) + 180)
      guard seen.insert(row * 360 + column).inserted else { continue }
      path += "M\(column * 3 + 1).5 \(row * 3 + 1).5h0"
    }
    return path
  }

  /// A line every 30 degrees.
  static let graticule =
    (1..<12).map { "M\($0 * 90) 0v540" }.joined() + (1..<6).map { "M0 \($0 * 90)h1080" }.joined()

  /// The degrees at the lines.
  static var words: [[String: Any]] {
    stride(from: -150, through: 150, by: 30).map { degrees in
      let side = degrees == 0 ? "" : degrees < 0 ? " W" : " E"
      return ["x": (degrees + 180) * 3 + 3, "y": 536, "text": "\(abs(degrees))°\(side)"]
    }
      + stride(from: -60, through: 60, by: 30).map { degrees in
        let side = degrees == 0 ? "" : degrees < 0 ? " S" : " N"
        return ["x": 3, "y": (90 - degrees) * 3 - 3, "text": "\(abs(degrees))°\(side)"]
      }
  }
}

extension DataCollection {
  /// Whether a person adds records: those of the airports besides mappings come from other commands.
  func takesNew(in domain: String) -> Bool { domain != "airports" || name == "mapping" }
}
