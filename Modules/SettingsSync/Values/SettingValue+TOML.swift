import SyncKitFormats

/// Settings in TOML, which has all types but data and the largest whole numbers: those are tables
/// with one key, as in JSON.
extension SettingValue {
  var toml: TOML {
    switch self {
    case .bool(let value): return .bool(value)
    case .int(let value): return .int(value)
    case .double(let value): return .double(value)
    case .string(let text): return .string(text)
    case .date(let milliseconds): return .dateTime(milliseconds: milliseconds)
    case .array(let values): return .array(values.map(\.toml))
    case .uint, .data:
      guard case .object(let object) = json, let member = object.members.first else {
        return .string(text)
      }
      return .table(TOMLTable([(member.key, .string(member.value.string ?? ""))]))
    case .dict(let members):
      let table = TOML.table(TOMLTable(members.map { ($0.key, $0.value.toml) }))
      guard members.count == 1, members[0].key.utf8.first == UInt8(ascii: "$") else {
        return table
      }
      return .table(TOMLTable([("$dict", table)]))
    }
  }

  init(_ toml: TOML) throws(SettingProblem) {
    switch toml {
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(value)
    case .double(let value): self = .double(value)
    case .string(let text): self = .string(text)
    case .dateTime(let milliseconds): self = .date(milliseconds: milliseconds)
    case .local(let text):
      throw SettingProblem("'\(text)' has no offset, so it is not a point in time")
    case .array(let elements):
      var values: [SettingValue] = []
      for element in elements { values.append(try SettingValue(element)) }
      self = .array(values)
    case .table(let table):
      if let member = table.members.first, table.members.count == 1 {
        if member.key == "$dict", case .table(let inner) = member.value {
          self = .dict(try Self.members(inner))
          return
        }
        if ["$data", "$uint"].contains(member.key), case .string(let text) = member.value {
          self = try SettingValue(.object([member.key: .string(text)]))
          return
        }
      }
      self = .dict(try Self.members(table))
    }
  }

  private static func members(_ table: TOMLTable) throws(SettingProblem) -> [Member] {
    var members: [Member] = []
    for member in table.members {
      members.append(Member(member.key, try SettingValue(member.value)))
    }
    return members
  }
}
