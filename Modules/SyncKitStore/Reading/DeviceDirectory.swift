import SyncKitModel
import Synchronization

/// How a device introduces itself in a zone: a record of the zone, so that it relays.
package enum DeviceRecord {
  /// The collection of introductions; the id of each is its replica.
  package static let collection: CollectionName = "_device"
  /// The field with the device's id.
  package static let device: FieldName = "device"
  package static let name: FieldName = "name"
  package static let lastSeen: FieldName = "lastSeen"
  package static let acknowledged: FieldName = "acknowledged"

  package static func key(_ zone: ZoneID, _ replica: ReplicaID) -> RecordKey {
    RecordKey(zone: zone, collection: collection, id: RecordID(replica.description))
  }
}

/// Finds the device of a replica, by the device records of its zone.
final class DeviceDirectory: Sendable {
  private struct Replica: Hashable {
    let zone: ZoneID
    let id: ReplicaID
  }

  private let device: Device
  private let known = Mutex<[Replica: DeviceName]>([:])

  package init(device: Device) { self.device = device }

  package func name(
    of replica: ReplicaID, in state: ZoneState, zone: ZoneID,
    state record: (RecordKey) throws -> RecordState
  ) throws -> DeviceName {
    if replica == state.own { return DeviceName(id: device.id, name: device.name) }
    let key = Replica(zone: zone, id: replica)
    if let name = known.withLock({ $0[key] }) { return name }
    let wire = state.branches.first { $0.id == replica }?.wire ?? replica
    let fields = try record(DeviceRecord.key(zone, wire))
    func text(_ name: FieldName) -> String? {
      fields[name].flatMap { NewestPolicy().shown($0.siblings).string }
    }
    let name = DeviceName(
      id: text(DeviceRecord.device) ?? wire.description, name: text(DeviceRecord.name))
    known.withLock { $0[key] = name }
    return name
  }
}
