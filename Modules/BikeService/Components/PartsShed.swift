public import SyncKit

/// The records that belong to components, read before a transaction that moves some of them.
///
/// A transaction reads records by their keys only; this lists the keys.
public struct PartsShed: Sendable {
  private let found: [CollectionName: [Record]]

  /// Reads the synced store.
  ///
  /// - Throws: ``SyncKit/SyncError`` `store.damaged` and the like.
  public init(_ store: SyncStore) throws {
    var found: [CollectionName: [Record]] = [:]
    for name in [CollectionName.component, .installation, .interval, .serviceRecord] {
      found[name] = try store.records(name)
    }
    self.found = found
  }

  /// The records of a collection.
  func records(_ collection: CollectionName) -> [Record] { found[collection] ?? [] }
}
