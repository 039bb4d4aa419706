import SyncKit

/// The form of settings in records: SyncKit's values, which have the types of a setting.
///
/// What SyncKit lacks is a map with one key that begins with `$`: `{"$uint": "18446744073709551615"}`
/// for a number beyond 64 bits with a sign, `{"$decimal": "…"}` for one with more digits,
/// `{"$plain": "yes"}` for a word of YAML, `{"$null": true}` for nothing, `{"$dict": {…}}` around a dictionary that would look like
/// that.
extension SettingValue {
  /// The value in the form of a record.
  public var stored: Value {
    switch self {
    case .bool(let value): .bool(value)
    case .int(let value): .int(value)
    case .uint(let value): Int64(exactly: value).map { .int($0) } ?? Self.tag("$uint", "\(value)")
    case .double(let value): .double(value)
    case .decimal(let text): Self.tag("$decimal", text)
    case .string(let text): .string(text)
    case .plain(let text): Self.tag("$plain", text)
    case .date(let milliseconds): .instant(milliseconds)
    case .data(let bytes): .bytes(bytes)
    case .null: .map(ValueMap([("$null", .bool(true))]))
    case .array(let values): .list(values.map(\.stored))
    case .dict(let members):
      Self.map(ValueMap(members.map { (FieldName($0.key), $0.value.stored) }))
    }
  }

  /// The setting in a record; nil for null.
  public init?(stored value: Value) {
    switch value {
    case .null: return nil
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(value)
    case .double(let value): self = .double(value)
    case .string(let text): self = .string(text)
    case .instant(let milliseconds): self = .date(milliseconds: milliseconds)
    case .bytes(let bytes): self = .data(bytes)
    case .list(let values): self = .array(values.compactMap { SettingValue(stored: $0) })
    case .map(let map):
      if let member = map.members.first, map.members.count == 1 {
        if member.name == "$uint", let number = member.value.string.flatMap({ UInt64($0) }) {
          self = .uint(number)
          return
        }
        if member.name == "$null", case .bool(true) = member.value {
          self = .null
          return
        }
        if member.name == "$decimal", let text = member.value.string {
          self = .decimal(text)
          return
        }
        if member.name == "$plain", let text = member.value.string {
          self = .plain(text)
          return
        }
        if member.name == "$dict", case .map(let inner) = member.value {
          self = .dict(Self.members(inner))
          return
        }
      }
      self = .dict(Self.members(map))
    }
  }

  private static func members(_ map: ValueMap) -> [Member] {
    map.members.compactMap { member in
      SettingValue(stored: member.value).map { Member(member.name.text, $0) }
    }
  }

  private static func map(_ map: ValueMap) -> Value {
    guard map.members.count == 1, map.members[0].name.text.utf8.first == UInt8(ascii: "$") else {
      return .map(map)
    }
    return .map(ValueMap([("$dict", .map(map))]))
  }

  private static func tag(_ name: FieldName, _ text: String) -> Value {
    .map(ValueMap([(name, .string(text))]))
  }
}
