public import SyncKit

extension HealthDomain {
  /// The readings for whole days that single ones of Apple Health replace, by the id that they have if
  /// they exist, with the values of the single ones.
  ///
  /// An import without every reading makes one entry of a day's readings; one with every reading has
  /// no use for it any more.
  public static func days(replacedBy drafts: [RecordDraft]) -> [RecordID: Set<Double>] {
    var ids: [RecordID: EntryID] = [:]
    var known: [[String]: RecordID] = [:]
    var days: [RecordID: Set<Double>] = [:]
    for draft in drafts {
      guard draft.collection == EntryKind.blood.collection, let subject = draft.parent?.id,
        let name = draft.fields["name"]?.string, let code = draft.fields[.code]?.string,
        AppleSeries.all.contains(where: { $0.name == name && $0.loinc == code }),
        let date = draft.fields[.date]?.string.flatMap({ HealthDate($0) }), date.hasTime,
        let day = date.day, let value = draft.fields[.value]?.number
      else { continue }
      let derived = ids[subject] ?? EntryID(subject: subject)
      ids[subject] = derived
      let place = [subject.text, name, day]
      let id = known[place] ?? derived.derived(.blood, date: day, name: name, ordinal: 0)
      known[place] = id
      days[id, default: []].insert(value)
    }
    return days
  }

  /// Whether a reading for a whole day says no more than the single ones of that day.
  ///
  /// One that a person has remarked on stays, and one with a value of its own.
  public static func isReplaced(_ record: Record, by values: Set<Double>) -> Bool {
    guard let date = record[.date].string.flatMap({ HealthDate($0) }), !date.hasTime,
      record["comment"].isNull, let value = record[.value].number
    else { return false }
    return record[.minimum].number != nil && record[.maximum].number != nil
      || values.contains(value)
  }
}
