import SyncKitModel

extension SyncStore {
  /// Why new edits in some zones stay on this device without a choice.
  func reasonsNotToSend(
    _ zones: some Sequence<ZoneID>, _ transaction: StoreTransaction
  ) throws -> [UnsentEdits] {
    let reasons = try transaction.reasonsNotToSend(zones)
    guard reasons.isEmpty, let detachment, try transaction.storage.get(.meta, Keys.vault) != nil,
      try zones.contains(where: { id in
        guard id != .local, try transaction.zone(id).isPublished else { return false }
        return try rules.root(of: id, in: transaction.storage, transaction.symbols)
          .map { !rules.keepsBack($0) } ?? true
      })
    else { return reasons }
    var reason = UnsentEdits(detachment)
    reason.domain = domain.name
    return [reason]
  }
}
