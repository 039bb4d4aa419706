import SyncKitFormats
import SyncKit

extension Value {
  /// The value of a foreign key in a file, kept as it is.
  init(json: JSON) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(value)
    case .double(let value): self = .double(value)
    case .string(let value): self = .string(value)
    case .array(let elements): self = .list(elements.map { Value(json: $0) })
    case .object(let object):
      self = .map(ValueMap(object.members.map { (FieldName($0.key), Value(json: $0.value)) }))
    }
  }
}

extension JSON {
  /// The value as it was in a file; a time as RFC 3339, bytes as numbers.
  init(_ value: SyncKit.Value) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(value)
    case .double(let value): self = value.isFinite ? .double(value) : .null
    case .string(let value): self = .string(value)
    case .instant(let value): self = .string(Timestamp.format(milliseconds: value))
    case .bytes(let bytes): self = .array(bytes.map { .int(Int64($0)) })
    case .list(let values): self = .array(values.map { JSON($0) })
    case .map(let map):
      self = .object(JSONObject(map.members.map { ($0.name.text, JSON($0.value)) }))
    }
  }
}
