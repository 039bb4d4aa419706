import SyncKitFormats
import YAMLDocuments

extension SettingValue {
  /// The value as YAML, which has a form for every type.
  var yaml: YAMLValue {
    switch self {
    case .bool(let value): .bool(value)
    case .int(let value): .int(value)
    case .uint(let value): .uint(value)
    case .double(let value): .double(value)
    case .string(let text): .string(text)
    case .date(let milliseconds): .timestamp(Timestamp.format(milliseconds: milliseconds))
    case .data(let bytes): .binary(Base64.encode(bytes))
    case .array(let values): .list(values.map(\.yaml))
    case .dict(let members): .map(members.map { YAMLValue.Member($0.key, $0.value.yaml) })
    }
  }

  init(_ yaml: YAMLValue) throws(SettingProblem) {
    switch yaml {
    case .null: throw SettingProblem("a setting cannot be null")
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(value)
    case .uint(let value): self = .uint(value)
    case .double(let value): self = .double(value)
    case .string(let text): self = .string(text)
    case .timestamp(let text):
      guard let time = Self.time(text) else {
        throw SettingProblem("'\(text)' is not a point in time with an offset")
      }
      self = .date(milliseconds: time)
    case .binary(let text):
      guard let bytes = Base64.decode(text) else {
        throw SettingProblem("binary data is not in base64")
      }
      self = .data(bytes)
    case .list(let items):
      var values: [SettingValue] = []
      for item in items { values.append(try SettingValue(item)) }
      self = .array(values)
    case .map(let entries):
      var members: [Member] = []
      for entry in entries { members.append(Member(entry.key, try SettingValue(entry.value))) }
      self = .dict(members)
    }
  }

  /// A time in YAML: without an offset it is in UTC.
  private static func time(_ text: String) -> Int64? {
    Timestamp.parse(text) ?? Timestamp.parse(text + "Z")
  }
}
