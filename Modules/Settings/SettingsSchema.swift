public import SyncKit

extension DomainSchema {
  /// The collections of the domain `settings`.
  public static let settings = DomainSchema(
    "settings",
    [RecordType("namespace", placement: .root, fields: [Field("name", .string)])])
}
