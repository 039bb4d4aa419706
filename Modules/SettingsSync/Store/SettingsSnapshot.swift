public import SyncKit

/// The settings of a namespace at one moment.
public struct SettingsSnapshot: Sendable {
  /// The origin of a value that applies.
  public enum Origin: String, Sendable {
    /// All devices.
    case synced
    /// All devices, for machines like this one.
    case override
    /// This device alone.
    case local
    /// The app's declaration.
    case fallback = "default"
  }

  /// The rules, and the app's declaration.
  public internal(set) var namespace: SettingsNamespace
  /// The synced values by key, including members of groups.
  public internal(set) var synced: [String: SettingValue] = [:]
  /// The values of this device by key.
  public internal(set) var local: [String: SettingValue] = [:]
  /// The overrides by key, including those for other machines.
  public internal(set) var overrides:
    [String: [(condition: SettingCondition, value: SettingValue)]] =
      [:]
  /// The records of synced values, by key.
  public internal(set) var records: [String: Record] = [:]
  /// The states of the app's files as this device last read them, by file.
  public internal(set) var baselines: [String: SettingsBaseline] = [:]
  /// The key of the namespace's own record; nil while there is none.
  var root: RecordKey?
  /// The records of settings by their ids.
  var settings: [RecordID: Record] = [:]

  /// The value that applies on a machine, and its origin; nil for one that is unset and has no
  /// default.
  public func value(
    of key: String, on machine: SettingsMachine
  ) -> (value: SettingValue, origin: Origin)? {
    if let value = local[key] { return (value, .local) }
    let held = overrides[key]?.filter { $0.condition.holds(for: machine) }
    if let best = held?.max(by: { $0.condition.rank < $1.condition.rank }) {
      return (best.value, .override)
    }
    if let value = synced[key] { return (value, .synced) }
    if let owner = namespace.declaration.key(flaggedBy: key) {
      return (.bool(synced[owner] != nil), .fallback)
    }
    return namespace.declaration.settings[key]?.fallback.map { ($0, .fallback) }
  }

  /// All values that are set for a machine, without defaults.
  public func values(on machine: SettingsMachine) -> [String: SettingValue] {
    let keys = Set(synced.keys).union(local.keys).union(overrides.keys)
    var values: [String: SettingValue] = [:]
    for key in keys {
      guard let found = value(of: key, on: machine), found.origin != .fallback else { continue }
      values[key] = found.value
    }
    return values
  }

  /// The id of the record that holds a key: its group's, or its own.
  func recordID(of key: String) -> RecordID {
    RecordID(namespace.declaration.group(of: key) ?? key)
  }
}

extension SyncStore {
  /// The names of all namespaces, in order.
  public func settingsNamespaces() throws -> [String] {
    try records(.namespace).map(\.key.id.text).sorted()
  }

  /// The current settings of a namespace; one that does not exist is empty.
  public func settings(of name: String) throws -> SettingsSnapshot {
    var snapshot = SettingsSnapshot(namespace: SettingsNamespace(name))
    if let record = try record(.namespace, RecordID(name)), !record.isDeleted {
      snapshot.namespace = SettingsNamespace(record)
      snapshot.root = record.key
      snapshot.baselines = SettingsBaseline.all(record)
    }
    if let root = snapshot.root {
      try forEachRecord(in: .setting) { record in
        if record.key.zone == root.zone { snapshot.settings[record.key.id] = record }
      }
      try forEachRecord(in: .override) { record in
        if record.key.zone == root.zone { snapshot.addOverride(record) }
      }
      snapshot.spread()
    }
    let prefix = "\(name)/"
    try forEachRecord(in: .localValue) { record in
      let id = record.key.id.text
      guard id.hasPrefix(prefix), let value = SettingValue(stored: record[.value]) else { return }
      snapshot.local[String(id.dropFirst(prefix.count))] = value
    }
    return snapshot
  }
}

extension SettingsSnapshot {
  /// Lists the values of records key by key.
  ///
  /// A key of a group may also have a record of its own, written by a device that did not know the
  /// group yet; the group counts, and that record fills the keys that the group lacks.
  fileprivate mutating func spread() {
    for (id, record) in settings {
      guard case .single(let value)? = SettingRecord(record) else { continue }
      synced[id.text] = value
      records[id.text] = record
    }
    for record in settings.values {
      guard case .group(let values)? = SettingRecord(record) else { continue }
      for (key, value) in values {
        synced[key] = value
        records[key] = record
      }
    }
  }

  fileprivate mutating func addOverride(_ record: Record) {
    guard let key = record[.key].string,
      let condition = record[.condition].string.flatMap({ SettingCondition($0) }),
      let value = SettingValue(stored: record[.value])
    else { return }
    overrides[key, default: []].append((condition, value))
  }
}
