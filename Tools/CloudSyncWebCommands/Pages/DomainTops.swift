import PageTemplates

extension WebSite {
  /// What stands above the table of a domain, by the domain's name.
  ///
  /// They are the values of its template, which `table.mustache` takes in as `top.NAME`. Without values there is no such
  /// part.
  static let tops: [String: @Sendable (WebSite, PageRequest) async throws -> [String: Any]] = [
    "airports": { site, request in try await site.airportsTop(request) },
    "media": { site, request in try await site.mediaTop(request) },
    "settings": { site, request in try await site.settingsTop(request) },
    "health": { site, request in try await site.healthTop(request) },
    "bike": { site, request in try await site.bikeTop(request) },
  ]

  /// What a query says of the table alone.
  private static let tableQuery: Set = ["collection", "q", "sort", "down", "deleted", "page"]

  /// The values of the part above a domain's table.
  ///
  /// Where it has none, the table stands alone; where its commands fail, the values say so, and the table is shown all
  /// the same.
  func top(of domain: String, _ request: PageRequest) async throws -> [String: Any] {
    guard let top = Self.tops[domain] else { return [:] }
    // Whoever looks for something in the table wants the table, and soon.
    guard !request.query.pairs.contains(where: { Self.tableQuery.contains($0.name) }) else {
      return [:]
    }
    do {
      let values = try await top(self, request)
      return values.isEmpty ? [:] : ["top": [domain: values]]
    } catch let failure as CommandFailure {
      return ["topFailure": ["text": failure.message, "hint": failure.hint ?? ""]]
    }
  }
}
