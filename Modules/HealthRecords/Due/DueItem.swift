import SyncKit

/// Something that has a day by which it should be done: a vaccination to repeat, a medicine to fetch.
public struct DueItem: Sendable {
  /// The kind of due item.
  public enum Reason: String, Sendable, CaseIterable {
    /// A vaccination to repeat.
    case vaccination
    /// A medicine to fetch again.
    case refill
  }

  /// The person or pet.
  public let subject: HealthSubject
  /// The entry with the day.
  public let entry: HealthEntry
  /// The kind of due item.
  public let reason: Reason
  /// The day.
  public let day: HealthDate

  /// Whether the day has passed.
  public func isOverdue(at now: Int64) -> Bool { day.start + 86_400_000 <= now }

  /// The items due until a point in time, the earliest first.
  ///
  /// Of a vaccination only the newest entry of its name counts, since the one before has been followed;
  /// a medicine that has ended needs no refill.
  public static func all(
    in trees: [HealthTree], until: Int64, now: Int64
  ) -> [DueItem] {
    trees.flatMap { tree in
      let vaccinations = newest(tree.entries(.vaccination)).compactMap { entry in
        item(tree, entry, .vaccination, .nextDue)
      }
      let refills = tree.entries(.drug).filter { !$0.hasEnded(at: now) }.compactMap { entry in
        item(tree, entry, .refill, .refillDue)
      }
      return (vaccinations + refills).filter { $0.day.start <= until }
    }
    .sorted { ($0.day, $0.entry.record.key.id) < ($1.day, $1.entry.record.key.id) }
  }

  private static func item(
    _ tree: HealthTree, _ entry: HealthEntry, _ reason: Reason, _ field: FieldName
  ) -> DueItem? {
    guard let day = entry.record[field].string.flatMap({ HealthDate($0) }) else { return nil }
    return DueItem(subject: tree.subject, entry: entry, reason: reason, day: day)
  }

  private static func newest(_ entries: [HealthEntry]) -> [HealthEntry] {
    var last: [String: HealthEntry] = [:]
    for entry in entries { last[entry.title.folded] = entry }
    return entries.filter { last[$0.title.folded]?.record.key == $0.record.key }
  }
}
