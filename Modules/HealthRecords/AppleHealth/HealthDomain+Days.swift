public import SyncKit

extension HealthDomain {
  /// The ids of readings for whole days that single ones of Apple Health replace, whether they exist or not.
  ///
  /// An import without every reading makes one entry of a day's readings; one with every reading has
  /// no use for it any more.
  public static func days(replacedBy drafts: [RecordDraft]) -> [Name] {
    var ids: [Name: EntryID] = [:]
    var seen: Set<[String]> = []
    return drafts.compactMap { draft in
      guard draft.collection == EntryKind.blood.collection, let subject = draft.parent?.id,
        let name = draft.fields["name"]?.string, let code = draft.fields[.code]?.string,
        AppleSeries.all.contains(where: { $0.name == name && $0.loinc == code }),
        let date = draft.fields[.date]?.string.flatMap({ HealthDate($0) }), date.hasTime,
        let day = date.day, seen.insert([subject.text, name, day]).inserted
      else { return nil }
      let derived = ids[subject] ?? EntryID(subject: subject)
      ids[subject] = derived
      return derived.derived(.blood, date: day, name: name, ordinal: 0)
    }
  }

  /// Whether an entry is the average of a day, to which no one has added a remark.
  public static func isAverage(_ record: Record) -> Bool {
    guard let date = record[.date].string.flatMap({ HealthDate($0) }) else { return false }
    return !date.hasTime && record[.value].number != nil && record["comment"].isNull
  }
}
