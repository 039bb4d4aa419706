import SyncKit

/// By what the records of a type are found and ordered without a look at each of them.
///
/// ```swift
/// SyncedIndex(\.isDone, \.due)              // the open ones by their dates
/// SyncedIndex(withinParent: \.position)     // the items of a list in their order
/// ```
///
/// Name first the properties that a query compares with `==`, then the one that it orders by, or of which it wants a
/// range. An index costs a row for each record, and is built when a store is first opened with it. Sets and fields that
/// stay on the device have none.
public struct SyncedIndex<Root: SyncedRecord>: Sendable {
  private let isByParent: Bool
  private let properties: [any PartialKeyPath<Root> & Sendable]

  /// Finds records by properties.
  public init(_ properties: any PartialKeyPath<Root> & Sendable...) {
    (isByParent, self.properties) = (false, properties)
  }

  /// Finds the children of a record by properties.
  public init(withinParent properties: any PartialKeyPath<Root> & Sendable...) {
    (isByParent, self.properties) = (true, properties)
  }

  func index(of syncedFields: [SyncedField<Root>]) -> RecordIndex {
    RecordIndex(
      byParent: isByParent,
      properties.map { property in
        // A property that is no field makes an index that cannot be kept; `DomainContract` names it.
        syncedFields.first {
          $0.property as PartialKeyPath<Root> == property as PartialKeyPath<Root>
        }?.part
          ?? RecordIndex.Part(FieldName("\(property)"))
      })
  }
}
