import SyncKit

/// A small domain with every kind of field that a store keeps in its own way.
struct FuzzDomain: SyncDomain {
  let schema = DomainSchema(
    "fuzz",
    [
      RecordType(
        "note",
        fields: [
          Field("text", .string), Field("count", .int, policy: ExtremePolicy.max),
          Field("tags", .set), Field("draft", .string, isLocal: true),
        ])
    ])
}
