import Hummingbird
import PageTemplates
import SyncKitFormats

extension WebSite {
  /// How many entries a page of the timeline has.
  private static let timelineRows = 25
  /// How many of the newest numbers stand below a chart.
  private static let numbersBelowChart = 12
  /// How far ahead the page of one person or pet looks.
  private static let dueSpan = "365d"

  /// The page of a person or pet.
  func person(_ request: PageRequest) async throws -> WebAnswer {
    try await person(request, attempt: nil)
  }

  /// The page of a person or pet, with what they have just tried to add.
  func person(_ request: PageRequest, attempt: EntryAttempt?) async throws -> WebAnswer {
    let words = WebWords(request.language)
    let health = try await health(of: request["id"], words)
    let due = try await document(
      ["health", "due", "--within=\(Self.dueSpan)"], names: [health.id])
    var values: [String: Any] = [
      "id": health.id, "here": personAddress(health.id),
      "record": address("data/health/subject/\(Self.path(of: health.id))"),
      "facts": health.facts, "sections": health.sections { _ in true },
      "scope": words.name(health.scope, of: "scope"),
      "due": dueValues(due, words, title: words["health.dueYear"], hasNames: false),
      "charts": charts(health, words), "form": (attempt ?? EntryAttempt()).values(words),
    ]
    values.merge(timeline(health, request, words)) { own, _ in own }
    return page(
      "person", title: health.name, current: "health", values, request.language,
      status: attempt == nil ? 200 : 422)
  }

  /// What is known of a person or pet.
  ///
  /// Its entries are of the kinds that are wanted; of all for none.
  func health(
    of name: String, kinds: [String] = [], _ words: WebWords
  ) async throws -> PersonHealth {
    do {
      async let summary = document(["health", "summary"], names: [name])
      async let entries = document(
        ["health", "entry", "list"] + kinds.map { "--kind=\($0)" }, names: [name])
      return PersonHealth(summary: try await summary, entries: try await entries, self, words)
    } catch let failure as CommandFailure where failure.code == "record.not-found" {
      throw WebFailure(404, failure.message)
    }
  }

  // MARK: The timeline

  private func timeline(
    _ health: PersonHealth, _ request: PageRequest, _ words: WebWords
  ) -> [String: Any] {
    let kinds = Set(health.entries.map(\.kind)).sorted {
      words.name($0, of: "collection") < words.name($1, of: "collection")
    }
    let kind = request.query["kind"].flatMap { kinds.contains($0) ? $0 : nil }
    let newestFirst = health.entries.reversed().filter { kind == nil || $0.kind == kind }
    let last = max(1, (newestFirst.count + Self.timelineRows - 1) / Self.timelineRows)
    let page = max(1, min(last, request.query["page"].flatMap { Int($0) } ?? 1))
    func link(kind: String?, page: Int) -> String {
      personAddress(health.id)
        + FormValues.query([("kind", kind), ("page", page > 1 ? String(page) : nil)])
        + "#timeline"
    }
    let shown = newestFirst.dropFirst((page - 1) * Self.timelineRows).prefix(Self.timelineRows)
    var values: [String: Any] = [
      "entries": shown.map { row($0, words) }, "hasEntries": !newestFirst.isEmpty,
      "position": words["health.page", words.number(page), words.number(last)],
      "kinds": ([nil] + kinds.map(Optional.some)).map { other -> [String: Any] in
        [
          "label": other.map { words.name($0, of: "collection") } ?? words["health.allKinds"],
          "address": link(kind: other, page: 1), "isCurrent": other == kind,
        ]
      },
    ]
    if page > 1 { values["previous"] = link(kind: kind, page: page - 1) }
    if page < last { values["next"] = link(kind: kind, page: page + 1) }
    return values
  }

  private func row(_ entry: HealthEntryText, _ words: WebWords) -> [String: Any] {
    [
      "date": entry.date, "kind": words.name(entry.kind, of: "collection"),
      "title": entry.title.isEmpty ? words["health.noName"] : entry.title,
      "detail": entry.detail, "address": address("data/health/\(Self.path(of: entry.key))"),
    ]
  }

  // MARK: Charts

  /// A chart for the weight, the blood pressure, and each other measurement with a number.
  private func charts(_ health: PersonHealth, _ words: WebWords) -> [[String: Any]] {
    let all = Dictionary(grouping: health.entries.compactMap(\.reading)) { $0.series.key }
    let sorted = all.values.compactMap { readings in readings.last.map { ($0, readings) } }
      .sorted { rank($0.0.series) < rank($1.0.series) }
    return sorted.enumerated().map { number, series in
      chart(number, series.0, series.1, health, words)
    }
  }

  /// Weight and blood pressure first, then by name.
  private func rank(_ series: HealthReading.Series) -> (Int, String) {
    switch series {
    case .weight: (0, "")
    case .bloodPressure: (1, "")
    case .named: (2, series.key)
    }
  }

  private func chart(
    _ number: Int, _ latest: HealthReading, _ readings: [HealthReading], _ health: PersonHealth,
    _ words: WebWords
  ) -> [String: Any] {
    let label = latest.series.label(words)
    let units = Set(readings.map(\.unit))
    let sentences = [
      words.count("health.values", readings.count),
      units.count == 1 ? range(readings, latest, words) : words["health.units"],
      words["health.latest", latest.text, latest.date],
    ]
    let image = units.count > 1 ? nil : latest.series.argument
    return [
      "label": label, "id": "chart-\(number)", "about": sentences.joined(separator: " "),
      "image": image.map { name in
        [
          "address": personAddress(health.id) + "/chart" + FormValues.query([("of", name)]),
          "text": words["health.chartOf", label],
        ]
      } ?? false,
      "numbers": readings.suffix(Self.numbersBelowChart).reversed().map {
        ["date": $0.date, "text": $0.text]
      },
    ]
  }
}

extension WebSite {
  /// From the least to the greatest value; of blood pressures for each of the two numbers.
  private func range(
    _ readings: [HealthReading], _ latest: HealthReading, _ words: WebWords
  ) -> String {
    func span(_ values: [Double]) -> String {
      let ends = [values.min(), values.max()].map { words.decimal($0 ?? 0, places: 3) }
      return ends[0] == ends[1] ? ends[0] : words["health.span", ends[0], ends[1]]
    }
    let (least, greatest) = (readings.map(\.least), readings.map(\.greatest))
    return latest.series == .bloodPressure
      ? words["health.pressures", span(greatest), span(least)]
      : "\(span(least + greatest)) \(latest.unit)".split(separator: " ").joined(separator: " ")
        + "."
  }
}

/// What the summary of a person or pet says, and its entries.
struct PersonHealth {
  let id: String
  let name: String
  let scope: String
  /// The oldest first.
  let entries: [HealthEntryText]
  private let summary: JSON
  private let byKey: [String: HealthEntryText]
  private let site: WebSite
  private let words: WebWords

  init(summary: JSON, entries: JSON, _ site: WebSite, _ words: WebWords) {
    id = summary["subject"]?.string ?? ""
    name = summary["name"]?.string ?? ""
    scope = summary["scope"]?.string ?? ""
    self.summary = summary
    self.site = site
    self.words = words
    self.entries = (entries["records"]?.array ?? []).map { HealthEntryText($0, words) }
    byKey = Dictionary(self.entries.map { ($0.key, $0) }, uniquingKeysWith: { _, last in last })
  }

  /// A fact, such as `Blood type`; nil when it is not recorded.
  func fact(_ name: String) -> String? { summary["facts"]?[name]?.string }

  /// All facts.
  var facts: [[String: Any]] {
    (summary["facts"]?.object?.members ?? []).map { name, value in
      ["label": words.name(name, of: "fact"), "text": shown(value.string ?? "", of: name)]
    }
  }

  /// The text of a fact.
  func shown(_ value: String, of name: String) -> String {
    switch name {
    case "Born": words.date(value)
    case "Gender": words.name(value, of: "gender")
    default: value
    }
  }

  /// The sections with a title that is wanted, as the summary has chosen their items.
  func sections(_ isWanted: (String) -> Bool) -> [[String: Any]] {
    (summary["sections"]?.array ?? []).enumerated().compactMap { number, section in
      let title = section["title"]?.string ?? ""
      guard isWanted(title) else { return nil }
      let state = section["state"]?.string ?? ""
      return [
        "label": words.name(title, of: "section"), "id": "section-\(number)",
        "isNoneKnown": state == "noneKnown", "isNotRecorded": state == "notRecorded",
        "isListed": state == "listed",
        "isUrgent": number == 0 && state == "listed",
        "items": (section["items"]?.array ?? []).map { item($0, isPast: title == Self.past) },
      ]
    }
  }

  /// The section of what no longer is so.
  private static let past = "No longer current"

  /// A text, or false where there is none, so that a template leaves out what is around it.
  private static func shown(_ text: String) -> Any { text.isEmpty ? false : text }

  /// A fact of a section, in the words of its entry where it comes from one.
  private func item(_ item: JSON, isPast: Bool) -> [String: Any] {
    guard let key = item["entry"]?.string, let entry = byKey[key] else {
      return [
        "title": item["title"]?.string ?? "",
        "date": Self.shown(words.date(item["date"]?.string ?? "")),
        "detail": Self.shown(item["detail"]?.string ?? ""), "link": false,
      ]
    }
    let kind = isPast ? words.name(entry.kind, of: "collection") : ""
    return [
      "title": entry.title.isEmpty ? words["health.noName"] : entry.title,
      "date": Self.shown(entry.date),
      "detail": Self.shown([kind, entry.detail].filter { !$0.isEmpty }.joined(separator: "; ")),
      "link": ["address": site.address("data/health/\(WebSite.path(of: key))")],
    ]
  }
}
