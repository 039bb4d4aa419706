public import SyncKit

extension DomainSchema {
  /// The collections of the domain `health`.
  public static let health = DomainSchema(
    "health",
    [RecordType("subject", placement: .root, isOptIn: true, fields: [Field("name", .string)])])
}
