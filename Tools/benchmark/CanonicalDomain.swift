import SyncKit

/// The domain of the canonical record, as an app would write it.
struct CanonicalDomain: SyncDomain {
  static let task: CollectionName = "task"

  let schema = DomainSchema(
    "bench",
    [
      RecordType(
        task,
        fields: [
          Field("name", .string),
          Field("project", .string),
          Field("status", .string),
          Field("priority", .int),
          Field("due", .string),
          Field("tags", .set),
          Field("note", .string),
          Field("created", .instant, policy: ImmutablePolicy()),
          Field("modified", .instant, policy: ExtremePolicy.max, weight: .touch),
        ])
    ])
}
