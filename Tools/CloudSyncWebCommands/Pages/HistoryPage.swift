import Hummingbird
import PageTemplates
import SyncKitFormats
import SyncKitText

extension WebSite {
  static let historyRoutes: [Route] = [
    Route(.get, "history") { site, request in try await site.history(request) },
    Route(.post, "undo") { site, request in try await site.undo(request) },
  ]

  /// How many batches a page of the history has.
  private static let batches = 50

  private func history(_ request: PageRequest) async throws -> WebAnswer {
    let words = WebWords(request.language)
    let count = max(1, min(20, request.query["pages"].flatMap { Int($0) } ?? 1)) * Self.batches
    var command = [
      "history", "list", "--limit", String(count), "--changes", String(HistoryRows.mostChanges),
    ]
    let domain = request.query["domain"]
    if let domain {
      _ = try await schema(of: domain)
      command += ["--domain", domain]
    }
    let document = try await document(command)
    let rows = HistoryRows(document, words: words, now: program.now()).values
    var values: [String: Any] = ["history": rows]
    if rows.isEmpty { values["isEmpty"] = true }
    if rows.count >= count {
      values["more"] =
        address("history")
        + FormValues.query([("domain", domain), ("pages", String(count / Self.batches + 1))])
    }
    return page(
      "history", title: words["history"], current: "history", values, request.language)
  }

  private func undo(_ request: PageRequest) async throws -> WebAnswer {
    let words = WebWords(request.language)
    try await change(
      ["undo"], names: [request.form["batch"] ?? ""], domain: request.form["domain"],
      done: words["undone"])
    return .redirect(to: address("history"))
  }
}

/// Batches of the history for a template, from the document of `history list`.
struct HistoryRows {
  private let batches: [JSON]
  private let words: WebWords
  private let now: Int64
  /// The most changes that are shown of one batch.
  static let mostChanges = 8

  init(_ document: JSON?, words: WebWords, now: Int64) {
    batches = document?["batches"]?.array ?? []
    self.words = words
    self.now = now
  }

  var values: [[String: Any]] { batches.map(row) }

  private func row(_ batch: JSON) -> [String: Any] {
    let changes = batch["changes"]?.array ?? []
    let domain = batch["domain"]?.string ?? ""
    var row: [String: Any] = [
      "batch": batch["id"]?.string ?? "", "domain": domain,
      "label": words.name(domain, of: "domain"), "device": batch["device"]?.string ?? "",
      "changes": changes.prefix(Self.mostChanges).map(change),
    ]
    row["at"] = words.moment(batch["at"]?.string, now: now)
    if let omitted = batch["omitted"]?.int, omitted > 0 {
      row["more"] = words.count("history.more", Int(omitted))
    }
    return row
  }

  private func change(_ change: JSON) -> [String: Any] {
    let kind = change["op"]?.string ?? ""
    var values: [String: Any] = [
      "what": words.name(kind, of: "action"), "record": change["record"]?.string ?? "",
    ]
    if let field = change["field"]?.string { values["field"] = words.name(field, of: "field") }
    for (name, other) in [("from", "to"), ("to", "from")] {
      guard let value = change[name], !value.isNull else { continue }
      values[name] = words.value(value, besides: change[other].map { [$0] } ?? [])
    }
    return values
  }
}
