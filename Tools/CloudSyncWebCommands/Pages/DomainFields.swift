import SyncKitFormats

/// The collections of a domain, as `cloudsync <domain> fields` tells them.
struct DomainFields {
  let collections: [DataCollection]

  init(_ document: JSON) {
    collections = (document["collections"]?.array ?? []).map(DataCollection.init)
  }

  subscript(name: String) -> DataCollection? { collections.first { $0.name == name } }

  /// How many records the domain has.
  var records: Int { collections.reduce(0) { $0 + $1.records } }
}

/// A collection and its fields.
struct DataCollection {
  let name: String
  let parents: [String]
  let fields: [DataField]
  let records: Int
  /// The most columns of a table besides the id and the time.
  private static let mostColumns = 7

  init(_ document: JSON) {
    name = document["name"]?.string ?? ""
    parents = document["parents"]?.array?.compactMap(\.string) ?? []
    fields = (document["fields"]?.array ?? []).map(DataField.init)
    records = Int(document["records"]?.int ?? 0)
  }

  /// Whether records can be sorted by this.
  func takes(_ order: String) -> Bool {
    ["id", "modified"].contains(order) || fields.contains { $0.name == order }
  }

  /// The columns of a table: the id, the first fields of which any record has a value, and the time.
  func columns(of records: [JSON]) -> [DataColumn] {
    let used = fields.filter { field in
      records.contains { $0["fields"]?[field.name].map { !$0.isNull } ?? false }
    }
    let shown = (records.isEmpty ? fields : used).prefix(Self.mostColumns)
    return [.id] + shown.map { .field($0) } + [.modified]
  }
}

/// A field.
struct DataField {
  let name: String
  let type: String
  let group: String?

  init(_ document: JSON) {
    name = document["name"]?.string ?? ""
    type = document["type"]?.string ?? "any"
    group = document["group"]?.string
  }

  func label(_ words: WebWords) -> String { words.name(name, of: "field") }

  /// Which control a form has for it.
  func control(_ text: String) -> String {
    switch type {
    case "bool": "isChoice"
    case "string" where text.contains("\n") || text.utf8.count > 80, "map": "isLong"
    default: "isShort"
    }
  }

  /// A value as a person types it.
  static func text(_ value: JSON?) -> String {
    switch value {
    case nil, .null: ""
    case .string(let text): text
    case .array(let elements):
      // As the commands read it: with commas where no element has one.
      elements.allSatisfy { $0.string.map { !$0.contains(",") && !$0.isEmpty } ?? false }
        ? elements.compactMap(\.string).joined(separator: ",") : JSON.array(elements).text()
    case .some(let other): other.text()
    }
  }
}

/// A column of a table of records.
enum DataColumn {
  case id, modified
  case field(DataField)

  var name: String {
    switch self {
    case .id: "id"
    case .modified: "modified"
    case .field(let field): field.name
    }
  }

  var mark: String {
    if case .field(let field) = self, ["int", "double"].contains(field.type) {
      "number"
    } else {
      "wrap"
    }
  }

  func label(_ words: WebWords) -> String {
    switch self {
    case .id: words["record.id"]
    case .modified: words["record.modified"]
    case .field(let field): field.label(words)
    }
  }

  /// What a cell shows.
  func text(of record: JSON, _ words: WebWords, now: Int64) -> String {
    switch self {
    case .id: return record["id"]?.string ?? ""
    case .modified: return words.ago(record["modified"]?.string, now: now)
    case .field(let field):
      let value = record["fields"]?[field.name]
      if field.type == "bool", let isOn = value?.bool { return words[isOn ? "yes" : "no"] }
      if field.type == "instant", let text = value?.string { return words.instant(text) }
      let text = DataField.text(value)
      return text.count > 120 ? text.prefix(120) + "…" : text
    }
  }
}
