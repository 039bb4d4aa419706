import PageTemplates

extension WebSite {
  /// What stands above the table of a domain, by the domain's name.
  ///
  /// They are the values of its template, which `tops.mustache` takes in as `top.NAME`. Without values there is no such
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

  /// From how many records on the part above the table comes by itself: it looks at all of them, the table at a few.
  private static let muchData = 5_000

  /// The values of what a domain's page has above its table; none where it has the table alone.
  func top(
    of domain: String, _ schema: DomainFields, _ request: PageRequest
  ) async throws -> [String: Any] {
    // Whoever looks for something in the table wants the table, and soon.
    guard Self.tops[domain] != nil,
      !request.query.pairs.contains(where: { Self.tableQuery.contains($0.name) })
    else { return [:] }
    guard schema.records < Self.muchData else { return ["later": address("data/\(domain)/top")] }
    return try await top(of: domain, request)
  }

  /// What a domain has to show besides its table; where its commands fail, the values say so.
  private func top(of domain: String, _ request: PageRequest) async throws -> [String: Any] {
    guard let top = Self.tops[domain] else { throw WebFailure(404, .unknownPage) }
    do {
      let values = try await top(self, request)
      return values.isEmpty ? [:] : ["top": [domain: values]]
    } catch let failure as CommandFailure {
      return ["topFailure": ["text": failure.message, "hint": failure.hint ?? ""]]
    }
  }

  /// A page of what stands above a domain's table, which the script puts there.
  func topAlone(_ request: PageRequest) async throws -> WebAnswer {
    let domain = request["domain"]
    return page(
      "top", title: WebWords(request.language).name(domain, of: "domain"), current: domain,
      try await top(of: domain, request).merging(["domain": domain]) { own, _ in own },
      request.language)
  }
}
