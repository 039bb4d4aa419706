import SyncKitFormats
import SyncKit

/// Records as lines of JSON: `id` first, then the fields in the order of the schema.
struct RecordLine {
  private let fields: [Field]

  /// - Parameter domain: Its collection ``CanonicalDomain/task`` names the fields.
  init(_ domain: CanonicalDomain) { fields = domain.schema[CanonicalDomain.task]?.fields ?? [] }

  /// Reads a line that creates a record or edits some fields of one.
  ///
  /// - Throws: ``SyncError`` `input.invalid` for an invalid line.
  func draft(_ line: some Sequence<UInt8>) throws -> RecordDraft {
    let object: JSON
    do {
      object = try JSON(parsing: line)
    } catch {
      throw SyncError(.inputInvalid, "A line is not JSON.", cause: error.message)
    }
    guard let members = object.object?.members, let id = object["id"]?.string else {
      throw SyncError(.inputInvalid, "A line is not an object with an id.")
    }
    var draft = RecordDraft(CanonicalDomain.task, id: RecordID(id), fields: [:])
    draft.fields.reserveCapacity(members.count)
    for (key, json) in members where key != "id" {
      let name = FieldName(key)
      draft.fields[name] = try value(json, of: name)
    }
    return draft
  }

  /// The line of a record, without its end.
  func json(_ record: Record) -> JSON {
    var object = JSONObject([("id", .string(record.key.id.text))])
    for field in fields {
      let value = record[field.name]
      if !value.isNull { object[field.name.text] = json(value) }
    }
    return .object(object)
  }

  private func value(_ json: JSON, of name: FieldName) throws -> Value {
    let type = fields.first { $0.name == name }?.type
    switch json {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .int(let value): return .int(value)
    case .double(let value): return .double(value)
    case .string(let text) where type == .instant:
      guard let time = Timestamp.parse(text) else {
        throw SyncError(.inputInvalid, "'\(text)' is not a time.")
      }
      return .instant(time)
    case .string(let text): return .string(text)
    case .array(let elements): return .list(try elements.map { try value($0, of: name) })
    case .object: throw SyncError(.inputInvalid, "The field '\(name)' cannot be an object.")
    }
  }

  private func json(_ value: Value) -> JSON {
    switch value {
    case .bool(let value): .bool(value)
    case .int(let value): .int(value)
    case .double(let value): .double(value)
    case .string(let text): .string(text)
    case .instant(let time): .string(Timestamp.format(milliseconds: time))
    case .list(let values): .array(values.map(json))
    case .null, .bytes, .map: .null
    }
  }
}
