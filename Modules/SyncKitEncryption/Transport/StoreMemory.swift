public import SyncKit

/// Keeps in a store what the objects of one of its remotes hold.
public struct StoreMemory: ObjectMemory {
  private let store: SyncStore
  private let remote: String

  /// Names the store and its remote.
  public init(_ store: SyncStore, remote: String) {
    self.store = store
    self.remote = remote
  }

  public func objects() throws -> [ContentHash: KnownObject] { try store.objects(on: remote) }

  public func note(_ found: [ContentHash: KnownObject], forgetting gone: [ContentHash]) throws {
    try store.note(found, forgetting: gone, on: remote)
  }
}
