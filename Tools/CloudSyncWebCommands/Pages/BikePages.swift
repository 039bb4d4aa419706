import Hummingbird
import PageTemplates
import SyncKitFormats
import SyncKitText

extension WebSite {
  static let bikeRoutes: [Route] = [
    Route(.get, "bike/chart") { site, _ in
      try await site.image(["bike", "chart", "--svg=-"])
    },
    Route(.get, "bike/service/:interval") { site, request in try await site.service(request) },
    Route(.post, "bike/service/:interval") { site, request in
      try await site.recordService(request)
    },
  ]

  /// How many entries of the service log stand above the table.
  private static let logRows = 20

  /// What is due, the parts, the services and the distances.
  func bikeTop(_ request: PageRequest) async throws -> [String: Any] {
    let words = WebWords(request.language)
    async let due = document(["bike", "due"])
    async let tree = document(["bike", "component", "tree"])
    async let log = document(["bike", "service-log"])
    async let chart = document(["bike", "chart"])
    let units = try await bikeUnits(words)
    let services = try await due
    let hasRides = services["rides"]?.int ?? 0 > 0
    let parts = try await tree["parts"]?.array ?? []
    let rows = (services["services"]?.array ?? []).map { serviceValues($0, units) }
    return [
      "hasRides": hasRides, "services": rows, "isEmpty": rows.isEmpty,
      "parts": BikePartTree(parts, units, hasRides: hasRides) { self.address("data/bike/\($0)") }
        .values,
      "hasParts": !parts.isEmpty, "months": months(try await chart, units),
      "log": self.log(try await log, bikes: parts, units),
    ]
  }

  /// The units that the person has chosen.
  func bikeUnits(_ words: WebWords) async throws -> BikeUnits {
    let setting = try await document(["config", "get"], names: ["domains.bike.units"])
    let isImperial = setting["settings"]?[0]?["value"]?.string == "imperial"
    return BikeUnits(isImperial: isImperial, words: words)
  }

  // MARK: What is due

  /// A service with the share of its interval that is used, in numbers and as a bar.
  func serviceValues(_ service: JSON, _ units: BikeUnits) -> [String: Any] {
    let words = units.words
    let id = service["interval"]?.string ?? ""
    let status = service["status"]?.string ?? ""
    let limit = (service["limits"]?.array ?? []).max { Self.share($0) < Self.share($1) }
    let measure = limit?["measure"]?.string ?? ""
    let left = limit?["remaining"]?.double ?? 0
    let percent = (service["share"]?.double ?? 0) * 100
    let bar = status == "overdue" ? 100 : Int(min(99, max(0, percent.rounded())))
    let isHere = service["bike"]?["standing"]?.string != "deleted"
    return [
      "part": service["part"]?.string ?? "",
      "component": service["component"]?.string.map { ["name": $0] } ?? false,
      "bike": Self.bikeName(service["bike"]),
      "status": words.name(status, of: "wear"),
      "mark": ["overdue": "bad", "dueSoon": "soon", "unknown": "none"][status] ?? "good",
      "bar": status == "unknown" ? false : ["value": String(bar)],
      "percent": words["bike.percent", words.decimal(percent, places: 0)],
      "of": units.amount(limit?["amount"]?.double ?? 0, measure),
      "left": left < 0
        ? words["bike.over", units.amount(-left, measure)]
        : words["bike.left", units.amount(left, measure)],
      "due": service["dueDate"]?.string.map { ["on": words.date(String($0.prefix(10)))] } ?? false,
      "address": address("bike/service/\(PercentEncoding.encode(id))"), "canService": isHere,
    ]
  }

  private static func share(_ limit: JSON) -> Double {
    (limit["used"]?.double ?? 0) / max(limit["amount"]?.double ?? 1, .leastNormalMagnitude)
  }

  private static func bikeName(_ bike: JSON?) -> String {
    bike?["name"]?.string ?? bike?["id"]?.string ?? ""
  }

  // MARK: The service log

  private func log(_ document: JSON, bikes parts: [JSON], _ units: BikeUnits) -> [String: Any] {
    let words = units.words
    let names = Dictionary(
      parts.filter { $0["depth"]?.int == 0 }.map {
        ($0["id"]?.string ?? "", $0["name"]?.string ?? "")
      }, uniquingKeysWith: { first, _ in first })
    let entries = document["records"]?.array ?? []
    let rows = entries.prefix(Self.logRows).map { entry -> [String: Any] in
      let bike = entry["bike"]?.string ?? ""
      return [
        "date": words.instant(entry["date"]?.string ?? ""), "part": entry["part"]?.string ?? "",
        "bike": names[bike] ?? bike,
        "reset": words[entry["isReset"]?.bool == true ? "yes" : "no"],
        "hours": entry["hours"]?.double.map { words.decimal($0) } ?? "",
        "distance": entry["kilometres"]?.double.map { units.distance($0, places: 0) } ?? "",
        "cost": entry["cost"]?.double.map { cost in
          words.money(cost, entry["currency"]?.string ?? "")
        } ?? "",
        "note": entry["note"]?.string ?? "",
      ]
    }
    let costs = (document["costs"]?.object?.members ?? []).compactMap { currency, sum in
      sum.double.map { words.money($0, currency) }
    }
    return [
      "rows": rows, "isEmpty": rows.isEmpty, "unit": units.name,
      "costs": costs.isEmpty
        ? false : ["text": words["bike.costs", costs.joined(separator: ", ")]],
      "more": entries.count > rows.count
        ? [
          "text": words["bike.allServices", words.number(entries.count)],
          "address": address("data/bike") + FormValues.query([("collection", "serviceRecord")]),
        ] : false,
    ]
  }

  // MARK: Rides by month

  private func months(_ document: JSON, _ units: BikeUnits) -> [String: Any] {
    let months = document["months"]?.array?.compactMap(\.string) ?? []
    let bikes = document["bikes"]?.array ?? []
    let distances = bikes.map { $0["kilometres"]?.array?.map { $0.double ?? 0 } ?? [] }
    let rows = months.indices.reversed().map { month -> [String: Any] in
      let values = distances.map { $0.indices.contains(month) ? $0[month] : 0 }
      let shown = values + (bikes.count > 1 ? [values.reduce(0, +)] : [])
      return [
        "month": units.words.month(months[month]),
        "cells": shown.map { ["text": units.distance($0, places: 1)] },
      ]
    }
    let names = bikes.map { Self.bikeName($0) }
    return [
      "hasAny": !months.isEmpty, "rows": rows, "image": address("bike/chart"),
      "columns": (names + (bikes.count > 1 ? [units.words["bike.total"]] : [])).map {
        ["label": $0]
      },
      "caption": units.words["bike.inUnit", units.name],
    ]
  }
}

/// The units of distances, and amounts in them.
struct BikeUnits {
  let isImperial: Bool
  let words: WebWords

  /// The unit of distances.
  var name: String { isImperial ? "mi" : "km" }

  /// A distance without its unit.
  func distance(_ kilometres: Double, places: Int) -> String {
    words.decimal(isImperial ? kilometres / 1.609344 : kilometres, places: places)
  }

  /// An amount of wear with its unit.
  func amount(_ amount: Double, _ measure: String) -> String {
    switch measure {
    case "hours": "\(words.decimal(amount))\u{A0}h"
    case "kilometres": "\(distance(amount, places: 0))\u{A0}\(name)"
    case "rides": words.count("bike.rides", Self.whole(amount))
    case "days": words.count("bike.days", Self.whole(amount))
    default: words.decimal(amount)
    }
  }

  private static func whole(_ amount: Double) -> Int { Int(exactly: amount.rounded()) ?? 0 }
}

/// The bikes with their parts, and those with theirs, from the lines of `bike component tree`.
struct BikePartTree {
  private let lines: [JSON]
  private let units: BikeUnits
  private let hasRides: Bool
  private let address: (String) -> String

  /// Takes the lines; `address` tells where the page of a record is, by its path.
  init(
    _ lines: [JSON], _ units: BikeUnits, hasRides: Bool, address: @escaping (String) -> String
  ) {
    self.lines = lines
    self.units = units
    self.hasRides = hasRides
    self.address = address
  }

  var values: [[String: Any]] {
    var index = 0
    return nodes(&index, depth: 0)
  }

  /// The nodes of a depth from a line on, with all that are below them.
  private func nodes(_ index: inout Int, depth: Int64) -> [[String: Any]] {
    var nodes: [[String: Any]] = []
    while index < lines.count, lines[index]["depth"]?.int ?? 0 >= depth {
      let line = lines[index]
      index += 1
      let below = self.nodes(&index, depth: (line["depth"]?.int ?? 0) + 1)
      nodes.append(node(line, below))
    }
    return nodes
  }

  private func node(_ line: JSON, _ below: [[String: Any]]) -> [String: Any] {
    let collection = line["depth"]?.int == 0 ? "bike" : "component"
    return [
      "name": line["name"]?.string ?? "",
      "address": address(WebSite.path(of: "\(collection)/\(line["id"]?.string ?? "")")),
      "isMounted": line["mounted"]?.bool ?? true, "wear": hasRides ? ["text": wear(line)] : false,
      // Each has them, so that none takes those of the node around it.
      "parts": below, "hasParts": !below.isEmpty,
    ]
  }

  private func wear(_ line: JSON) -> String {
    [
      units.amount(line["kilometres"]?.double ?? 0, "kilometres"),
      units.amount(line["hours"]?.double ?? 0, "hours"),
      units.amount(Double(line["rides"]?.int ?? 0), "rides"),
    ].joined(separator: " · ")
  }
}
