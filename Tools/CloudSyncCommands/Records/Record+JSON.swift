import CommandFoundation
import SyncKitFormats
import SyncKit

extension Record {
  /// The record in documents, its fields in the order of the schema.
  ///
  /// A collection of a newer version has none. The `always` fields are present even if they
  /// are unset, as null.
  func json(_ collection: RecordType?, always: [FieldName] = []) -> JSON {
    var shown = JSONObject()
    var names = collection?.fieldNames ?? []
    let known = Set(names)
    names += fields.keys.filter { !known.contains($0) }.sorted()
    for name in names {
      if let value = fields[name] {
        shown[name.text] = value.json
      } else if always.contains(name) {
        shown[name.text] = .null
      }
    }
    var document: JSONObject = [
      "collection": .string(key.collection.text),
      "id": .string(key.id.text),
      "fields": .object(shown),
      "created": .string(Timestamp.format(milliseconds: created)),
      "modified": .string(Timestamp.format(milliseconds: modified)),
      "device": device.json,
      "scope": .string(scope.rawValue),
      "conflicts": .array(conflicts.map { .string($0.text) }),
    ]
    if !others.isEmpty { document["otherFields"] = .object(otherFields) }
    if let parent { document["parent"] = .string("\(parent)") }
    if isDeleted { document["deleted"] = true }
    for (key, value) in sharing.members { document[key] = value }
    return .object(document)
  }
}

extension Record {
  /// Values of other programs that are not fields here, by name; an unknown set as a list.
  var otherFields: JSONObject {
    var shown = JSONObject()
    for (name, value) in others.sorted(by: { $0.key < $1.key }) {
      let field = name.field.text
      if name.field.text == name.text {
        shown[field] = value.json
      } else {
        shown[field] = .array((shown[field]?.array ?? []) + [value.json])
      }
    }
    return shown
  }
}

extension Record {
  /// The scope of the record in a word, and its owner if it is another person's: `local`, `synced`,
  /// `shared`, `shared by Anna`, `shared by Anna (reader)`, `no longer shared by Anna`.
  var badge: String {
    guard scope == .shared, let access, access.role.isGuest else { return scope.rawValue }
    let owner = access.owner.isEmpty ? "another person" : access.owner
    switch access.role {
    case .removed, .left: return "no longer shared by \(owner)"
    case .reader: return "shared by \(owner) (reader)"
    case .writer, .owner: return "shared by \(owner)"
    }
  }

  /// The owner of a shared record and this person's role, in documents; `owner` is null for
  /// one's own.
  var sharing: JSONObject {
    guard scope == .shared, let access else { return [:] }
    return [
      "owner": access.owner.isEmpty || !access.role.isGuest ? .null : .string(access.owner),
      "role": .string(access.role.rawValue),
    ]
  }
}

extension DomainRegistration {
  /// A record of the domain in documents.
  static func json(_ record: Record) -> JSON {
    let collection = domain.schema[record.key.collection]
    return record.json(collection, always: steadyFields(of: record.key.collection))
  }
}
