public import SyncKit

extension SettingsDomain {
  /// The keys whose values an operation writes: one, or those of a group; none for other records.
  ///
  /// A device that keeps keys to itself checks this for all outgoing changes. Of concurrent values,
  /// as in a snapshot, each counts.
  public static func keys(writtenBy operation: RecordOperation) -> [String] {
    switch operation.collection {
    case .setting:
      let values = operation.writes.filter { $0.name == .value }
      guard !values.isEmpty else { return [operation.id.text] }
      return values.flatMap { write -> [String] in
        guard let content = write.value?.map, content[.type]?.string == SettingRecord.group,
          let members = content[.value]?.map?.members, !members.isEmpty
        else { return [operation.id.text] }
        return members.map(\.name.text)
      }
    case .override:
      let keys = operation.writes.filter { $0.name == .key }.compactMap(\.value?.string)
      guard keys.isEmpty else { return keys }
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
