import SyncKit

/// The part of the page Documentation/Formats/Domains.md that follows from a domain's schema.
struct DomainPage {
  let schema: DomainSchema

  /// What stands between the marks of the domain.
  var text: String {
    let travelling = schema.collections.filter { $0.placement != .local }
    var text = travelling.map(section).joined(separator: "\n")
    let local = schema.collections.filter { $0.placement == .local }.map { "`\($0.name)`" }
    if !local.isEmpty {
      text += "\nNever on the wire: \(local.joined(separator: ", ")).\n"
    }
    return text
  }

  /// Where the part begins and ends in the page.
  var marks: (begin: String, end: String) {
    ("<!-- begin \(schema.name) -->\n", "<!-- end \(schema.name) -->\n")
  }

  private func section(_ type: RecordType) -> String {
    var text = "#### `\(schema.name)` / `\(type.name)`\n\n"
    text +=
      "Schema \(type.version) · \(place(type)) · of edit and deletion: `\(rule(type.deleteRule))`\n"
    let fields = type.fields.filter { !$0.isLocal }
    if fields.isEmpty {
      text += "\nNo fields: the id says all.\n"
    } else {
      text += "\n| Field | Type | Group | Concurrent values | Weight |\n|---|---|---|---|---|\n"
      for field in fields { text += rows(field) }
    }
    let local = type.fields.filter(\.isLocal).map { "`\($0.name)`" }
    if !local.isEmpty {
      text += "\nOf one device only, never on the wire: \(local.joined(separator: ", ")).\n"
    }
    return text
  }

  private func rows(_ field: Field) -> String {
    let weight = field.weight == .touch ? "touch" : "edit"
    guard !field.members.isEmpty else {
      return "| `\(field.name)` | \(field.type.rawValue) | | \(field.policy.name) | \(weight) |\n"
    }
    return field.members.filter { !$0.isLocal }.map { member in
      "| `\(member.name)` | \(member.type.rawValue) | `\(field.name)` | \(field.policy.name) | \(weight) |\n"
    }.joined()
  }

  private func place(_ type: RecordType) -> String {
    let parents = type.parents.map { "`\($0)`" }.joined(separator: ", ")
    let move = type.isMovable ? ", which may change" : ""
    return switch type.placement {
    case .home: "zone `home`"
    case .root: "root: a zone of its own" + (type.isOptIn ? ", which waits for consent" : "")
    case .parent: "in the zone of its parent, one of \(parents)\(move)"
    case .local: "local"
    }
  }

  private func rule(_ rule: DeleteRule) -> String { "\(rule)" }
}
