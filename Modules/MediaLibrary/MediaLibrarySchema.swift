public import SyncKit

extension DomainSchema {
  /// The collections of the domain `media`.
  public static let media = DomainSchema(
    "media",
    [RecordType("list", placement: .root, deleteRule: .newest, fields: [Field("name", .string)])])
}
