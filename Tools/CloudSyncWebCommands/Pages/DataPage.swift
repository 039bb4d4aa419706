import Hummingbird
import PageTemplates
import SyncKitFormats
import SyncKitText

extension WebSite {
  static let dataRoutes: [Route] = [
    Route(.get, "data/:domain") { site, request in try await site.table(request) },
    Route(.get, "data/:domain/top") { site, request in try await site.topAlone(request) },
    Route(.get, "data/:domain/:collection/:id") { site, request in try await site.record(request) },
    Route(.get, "new/:domain/:collection") { site, request in try await site.newRecord(request) },
    Route(.post, "add") { site, request in try await site.add(request) },
    Route(.post, "set") { site, request in try await site.set(request) },
    Route(.post, "remove") { site, request in try await site.remove(request) },
    Route(.post, "restore") { site, request in try await site.restore(request) },
  ]

  /// How many rows a table has.
  private static let rows = 50

  /// The collections and fields of a domain.
  ///
  /// - Throws: ``WebFailure`` for a name that is no domain's.
  func schema(of domain: String) async throws -> DomainFields {
    // A name from an address is one word of a command line and nothing else.
    guard domain.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }),
      domain.first?.isLetter == true,
      let document = try? await document([domain, "fields"])
    else { throw WebFailure(404, .unknownPage) }
    return DomainFields(document)
  }

  /// The fields that a domain's own verb `add` takes behind the id, by collection.
  private static let addedFields = ["airports/mapping": ["icao"]]

  // MARK: A table

  private func table(_ request: PageRequest) async throws -> WebAnswer {
    let words = WebWords(request.language)
    let domain = request["domain"]
    let schema = try await schema(of: domain)
    let collection =
      request.query["collection"].flatMap { schema[$0] } ?? schema.collections.first
    guard let collection else { throw WebFailure(404, .unknownPage) }
    let page = max(1, min(1_000_000, request.query["page"].flatMap { Int($0) } ?? 1))
    let sort = request.query["sort"].flatMap { collection.takes($0) ? $0 : nil }
    let isReversed = request.query["down"] != nil
    let search = request.query["q"]
    var command = [
      domain, "search", "--collection", collection.name, "--limit", String(Self.rows), "--skip",
      String((page - 1) * Self.rows),
    ]
    if let sort { command += ["--sort", sort] }
    if isReversed { command.append("--reverse") }
    if request.query["deleted"] != nil { command.append("--deleted") }
    let found = try await document(
      command, names: (search ?? "").split(separator: " ").map(String.init))

    func link(
      collection name: String? = nil, sort newSort: String? = nil, down: Bool? = nil, page: Int = 1
    ) -> String {
      address("data/\(domain)")
        + FormValues.query([
          ("collection", name ?? collection.name), ("q", name == nil ? search : nil),
          ("sort", newSort ?? sort), ("down", (down ?? isReversed) ? "1" : nil),
          ("deleted", request.query["deleted"]), ("page", page > 1 ? String(page) : nil),
        ])
    }
    let records = found["records"]?.array ?? []
    let columns = collection.columns(of: records)
    var values: [String: Any] = [
      "domain": domain, "collection": collection.name,
      "about": label(collection.name, words), "search": search ?? "",
      "collections": schema.collections.map { other in
        var entry: [String: Any] = [
          "label": label(other.name, words), "address": link(collection: other.name),
        ]
        if other.name == collection.name { entry["isCurrent"] = true }
        return entry
      },
      "columns": columns.map { column in
        let isSorted = (sort ?? "id") == column.name
        var entry: [String: Any] = [
          "label": column.label(words),
          "address": link(sort: column.name, down: isSorted && !isReversed),
        ]
        if isSorted { entry["order"] = isReversed ? "descending" : "ascending" }
        if isSorted { entry["arrow"] = isReversed ? "↓" : "↑" }
        return entry
      },
      "rows": records.map { row($0, columns, domain, words) },
    ]
    if schema.collections.count > 1 { values["hasCollections"] = true }
    values.merge(try await top(of: domain, schema, request)) { own, _ in own }
    if collection.takesNew(in: domain) { values["canAdd"] = true }
    if records.isEmpty { values["isEmpty"] = true }
    if page > 1 { values["previous"] = link(page: page - 1) }
    if found["more"]?.bool == true { values["next"] = link(page: page + 1) }
    return self.page(
      "table", title: words.name(domain, of: "domain"), current: domain, values,
      request.language)
  }

  private func label(_ collection: String, _ words: WebWords) -> String {
    words.name(collection, of: "collection")
  }

  private func row(
    _ record: JSON, _ columns: [DataColumn], _ domain: String, _ words: WebWords
  ) -> [String: Any] {
    let id = record["id"]?.string ?? ""
    var row: [String: Any] = [
      "address": address(of: record, in: domain), "id": id,
      "cells": columns.dropFirst().map { column in
        ["text": column.text(of: record, words, now: program.now()), "mark": column.mark]
      },
    ]
    if record["deleted"]?.bool == true { row["isDeleted"] = true }
    if record["conflicts"]?.array?.isEmpty == false { row["hasConflicts"] = true }
    return row
  }

  /// Where the page of a record is.
  func address(of record: JSON, in domain: String) -> String {
    let collection = record["collection"]?.string ?? ""
    let id = PercentEncoding.encode(record["id"]?.string ?? "")
    return address("data/\(domain)/\(collection)/\(id)")
  }

  // MARK: A record

  private func record(_ request: PageRequest) async throws -> WebAnswer {
    let words = WebWords(request.language)
    let (domain, name, id) = (request["domain"], request["collection"], request["id"])
    let schema = try await schema(of: domain)
    guard let collection = schema[name] else { throw WebFailure(404, .unknownPage) }
    let record: JSON
    do {
      record = try await document([domain, "show", "--deleted"], names: ["\(name)/\(id)"])
    } catch let failure as CommandFailure where failure.code == "record.not-found" {
      throw WebFailure(404, failure.message)
    }
    let history = try? await document(
      [
        "history", "list", "--domain", domain, "--limit", "20", "--changes",
        String(HistoryRows.mostChanges), "--record", "\(name)/\(id)",
      ])
    let conflicts = Set(record["conflicts"]?.array?.compactMap(\.string) ?? [])
    var values: [String: Any] = [
      "domain": domain, "collection": name, "id": id, "about": label(name, words),
      "fields": collection.fields.map { field in
        self.field(field, record["fields"]?[field.name], conflicts, words)
      },
      "device": record["device"]?["name"]?.string ?? words["matrix.unnamed"],
      "history": HistoryRows(history, words: words, now: program.now()).values,
    ]
    values["modified"] = words.moment(record["modified"]?.string, now: program.now())
    if record["deleted"]?.bool == true {
      values["isDeleted"] = true
    } else {
      values["canEdit"] = true
      if domain == "media", name == "item" { values["isTitle"] = true }
    }
    if let parent = record["parent"]?.string {
      values["parent"] = ["name": parent, "address": address("data/\(domain)/\(parent)")]
    }
    return page("record", title: id, current: domain, values, request.language)
  }

  private func field(
    _ field: DataField, _ value: JSON?, _ conflicts: Set<String>, _ words: WebWords
  ) -> [String: Any] {
    let text = DataField.text(value)
    var values: [String: Any] = [
      "name": field.name, "label": field.label(words), "value": text, "input": "f-\(field.name)",
    ]
    values[field.control(text)] = true
    if field.type == "bool" {
      values["options"] = ["", "true", "false"].map { option in
        var entry: [String: Any] = [
          "value": option,
          "label": option.isEmpty ? "–" : words[option == "true" ? "yes" : "no"],
        ]
        if option == text { entry["isChosen"] = true }
        return entry
      }
    }
    if conflicts.contains(field.name) || field.group.map(conflicts.contains) == true {
      values["isConflicted"] = true
    }
    return values
  }

  private func newRecord(_ request: PageRequest) async throws -> WebAnswer {
    let words = WebWords(request.language)
    let (domain, name) = (request["domain"], request["collection"])
    guard let collection = try await schema(of: domain)[name], collection.takesNew(in: domain)
    else { throw WebFailure(404, .unknownPage) }
    var values: [String: Any] = [
      "domain": domain, "collection": name, "isNew": true, "canEdit": true,
      "about": label(name, words),
      "fields": collection.fields
        .filter { Self.addedFields["\(domain)/\(name)"]?.contains($0.name) ?? true }
        .map { field($0, nil, [], words) },
    ]
    if !collection.parents.isEmpty {
      values["parents"] = collection.parents.joined(separator: ", ")
    }
    return page(
      "record", title: words["record.new"], current: domain, values, request.language)
  }

  // MARK: What a person does

  private func add(_ request: PageRequest) async throws -> WebAnswer {
    let words = WebWords(request.language)
    let (domain, name) = (request.form["domain"] ?? "", request.form["collection"] ?? "")
    guard let collection = try await schema(of: domain)[name] else {
      throw WebFailure(404, .unknownPage)
    }
    guard collection.takesNew(in: domain) else { throw WebFailure(404, .unknownPage) }
    var command = [domain, "add", "--collection", name]
    if let parent = request.form["parent"] { command.append("--parent=\(parent)") }
    let id = request.form["id"].map { [$0] } ?? []
    let own = Self.addedFields["\(domain)/\(name)"]
    if own != nil { command = [domain, "add"] }
    let fields =
      own?.map { request.form["field.\($0)"] ?? "" }
      ?? collection.fields.compactMap { field in
        request.form["field.\(field.name)"].map { "\(field.name)=\($0)" }
      }
    let isDone = try await change(
      command, names: id + fields, domain: domain, done: words["record.added"])
    return .redirect(
      to: isDone
        ? address("data/\(domain)") + FormValues.query([("collection", name)])
        : address("new/\(domain)/\(name)"))
  }

  private func set(_ request: PageRequest) async throws -> WebAnswer {
    let words = WebWords(request.language)
    let (domain, name) = (request.form["domain"] ?? "", request.form["collection"] ?? "")
    let id = request.form["id"] ?? ""
    guard let collection = try await schema(of: domain)[name] else {
      throw WebFailure(404, .unknownPage)
    }
    // Only what the person has changed: another device may have changed the rest meanwhile.
    let fields = collection.fields.compactMap { field -> String? in
      let (before, after) = (
        request.form["was.\(field.name)"] ?? "", request.form["field.\(field.name)"] ?? ""
      )
      // Browsers send lines with a carriage return.
      let isSame = before.replacing("\r\n", with: "\n") == after.replacing("\r\n", with: "\n")
      return isSame ? nil : "\(field.name)=\(after.replacing("\r\n", with: "\n"))"
    }
    if fields.isEmpty {
      session.leave(WebNotice(text: words["record.unchanged"]))
    } else {
      try await change(
        [domain, "set"], names: ["\(name)/\(id)"] + fields, domain: domain,
        done: words["record.changed"])
    }
    return .redirect(to: address("data/\(domain)/\(name)/\(PercentEncoding.encode(id))"))
  }

  private func remove(_ request: PageRequest) async throws -> WebAnswer {
    try await changeWhole("rm", request, done: "record.removed")
  }

  private func restore(_ request: PageRequest) async throws -> WebAnswer {
    try await changeWhole("restore", request, done: "record.restored")
  }

  private func changeWhole(
    _ verb: String, _ request: PageRequest, done: String
  ) async throws -> WebAnswer {
    let (domain, name) = (request.form["domain"] ?? "", request.form["collection"] ?? "")
    let id = request.form["id"] ?? ""
    guard try await schema(of: domain)[name] != nil else { throw WebFailure(404, .unknownPage) }
    try await change(
      [domain, verb], names: ["\(name)/\(id)"], domain: domain,
      done: WebWords(request.language)[done])
    return .redirect(
      to: verb == "rm"
        ? address("data/\(domain)") + FormValues.query([("collection", name)])
        : address("data/\(domain)/\(name)/\(PercentEncoding.encode(id))"))
  }
}
