import SyncKitModel

/// The last time that the store's clock has drawn.
///
/// It is not written for each edit: in one zone, the last own change that is not sealed may be later.
struct ClockRow {
  /// As in ``Stamp/time``.
  var time: UInt64 = 0
  /// The zone whose changes count besides; nil for none.
  var zone: ZoneID?

  /// The last time, together with what the changes say.
  func last(in storage: any StorageReader) throws -> UInt64 {
    guard let zone, let change = try storage.lastUnsealed(zone) else { return time }
    return max(time, try change.time)
  }

  /// Whether the row and the changes together already give a time.
  func covers(_ last: UInt64, in storage: any StorageReader) throws -> Bool {
    try last == self.last(in: storage)
  }
}

extension ClockRow {
  var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.write(fixed: time)
    if let zone { writer.write(text: zone.text) }
    return writer.bytes
  }

  init(decoding row: [UInt8]) throws {
    self = try row.reading { reader in
      ClockRow(
        time: try reader.fixed(), zone: reader.isAtEnd ? nil : ZoneID(try reader.text()))
    }
  }
}
