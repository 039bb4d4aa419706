import SyncKitModel

/// The state of a store, without contacting any remote.
public struct StoreStatus: Sendable {
  /// How the store stands with one remote.
  public struct RemoteStatus: Sendable {
    /// The remote's name.
    public var name: String
    /// Changes that are not on it yet, as far as this device knows.
    public var pending: Int
    /// What else is remembered of it.
    public var state: RemoteState
  }

  /// A device that takes part.
  public struct DeviceStatus: Sendable {
    /// Its name.
    public var device: DeviceName
    /// Milliseconds since 1970 of its last sign of life.
    public var lastSeen: Int64
    /// Changes of records that it has not acknowledged.
    public var behind: Int
    /// Whether it is this one.
    public var isSelf: Bool
    /// By how many milliseconds the newest time that it wrote lies in the future of this device's clock; nil for at
    /// most five minutes.
    public var clockLead: Int64?
  }

  /// Records that exist.
  public var records: Int
  /// Changes that are not on every remote yet.
  public var pending: Int
  /// Changes that this device has ever made, including those about itself; a copy or a restored backup starts
  /// counting again.
  public var edits: UInt64
  /// Changes that are known to exist and are not applied: some of them are here and wait for others, some lie on
  /// a remote that has yet to give them.
  public var waiting: Int
  /// Conflicts that are listed.
  public var conflicts: Int
  /// Conflicts that a person has to decide.
  public var decisions: Int
  /// Edits of this device that no remote can get at present, although no person has chosen that, by tree.
  public var unsent: [UnsentEdits] = []
  /// Each remote.
  public var remotes: [RemoteStatus]
  /// Each device that has introduced itself.
  public var devices: [DeviceStatus]
}

extension SyncStore {
  /// What ``SyncStore/status(remotes:)`` does.
  func summarize(remotes names: [String]) throws -> StoreStatus {
    let conflicts = try conflicts()
    let waiting = try waitingCount()
    let records = try counts().values.reduce(0, +)
    let states = try names.map { name in
      (name, try remote(name), try foreignZones(on: name).unwritten)
    }
    // What a remote had not given at the last run counts what is here and waits for it as well.
    let awaited = states.map(\.1.waiting).max() ?? 0
    return try read { reader in
      let unsealed = try reader.unsealedOperations()
      var pending: [String: Int] = [:]
      var any = 0
      let zones = try reader.zones()
      let kept = try reader.withheldZones()
      for (id, zone) in zones where zone.isPublished && !kept.contains(id) {
        for row in try reader.logRows(id) {
          var isMissing = false
          for (name, state, unwritten) in states
          where (state.acknowledged[id]?[row.series]?.seq ?? 0) < row.last
            && !unwritten.contains(id)
          {
            pending[name, default: 0] += row.operations
            isMissing = true
          }
          if isMissing { any += row.operations }
        }
      }
      return StoreStatus(
        records: records,
        pending: names.isEmpty ? 0 : any + unsealed,
        edits: zones.values.reduce(0) { $0 + $1.ownLast }, waiting: max(waiting, awaited),
        conflicts: conflicts.count, decisions: conflicts.filter(\.needsDecision).count,
        unsent: try reader.unsentEdits(),
        remotes: states.map { name, state, _ in
          StoreStatus.RemoteStatus(
            name: name, pending: pending[name, default: 0] + unsealed, state: state)
        },
        devices: try devices(reader))
    }
  }

  private func devices(_ reader: StoreReader) throws -> [StoreStatus.DeviceStatus] {
    let now = environment.now()
    var devices: [String: StoreStatus.DeviceStatus] = [:]
    for (id, zone) in try reader.zones() {
      let rows = try reader.logRows(id)
      let prefix = Keys.prefix(id, DeviceRecord.collection)
      for (key, packed) in try reader.storage.entries(.record, prefix: prefix) {
        let state = try RecordState(packed: packed, reader.symbols)
        guard let replica = ReplicaID(try Keys.record(parsing: key).id.text) else { continue }
        let name = try reader.view.device(id, replica)
        let isSelf = replica == zone.own
        let shown = { [rules] (field: FieldName) in
          rules.shown(field, of: state, in: DeviceRecord.collection)
        }
        var lastSeen = shown(DeviceRecord.lastSeen).instant ?? 0
        for row in rows where row.wire == replica {
          lastSeen = max(lastSeen, Stamp(time: row.newest, replica: replica).milliseconds)
        }
        var behind = 0
        if !isSelf, case .bytes(let bytes) = shown(DeviceRecord.acknowledged) {
          let seen = (try? bytes.reading { try $0.vector() }) ?? VersionVector()
          for row in rows where row.wire != replica && row.last > seen[row.series]?.seq ?? 0 {
            behind += row.operations
          }
        }
        var status =
          devices[name.id]
          ?? StoreStatus.DeviceStatus(device: name, lastSeen: 0, behind: 0, isSelf: isSelf)
        status.lastSeen = max(status.lastSeen, lastSeen)
        status.clockLead = Stamp.isAhead(status.lastSeen, of: now) ? status.lastSeen - now : nil
        // A device that was copied or restored has left a replica behind that acknowledges nothing.
        status.isSelf = status.isSelf || isSelf || name.id == device.id
        status.behind = status.isSelf ? 0 : status.behind + behind
        devices[name.id] = status
      }
      for row in rows {
        let newest = Stamp(time: row.newest, replica: row.wire).milliseconds
        guard Stamp.isAhead(newest, of: now) else { continue }
        // Not every program introduces its device.
        let name = try reader.view.device(id, row.series)
        var status =
          devices[name.id]
          ?? StoreStatus.DeviceStatus(
            device: name, lastSeen: newest, behind: 0, isSelf: row.series == zone.own)
        status.clockLead = max(status.clockLead ?? 0, newest - now)
        devices[name.id] = status
      }
    }
    return devices.values.sorted { $0.device.id < $1.device.id }
  }
}
