import SyncKitModel

/// An own change that no other device has seen: a remote one may still override it.
package struct UnsealedChange {
  /// Its number in the own series.
  package var seq: UInt64
  /// The encoded change.
  package var bytes: [UInt8]

  package init(seq: UInt64, bytes: [UInt8]) {
    self.seq = seq
    self.bytes = bytes
  }

  /// Reads an entry of the table of changes; see ``Keys/change(_:_:)``.
  package init(key: [UInt8], row: [UInt8]) throws {
    guard key.count >= 8 else { throw Keys.damaged("an unsealed change") }
    self.init(seq: UInt64(bigEndian: key.suffix(8)), bytes: row)
  }

  /// When it was made, as in ``Stamp/time``.
  var time: UInt64 {
    get throws { try Change.time(of: bytes) }
  }
}
