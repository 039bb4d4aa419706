public import SyncKit

extension SettingsDomain {
  /// The keys that an operation writes values of: one, or those of a group; none for other records.
  ///
  /// A device that keeps keys to itself asks this of whatever is about to leave.
  public static func keys(writtenBy operation: RecordOperation) -> [String] {
    switch operation.collection {
    case .setting:
      let members = operation.writes.flatMap { write -> [String] in
        guard write.name == .value, let content = write.value?.map,
          content[.type]?.string == SettingRecord.group, let values = content[.value]?.map
        else { return [] }
        return values.members.map(\.name.text)
      }
      return members.isEmpty ? [operation.id.text] : members
    case .override:
      if let key = operation.writes.first(where: { $0.name == .key })?.value?.string {
        return [key]
      }
      // `key@condition`, and both may hold an `@` themselves.
      let id = operation.id.text
      let end = id.indices.last { index in
        id[index] == "@" && SettingCondition(String(id[id.index(after: index)...])) != nil
      }
      return [end.map { String(id[..<$0]) } ?? id]
    default: return []
    }
  }
}
