import Hummingbird
import PageTemplates
import SyncKitFormats
import SyncKitText

extension WebSite {
  static let importRoutes: [Route] = [
    Route(.get, "import/:domain") { site, request in try await site.importForm(request) },
    Route(.post, "import/:domain", takesFile: true) { site, request in
      try await site.upload(request)
    },
    Route(.get, "import/:domain/:id") { site, request in try await site.preview(request) },
    Route(.post, "import/:domain/:id") { site, request in try await site.settle(request) },
    Route(.get, "export/:domain") { site, request in try await site.export(request) },
  ]

  // MARK: The form

  private func importForm(_ request: PageRequest) async throws -> WebAnswer {
    let words = WebWords(request.language)
    let domain = request["domain"]
    let schema = try await schema(of: domain)
    var values: [String: Any] = [
      "domain": domain, "about": words.name(domain, of: "domain"),
      "formats": ExportFormat.all(of: domain).map { format in
        ["value": format.name, "label": words["format.\(format.name)"]]
      },
      "collections": schema.collections.map { collection in
        ["value": collection.name, "label": words.name(collection.name, of: "collection")]
      },
    ]
    if schema.collections.count > 1 { values["hasCollections"] = true }
    if domain == "health" { values["takesSubject"] = true }
    if domain == "media" { values["takesPrivate"] = true }
    return page("import", title: words["import"], current: domain, values, request.language)
  }

  private func upload(_ request: PageRequest) async throws -> WebAnswer {
    let domain = request["domain"]
    guard let upload = request.upload else { throw WebFailure(403, .foreignForm) }
    // Whose form it is comes before whether there is such a domain.
    let file = try await uploads.receive(upload, for: domain) { session.admits(form: $0) }
    guard let file else {
      session.leave(WebNotice(text: WebWords(request.language)["import.none"], isError: true))
      return .redirect(to: address("import/\(PercentEncoding.encode(domain))"))
    }
    do {
      _ = try await schema(of: domain)
    } catch {
      uploads.discard(file)
      throw error
    }
    return .redirect(to: address("import/\(domain)/\(file.id)"))
  }

  // MARK: What an import would do

  private func preview(_ request: PageRequest) async throws -> WebAnswer {
    let words = WebWords(request.language)
    let domain = request["domain"]
    guard let file = uploads.file(request["id"], for: domain) else { return gone(request) }
    let options = ImportOption.all(of: domain)
    var values: [String: Any] = [
      "domain": domain, "id": file.id, "about": words.name(domain, of: "domain"),
      "size": words.bytes(file.size), "options": options.map { $0.values(request.query, words) },
      "chosen": options.compactMap { $0.chosen(request.query) },
    ]
    do {
      let outcome = try await program.run(
        [domain, "import", "--dry-run"] + options.flatMap { $0.arguments(request.query) },
        names: [file.path])
      values.merge(ImportPreview(outcome, of: file, words: words).values) { _, new in new }
    } catch let failure as WebFailure where failure.reason == .tooLong {
      // What it would do is more than a page shows; the import itself says little.
      values["isTooLong"] = true
      values["canImport"] = true
    }
    if values["hasErrors"] != nil, request.query["skip-bad"] == nil {
      values["withoutBad"] =
        address("import/\(domain)/\(file.id)")
        + FormValues.query(options.compactMap { $0.pair(request.query) } + [("skip-bad", "1")])
    }
    return page(
      "preview", title: words["import.of", file.name], current: domain, values, request.language)
  }

  /// Imports the file, or throws it away.
  private func settle(_ request: PageRequest) async throws -> WebAnswer {
    let words = WebWords(request.language)
    let domain = request["domain"]
    guard let file = uploads.file(request["id"], for: domain) else { return gone(request) }
    guard request.form["do"] == "import" else {
      uploads.discard(file)
      session.leave(WebNotice(text: words["import.discarded"]))
      return .redirect(to: address("import/\(domain)"))
    }
    let options = ImportOption.all(of: domain)
    let outcome = try await program.run(
      [domain, "import"] + options.flatMap { $0.arguments(request.form) }, names: [file.path])
    let preview = ImportPreview(outcome, of: file, words: words)
    guard let document = outcome.document, outcome.hasWritten else {
      if let failure = preview.failure { session.leave(failure) }
      return .redirect(
        to: address("import/\(domain)/\(file.id)")
          + FormValues.query(options.compactMap { $0.pair(request.form) }))
    }
    uploads.discard(file)
    var notice = WebNotice(text: preview.done)
    notice.warnings = preview.shownWarnings
    if let batch = document["batch"]?.string { notice.undo = (domain, batch) }
    session.leave(notice)
    return .redirect(to: address("data/\(domain)"))
  }

  private func gone(_ request: PageRequest) -> WebAnswer {
    session.leave(WebNotice(text: WebWords(request.language)["import.gone"], isError: true))
    return .redirect(to: address("import/\(PercentEncoding.encode(request["domain"]))"))
  }

  // MARK: Export

  private func export(_ request: PageRequest) async throws -> WebAnswer {
    let domain = request["domain"]
    let schema = try await schema(of: domain)
    guard
      let format = ExportFormat.all(of: domain).first(where: { $0.name == request.query["format"] })
    else { throw WebFailure(404, .unknownPage) }
    var command = [domain, "export", "--format=\(format.name)"]
    let collection = request.query["collection"].flatMap { schema[$0] }
    if let collection { command.append("--collection=\(collection.name)") }
    if domain == "health", let subject = request.query["subject"] {
      command.append("--subject=\(subject)")
    }
    if domain == "media", request.query["private"] != nil { command.append("--private") }
    var failure: CommandFailure?
    let body = try await uploads.content { path in
      failure = try await program.run(command, to: path).failure
      return failure == nil
    }
    guard let body else { throw failure ?? CommandFailure(code: "", message: "", hint: nil) }
    var answer = WebAnswer(stream: body, format.type)
    let day = Timestamp.format(milliseconds: program.now()).prefix(10)
    let name = (["cloudsync", domain] + [collection?.name].compactMap { $0 } + [String(day)])
      .joined(separator: "-")
    // Of letters, digits and dashes alone.
    answer.headers[.contentDisposition] = "attachment; filename=\"\(name).\(format.ending)\""
    return answer
  }
}

/// A format that a domain writes.
struct ExportFormat {
  /// By the command's name.
  let name: String
  let ending: String
  let type: String

  private static let known: [ExportFormat] = [
    .init(name: "json", ending: "json", type: "application/json"),
    .init(name: "csv", ending: "csv", type: "text/csv; charset=utf-8"),
    .init(name: "records", ending: "json", type: "application/json"),
    .init(name: "geojson", ending: "geojson", type: "application/geo+json"),
    .init(name: "markdown", ending: "md", type: "text/markdown; charset=utf-8"),
    .init(name: "letterboxd", ending: "csv", type: "text/csv; charset=utf-8"),
    .init(name: "fhir", ending: "json", type: "application/fhir+json"),
    .init(name: "fhir-r5", ending: "json", type: "application/fhir+json"),
    .init(name: "app", ending: "json", type: "application/json"),
    .init(name: "cloud", ending: "json", type: "application/json"),
  ]

  private static let names: [String: [String]] = [
    "airports": ["json", "csv", "geojson", "records"],
    "media": ["records", "json", "csv", "markdown", "letterboxd"],
    "health": ["json", "fhir", "fhir-r5", "app", "cloud", "csv"],
  ]

  /// The formats of a domain, the usual one first.
  static func all(of domain: String) -> [ExportFormat] {
    (names[domain] ?? ["json", "csv", "records"]).compactMap { name in
      known.first { $0.name == name }
    }
  }
}

/// How a file can be read in another way, by an option of the command.
struct ImportOption {
  let name: String
  let isFlag: Bool

  private static let flags = ["skip-bad", "hints", "every-reading", "ignore-other-columns"]
  private static let names: [String: [String]] = [
    "airports": ["skip-bad", "hints", "encoding"],
    "media": ["skip-bad", "list", "scale", "viewer", "date-format", "encoding"],
    "health": [
      "subject", "skip-bad", "date-format", "time-zone", "every-reading", "ignore-other-columns",
      "encoding",
    ],
  ]

  static func all(of domain: String) -> [ImportOption] {
    (names[domain] ?? ["skip-bad", "encoding"]).map {
      ImportOption(name: $0, isFlag: flags.contains($0))
    }
  }

  /// The words of the command; a value is one word with its option, so that it may begin with a dash.
  func arguments(_ form: FormValues) -> [String] {
    guard let value = form[name] else { return [] }
    return isFlag ? ["--\(name)"] : ["--\(name)=\(value)"]
  }

  func pair(_ form: FormValues) -> (String, String?)? { form[name].map { (name, $0) } }

  /// What a form hands on.
  func chosen(_ form: FormValues) -> [String: Any]? {
    form[name].map { ["name": name, "value": $0] }
  }

  func values(_ form: FormValues, _ words: WebWords) -> [String: Any] {
    [
      "name": name, "isFlag": isFlag, "label": words["import.option.\(name)"],
      "value": form[name] ?? "", "isChosen": form[name] != nil,
    ]
  }
}

/// What an import would do, or has done, from the document that it prints.
struct ImportPreview {
  private let outcome: CommandOutcome
  private let file: UploadedFile
  private let document: JSON
  private let words: WebWords
  /// How many rows of each table are shown.
  private static let most = 200
  /// How many warnings a notice has.
  private static let mostInNotice = 10

  init(_ outcome: CommandOutcome, of file: UploadedFile, words: WebWords) {
    self.outcome = outcome
    self.file = file
    self.words = words
    document = outcome.document ?? .object([:])
  }

  private func count(_ name: String, of value: JSON) -> String {
    words.number(Int(value[name]?.int ?? 0))
  }

  private func texts(_ name: String) -> [String] {
    document[name]?.array?.compactMap(\.string).map(file.named) ?? []
  }

  /// Why it was not done, or not wholly.
  var failure: WebNotice? {
    outcome.failure.map {
      WebNotice(
        text: file.named($0.message), isError: true, hint: $0.hint.map(file.named))
    }
  }

  /// What was done.
  var done: String {
    words[
      "import.done", count("added", of: document), count("changed", of: document),
      count("unchanged", of: document)]
  }

  var shownWarnings: [String] {
    var shown = texts("warnings")
    if let failure { shown.insert(failure.text, at: 0) }
    let more = shown.count - Self.mostInNotice
    return shown.prefix(Self.mostInNotice)
      + (more > 0 ? [words["import.more", words.number(more)]] : [])
  }

  var values: [String: Any] {
    var values: [String: Any] = [:]
    if let failure {
      var shown: [String: Any] = ["text": failure.text]
      if let hint = failure.hint { shown["hint"] = hint }
      values["failure"] = shown
    }
    if outcome.hasWritten {
      values["counts"] =
        words[
          "import.would", count("added", of: document), count("changed", of: document),
          count("unchanged", of: document)]
      // Where nothing is new there is nothing to import.
      if document["plan"]?.array?.isEmpty == false { values["canImport"] = true }
    }
    list("kinds", document["kinds"]?.array ?? [], in: &values, kind)
    list("errors", document["errors"]?.array?.filter { $0["row"] != nil } ?? [], in: &values, error)
    list("plan", document["plan"]?.array ?? [], in: &values, change)
    list("remarks", texts("notes") + texts("warnings"), in: &values) { $0 }
    return values
  }

  /// The first of many things, and how many more there are.
  private func list<Element>(
    _ name: String, _ all: [Element], in values: inout [String: Any],
    _ shown: (Element) -> Any
  ) {
    guard !all.isEmpty else { return }
    let capital = name.prefix(1).uppercased() + name.dropFirst()
    values["has\(capital)"] = true
    values[name] = all.prefix(Self.most).map(shown)
    if all.count > Self.most {
      values["more\(capital)"] = words["import.more", words.number(all.count - Self.most)]
    }
  }

  private func kind(_ kind: JSON) -> [String: Any] {
    var values: [String: Any] = ["kind": words.name(kind["kind"]?.string ?? "", of: "collection")]
    for name in ["count", "added", "changed", "unchanged", "bad", "passedOver"] {
      values[name] = count(name, of: kind)
    }
    return values
  }

  private func error(_ error: JSON) -> [String: Any] {
    [
      "row": count("row", of: error), "column": error["column"]?.string ?? "",
      "message": file.named(error["message"]?.string ?? ""),
    ]
  }

  private func change(_ change: JSON) -> [String: Any] {
    [
      "record": change["record"]?.string ?? "",
      "what": words.name(change["op"]?.string ?? "", of: "action"),
      "field": words.name(change["field"]?.string ?? "", of: "field"),
      "from": shortened(change["from"]), "to": shortened(change["to"]),
    ]
  }

  private func shortened(_ value: JSON?) -> String {
    let text = DataField.text(value)
    return text.count > 200 ? text.prefix(200) + "…" : text
  }
}

extension UploadedFile {
  /// What a command says, with the person's name for the file in place of ours.
  fileprivate func named(_ text: String) -> String { text.replacing(path, with: name) }
}

extension CommandOutcome {
  /// Whether the command has done what it was asked for, without bad rows where it was told to leave them out.
  fileprivate var hasWritten: Bool { (status == 0 || status == 3) && document != nil }
}

extension WebWords {
  /// A number of bytes.
  fileprivate func bytes(_ count: Int) -> String {
    switch count {
    case ..<1024: "\(number(count)) B"
    case ..<(1 << 20): "\(number((count + 1023) >> 10)) KiB"
    default: "\(number((count + (1 << 20) - 1) >> 20)) MiB"
    }
  }
}
