public import SyncKit

extension DomainSchema {
  /// The collections of the domain `bike`.
  public static let bike = DomainSchema(
    "bike",
    [RecordType("bike", placement: .root, fields: [Field("name", .string)])])
}
