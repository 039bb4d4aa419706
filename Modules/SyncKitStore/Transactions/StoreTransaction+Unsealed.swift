import SyncKitModel

extension StoreTransaction {
  /// The own changes of a zone that are not sealed, in order.
  package func unsealed(_ id: ZoneID) throws -> [UnsealedChange] {
    try storage.entries(.change, prefix: Keys.prefix(id)).map(UnsealedChange.init(key:row:))
  }

  /// The same, decoded; each context follows from the change before.
  func readUnsealed(_ id: ZoneID) throws -> [(row: UnsealedChange, change: Change)] {
    let zone = try zone(id)
    var context = zone.sealedContext
    return try unsealed(id).map { row in
      let change = try row.bytes.reading(allowingRest: true) {
        try Change(&$0, series: zone.own, after: context)
      }
      context = change.context
      return (row, change)
    }
  }

  /// Writes unsealed changes again after some of them were altered.
  func rewrite(_ id: ZoneID, _ changes: [(row: UnsealedChange, change: Change)]) throws {
    var zone = try zone(id)
    var context = zone.sealedContext
    for (row, change) in changes {
      let bytes = change.encoded(series: zone.own, after: context, versions: rules.version)
      context = change.context
      try storage.put(.change, Keys.change(id, row.seq), bytes)
    }
    zone.ownContext = context
    setZone(id, zone)
  }
}
