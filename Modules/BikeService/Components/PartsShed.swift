public import SyncKit

/// The records that belong to components, read before a transaction that moves some of them.
///
/// A transaction reads records by their keys only; this lists the keys.
public struct PartsShed: Sendable {
  private let found: [Name: [Record]]

  /// Reads the synced store.
  ///
  /// - Throws: ``SyncKit/SyncError`` `store.damaged` and the like.
  public init(_ store: SyncStore) throws {
    var found: [Name: [Record]] = [:]
    for name in [Name.component, .installation, .interval, .serviceRecord] {
      found[name] = try store.records(name)
    }
    self.found = found
  }

  /// The records of a collection.
  func records(_ collection: Name) -> [Record] { found[collection] ?? [] }
}
