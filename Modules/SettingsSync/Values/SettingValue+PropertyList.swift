import SyncKitFormats

extension SettingValue {
  /// The value as a property list, for its size in iCloud's store.
  var propertyList: PropertyList {
    switch self {
    case .bool(let value): .bool(value)
    case .int(let value): .int(value)
    case .uint(let value): .uint(value)
    case .double(let value): .double(value)
    case .string(let text), .decimal(let text), .plain(let text): .string(text)
    case .date(let milliseconds): .date(milliseconds: milliseconds)
    case .data(let bytes): .data(bytes)
    case .null: .string("")
    case .array(let values): .array(values.map(\.propertyList))
    case .dict(let members):
      .dictionary(members.map { PropertyList.Member($0.key, $0.value.propertyList) })
    }
  }
}
