import SyncKitModel

/// A transport that can remove a domain from its remote, once all of it lies there in another form.
///
/// A remote is emptied so when it is encrypted, and when it is moved back to plain: what lay there before goes when it
/// has been stored again.
public protocol EmptyingTransport: Transport {
  /// Removes segments of a domain, and all else of the domain when nothing of it stays: names of folders and marks.
  ///
  /// Unlike ``RemovingTransport/remove(_:of:)`` it does not ask whether others hold the same changes. What is not given
  /// stays, such as segments and marks of erased zones that have come since the caller looked.
  ///
  /// - Parameters:
  ///   - domain: The domain.
  ///   - inventory: What the caller has listed and taken in.
  /// - Throws: ``SyncError`` as for storing; some may be removed then.
  func empty(_ domain: String, of inventory: Inventory) async throws

  /// Removes the id of an encrypted vault from those that the remote names, and copies of it; nothing happens when it
  /// is not there.
  ///
  /// - Parameter vault: The id, a UUID of version 8.
  /// - Throws: ``SyncError`` as for storing, and `internal.bug` for the id of any other vault.
  func removeMark(of vault: String) async throws
}

extension SyncError {
  /// Only the mark of an encrypted vault may go: the others say whose data lie there.
  package static func noEncryptedVault(_ id: String) -> SyncError {
    SyncError(.bug, "'\(id)' is not the id of an encrypted vault.")
  }
}
