import Hummingbird
import PageTemplates
import SyncKitFormats
import SyncKitText

extension WebSite {
  static let healthRoutes: [Route] = [
    Route(.get, "health/person/:id") { site, request in try await site.person(request) },
    Route(.get, "health/person/:id/emergency") { site, request in
      try await site.emergency(request)
    },
    Route(.get, "health/person/:id/chart") { site, request in
      try await site.healthChart(request)
    },
    Route(.post, "health/person/:id/add") { site, request in
      try await site.addEntry(request)
    },
  ]

  /// People and pets, and what is due for them.
  func healthTop(_ request: PageRequest) async throws -> [String: Any] {
    let words = WebWords(request.language)
    async let subjects = document(["health", "subject", "list"])
    async let due = document(["health", "due"])
    let cards = try await (subjects["subjects"]?.array ?? []).map { card(of: $0, words) }
    return [
      "subjects": cards, "isEmpty": cards.isEmpty,
      "due": dueValues(try await due, words, title: words["health.due"], hasNames: true),
    ]
  }

  private func card(of subject: JSON, _ words: WebWords) -> [String: Any] {
    let born = subject["born"]?.string
    return [
      "name": subject["name"]?.string ?? "",
      "address": personAddress(subject["id"]?.string ?? ""),
      "kind": words.name(subject["kind"]?.string ?? "", of: "subject"),
      "born": born.map { ["on": words.date($0)] } ?? false,
      "entries": words.count("health.entries", Int(subject["entries"]?.int ?? 0)),
      "scope": words.name(subject["scope"]?.string ?? "", of: "scope"),
    ]
  }

  /// Where the page of a person or pet is.
  func personAddress(_ id: String) -> String {
    address("health/person/\(PercentEncoding.encode(id))")
  }

  /// What a document of `health due` says, the most urgent first as the command has it.
  ///
  /// With `hasNames` it says of each item for whom it is.
  func dueValues(
    _ document: JSON, _ words: WebWords, title: String, hasNames: Bool
  ) -> [String: Any] {
    let items = (document["due"]?.array ?? []).map { item -> [String: Any] in
      let isOverdue = item["overdue"]?.bool ?? false
      return [
        "day": words.date(item["day"]?.string ?? ""), "name": item["name"]?.string ?? "",
        "address": personAddress(item["subject"]?.string ?? ""),
        "what": words.name(item["what"]?.string ?? "", of: "due"),
        "title": item["title"]?.string ?? "",
        "entry": address("data/health/\(Self.path(of: item["entry"]?.string ?? ""))"),
        "state": words[isOverdue ? "due.overdue" : "due.due"], "mark": isOverdue ? "bad" : "plain",
      ]
    }
    return [
      "title": title, "items": items, "isEmpty": items.isEmpty, "hasNames": hasNames,
    ]
  }

  /// The path of a record that is written as `COLLECTION/ID`.
  static func path(of record: String) -> String {
    record.split(separator: "/", maxSplits: 1).map { PercentEncoding.encode(String($0)) }
      .joined(separator: "/")
  }

  /// A chart of the readings of a person or pet, as an image of its own.
  private func healthChart(_ request: PageRequest) async throws -> WebAnswer {
    try await image(
      ["health", "chart", "--of=\(request.query["of"] ?? "weight")", "--svg=-"],
      names: [request["id"]])
  }

  /// Runs a command that writes an image.
  ///
  /// - Throws: ``WebFailure`` 404 where there is nothing to draw, ``CommandFailure`` when it fails otherwise.
  func image(_ words: [String], names: [String] = []) async throws -> WebAnswer {
    let outcome = try await program.run(words, names: names)
    if let failure = outcome.failure {
      guard failure.code == "record.not-found" else { throw failure }
      throw WebFailure(404, failure.message)
    }
    return WebAnswer(outcome.output, "image/svg+xml")
  }
}
