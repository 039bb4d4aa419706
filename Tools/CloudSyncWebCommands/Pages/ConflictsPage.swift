import Hummingbird
import PageTemplates
import SyncKitFormats

extension WebSite {
  static let conflictRoutes: [Route] = [
    Route(.get, "conflicts") { site, request in try await site.conflicts(request) },
    Route(.post, "resolve") { site, request in try await site.resolve(request) },
  ]

  private func conflicts(_ request: PageRequest) async throws -> WebAnswer {
    let words = WebWords(request.language)
    let conflicts = try await document(["conflicts", "list"])["conflicts"]?.array ?? []
    // What needs a decision first.
    let sorted =
      conflicts.filter { $0["decision"]?.string == "needed" }
      + conflicts.filter { $0["decision"]?.string != "needed" }
    var values: [String: Any] = ["conflicts": sorted.map { conflict($0, words) }]
    if sorted.isEmpty { values["isEmpty"] = true }
    return page(
      "conflicts", title: words["conflicts"], current: "conflicts", values, request.language)
  }

  private func conflict(_ conflict: JSON, _ words: WebWords) -> [String: Any] {
    let domain = conflict["domain"]?.string ?? ""
    let field = conflict["field"]?.string ?? ""
    let shown = DataField.text(conflict["shown"])
    let candidates = conflict["values"]?.array ?? []
    var values: [String: Any] = [
      "id": conflict["id"]?.string ?? "", "label": words.name(domain, of: "domain"),
      "record": conflict["record"]?.string ?? "", "field": words.name(field, of: "field"),
      "domain": domain,
      "address": address(
        of: ["collection": conflict["collection"] ?? "", "id": conflict["record"] ?? ""],
        in: domain),
      "values": candidates.map { candidate in
        let text = DataField.text(candidate["value"])
        var values: [String: Any] = [
          "text": words.value(candidate["value"], besides: candidates.map { $0["value"] }),
          "typed": text,
          "device": candidate["device"]?.string ?? "",
        ]
        values["at"] = words.moment(candidate["at"]?.string, now: program.now())
        if candidate["mine"]?.bool == true { values["isMine"] = true }
        if text == shown { values["isShown"] = true }
        if candidate["ahead"]?.bool == true { values["isAhead"] = true }
        return values
      },
    ]
    if conflict["decision"]?.string == "needed" { values["isNeeded"] = true }
    if conflict["byWrongClock"]?.bool == true { values["isByClock"] = true }
    return values
  }

  private func resolve(_ request: PageRequest) async throws -> WebAnswer {
    let words = WebWords(request.language)
    let id = request.form["id"] ?? ""
    // One argument, so that a value may begin with a dash, and an empty one is a value too.
    let value = request.form.pairs.first { $0.name == "value" }?.value ?? ""
    try await change(
      ["conflicts", "resolve", "--value=\(value)"], names: [id],
      domain: id.split(separator: "/").first.map(String.init), done: words["conflicts.settled"])
    return .redirect(to: address("conflicts"))
  }
}
