import Hummingbird
import PageTemplates
import SyncKitFormats
import SyncKitText

extension WebSite {
  static let mediaRoutes: [Route] = [
    Route(.get, "media/year/:year") { site, request in try await site.mediaYear(request) },
    Route(.get, "media/year/:year/calendar.svg") { site, request in
      try await site.mediaCalendar(request)
    },
    Route(.post, "media/watched") { site, request in try await site.noteWatched(request) },
    Route(.post, "media/rate") { site, request in try await site.rate(request) },
    Route(.post, "media/add") { site, request in try await site.addTitle(request) },
    Route(.post, "media/lists") { site, request in try await site.addList(request) },
  ]

  /// How many watched titles a year shows by name.
  private static let mostEvents = 500

  /// What stands above the tables of films and series.
  func mediaTop(_ request: PageRequest) async throws -> [String: Any] {
    let words = WebWords(request.language)
    let summary = try await document(["media", "summary", "--limit", "12"])
    let next = summary["next"]?.array ?? []
    let lists = summary["lists"]?.array ?? []
    let media = summary["media"]
    func count(_ name: String) -> String { words.number(Int(media?[name]?.int ?? 0)) }
    let year = Timestamp.format(milliseconds: program.now()).prefix(4)
    var values: [String: Any] = [
      "next": next.map { suggestion($0, words) }, "thisYear": String(year),
      "yearLink": words["media.yearOf", String(year)],
      "figures": words["media.figures", count("films"), count("series"), count("filmsWatched")]
        + (media?["meanRating"]?.double.map { " " + words["media.mean", words.decimal($0)] } ?? ""),
      "lists": lists.map { list in
        [
          "id": list["id"]?.string ?? "", "name": list["name"]?.string ?? "",
          "items": words.number(Int(list["items"]?.int ?? 0)),
          "watched": words.number(Int(list["watched"]?.int ?? 0)),
          "about": list["about"]?.string ?? "",
          "address": address(of: ["collection": "list", "id": list["id"] ?? ""], in: "media"),
        ]
      },
    ]
    if !next.isEmpty { values["hasNext"] = true }
    if !lists.isEmpty { values["hasLists"] = true }
    return values
  }

  private func suggestion(_ next: JSON, _ words: WebWords) -> [String: Any] {
    var code = ""
    if let season = next["season"]?.int, let number = next["number"]?.int {
      code = Self.code(season: Int(season), number: Int(number))
    }
    let reason = next["reason"]?.string ?? ""
    var values: [String: Any] = [
      "item": next["item"]?.string ?? "", "title": next["title"]?.string ?? "",
      "code": code,
      "what": [
        code, next["episode"]?.string ?? "", words.name(reason, of: "media.reason"),
      ].filter { !$0.isEmpty }.joined(separator: " · "),
      "address": address(of: ["collection": "item", "id": next["item"] ?? ""], in: "media"),
    ]
    values["year"] = next["year"]?.int.map { String($0) }
    return values
  }

  /// The name of an episode, such as `S01E02`.
  private static func code(season: Int, number: Int) -> String {
    func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "S\(digits(season))E\(digits(number))"
  }

  // MARK: What a person does

  private func noteWatched(_ request: PageRequest) async throws -> WebAnswer {
    var command = ["media", "watched"]
    if let episode = request.form["episode"] { command.append("--episode=\(episode)") }
    if let day = request.form["on"] { command.append("--on=\(day)") }
    let title = Self.titleWords(request.form)
    try await change(
      command, names: title, domain: "media",
      done: WebWords(request.language)["media.watchedDone"])
    return back(request)
  }

  private func rate(_ request: PageRequest) async throws -> WebAnswer {
    var command = ["media", "rate"]
    if let episode = request.form["episode"] { command.append("--episode=\(episode)") }
    // It is the last word; without it the last word of the title would be taken for one.
    guard let rating = request.form["rating"]?.filter({ $0 != " " }), !rating.isEmpty else {
      session.leave(
        WebNotice(text: WebWords(request.language)["media.noRating"], isError: true))
      return back(request)
    }
    try await change(
      command, names: Self.titleWords(request.form) + [rating], domain: "media",
      done: WebWords(request.language)["media.rated"])
    return back(request)
  }

  private static func titleWords(_ form: FormValues) -> [String] {
    (form["title"] ?? "").split(separator: " ").map(String.init)
  }

  /// To the page that the form was on.
  private func back(_ request: PageRequest) -> WebAnswer {
    guard let id = request.form["back"] else { return .redirect(to: address("data/media")) }
    return .redirect(
      to: address(of: ["collection": "item", "id": .string(id)], in: "media"))
  }

  private func addTitle(_ request: PageRequest) async throws -> WebAnswer {
    var command = ["media", "add"]
    if let year = request.form["year"] { command.append("--year=\(year)") }
    if let list = request.form["list"] { command.append("--list=\(list)") }
    if request.form["tv"] != nil { command.append("--tv") }
    try await change(
      command, names: [request.form["title"] ?? ""], domain: "media",
      done: WebWords(request.language)["record.added"])
    return .redirect(to: address("data/media"))
  }

  private func addList(_ request: PageRequest) async throws -> WebAnswer {
    try await change(
      ["media", "lists", "--add=\(request.form["name"] ?? "")"], domain: "media",
      done: WebWords(request.language)["record.added"])
    return .redirect(to: address("data/media"))
  }

  // MARK: The year in review

  private func year(_ request: PageRequest) throws -> Int {
    guard let year = Int(request["year"]), 1870...9998 ~= year else {
      throw WebFailure(404, .unknownPage)
    }
    return year
  }

  private func mediaYear(_ request: PageRequest) async throws -> WebAnswer {
    let words = WebWords(request.language)
    let year = try year(request)
    let review = try await document(["media", "year"], names: [String(year)])
    let events = review["events"]?.array ?? []
    let ratings = review["ratings"]?.array ?? []
    func count(_ name: String) -> String { words.number(Int(review[name]?.int ?? 0)) }
    func cells(_ counts: [JSON], _ name: (Int) -> String) -> [[String: Any]] {
      counts.enumerated().map { index, count in
        ["name": name(index + 1), "count": words.number(Int(count.int ?? 0))]
      }
    }
    var values: [String: Any] = [
      "about": words.name("media", of: "domain"), "year": String(year), "before": String(year - 1),
      "summary": words[
        "media.summary", count("films"), count("episodes"), count("rewatches"),
        words.number(Int((review["minutes"]?.int ?? 0) / 60))]
        + (review["meanRating"]?.double.map { " " + words["media.mean", words.decimal($0)] } ?? ""),
      "calendar": words["media.calendar", String(year), words.number(events.count)],
      "months": cells(review["months"]?.array ?? []) { words["month.\($0)"] },
      "ratings": cells(ratings) { String($0) },
      "genres": (review["genres"]?.array ?? []).prefix(20).map { genre in
        [
          "name": genre["name"]?.string ?? "",
          "count": words.number(Int(genre["count"]?.int ?? 0)),
        ]
      },
      "events": events.prefix(Self.mostEvents).map { event in
        [
          "day": words.day(event["date"]?.string ?? "") ?? event["date"]?.string ?? "",
          "name": event["title"]?.string ?? "", "episode": event["episode"]?.string ?? "",
          "again": event["rewatch"]?.bool == true ? words["yes"] : "",
        ]
      },
    ]
    let thisYear = Int(Timestamp.format(milliseconds: program.now()).prefix(4)) ?? year
    if year < thisYear { values["after"] = String(year + 1) }
    if !events.isEmpty { values["hasEvents"] = true }
    if ratings.contains(where: { $0.int ?? 0 > 0 }) { values["hasRatings"] = true }
    if review["genres"]?.array?.isEmpty == false { values["hasGenres"] = true }
    if events.count > Self.mostEvents {
      values["moreEvents"] = words["import.more", words.number(events.count - Self.mostEvents)]
    }
    return page(
      "media-year", title: words["media.yearOf", String(year)], current: "media", values,
      request.language)
  }

  private func mediaCalendar(_ request: PageRequest) async throws -> WebAnswer {
    let outcome = try await program.run(
      ["media", "year", "--svg=-"], names: [String(try year(request))])
    if let failure = outcome.failure { throw failure }
    return WebAnswer(outcome.output, "image/svg+xml")
  }
}
