public import SyncKit

/// What a device knows of the sealed objects on a remote: which segment each of them holds.
///
/// A name says nothing of what lies under it, so an object is opened once, and its name kept. It can be found out again,
/// and holds nothing that the store does not have.
public protocol ObjectMemory: Sendable {
  /// The objects that are known, by their heads.
  func objects() throws -> [ContentHash: KnownObject]

  /// Notes what objects hold, and forgets those that are gone.
  func note(_ found: [ContentHash: KnownObject], forgetting gone: [ContentHash]) throws
}
