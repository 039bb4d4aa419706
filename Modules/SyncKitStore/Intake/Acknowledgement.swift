import SyncKitModel

/// What another device has published about itself in a zone.
struct Acknowledgement {
  /// What it has applied, as it named it.
  package var seen: VersionVector
  /// When it was last heard of, in milliseconds since 1970.
  package var last: Int64
}

extension StorageReader {
  /// What the other devices of a zone have published about themselves, in the order of their ids.
  ///
  /// A device that was copied or restored leaves a replica behind that acknowledges nothing more; the
  /// acknowledgements of its replicas count together.
  func acknowledgements(
    in id: ZoneID, _ zone: ZoneState, besides own: Device, _ symbols: SymbolTable
  ) throws -> [Acknowledgement] {
    var devices: [String: Acknowledgement] = [:]
    for (key, packed) in try entries(.record, prefix: Keys.prefix(id, DeviceRecord.collection)) {
      let state = try RecordState(packed: packed, symbols)
      let text = try Keys.record(parsing: key).id.text
      func shown(_ name: FieldName) -> Value? {
        state[name].flatMap { NewestPolicy().shown($0.siblings) }
      }
      let device = shown(DeviceRecord.device)?.string ?? text
      guard let replica = ReplicaID(text), replica != zone.own, device != own.id else { continue }
      var known = devices[device] ?? Acknowledgement(seen: VersionVector(), last: 0)
      if case .bytes(let bytes) = shown(DeviceRecord.acknowledged) ?? .null {
        known.seen.formUnion((try? bytes.reading { try $0.vector() }) ?? VersionVector())
      }
      known.seen[replica] = zone.vector[replica] ?? known.seen[replica]
      known.last = max(known.last, shown(DeviceRecord.lastSeen)?.instant ?? 0)
      devices[device] = known
    }
    return devices.sorted { $0.key < $1.key }.map(\.value)
  }
}
