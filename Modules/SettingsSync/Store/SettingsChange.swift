public import SyncKit

/// A change of settings for an app: its keys and its reason.
public struct SettingsChange: Sendable {
  /// Why settings have changed.
  public enum Reason: String, Sendable {
    /// This device wrote.
    case local
    /// Another device wrote.
    case serverChange
    /// The first download brought them.
    case initialSync
    /// The remote is full; nothing was changed.
    case quotaViolation
    /// The remote is of another vault; nothing was received, and nothing was sent.
    case accountChange
  }

  /// The reason.
  public var reason: Reason
  /// The keys that changed, by namespace; empty when none did.
  public var keys: [String: [String]]
}

extension SettingsChange.Reason {
  fileprivate init(_ reason: SyncEvent.Reason) {
    self =
      switch reason {
      case .local: .local
      case .remote, .erased: .serverChange
      case .initialSync: .initialSync
      }
  }
}

extension SyncStore {
  /// The change of settings in an event of the store; nil for other events.
  ///
  ///     for await event in store.events {
  ///       guard let change = try store.settingsChange(event) else { continue }
  ///       …
  ///     }
  public func settingsChange(_ event: SyncEvent) throws -> SettingsChange? {
    switch event {
    case .changed(let keys, let reason):
      let changed = try settingsKeys(keys)
      return changed.isEmpty ? nil : SettingsChange(reason: .init(reason), keys: changed)
    case .reload(let reasons):
      // Too many to list: all of them.
      let keys = try [.setting, .override, .localValue].flatMap { collection in
        try records(collection, includingDeleted: true).map(\.key)
      }
      let reason = [.initialSync, .remote, .erased].first(where: reasons.contains) ?? .local
      return SettingsChange(reason: .init(reason), keys: try settingsKeys(keys))
    case .failed(_, let error) where error.code == .remoteQuota || error.code == .settingsQuota:
      return SettingsChange(reason: .quotaViolation, keys: [:])
    case .failed(_, let error) where error.code.isOfAccount:
      return SettingsChange(reason: .accountChange, keys: [:])
    default: return nil
    }
  }

  private func settingsKeys(_ records: [RecordKey]) throws -> [String: [String]] {
    var names: [ZoneID: String] = [:]
    for record in try self.records(.namespace, includingDeleted: true) {
      names[record.key.zone] = record.key.id.text
    }
    var keys: [String: Set<String>] = [:]
    for key in records {
      switch key.collection {
      case .setting:
        guard let name = names[key.zone] else { continue }
        let members = try record(key).flatMap { SettingRecord($0) }
        if case .group(let values)? = members {
          keys[name, default: []].formUnion(values.keys)
        } else {
          keys[name, default: []].insert(key.id.text)
        }
      case .override:
        guard let name = names[key.zone], let changed = try record(key)?[.key].string else {
          continue
        }
        keys[name, default: []].insert(changed)
      case .localValue:
        let parts = key.id.text.split(separator: "/", maxSplits: 1)
        if parts.count == 2 { keys[String(parts[0]), default: []].insert(String(parts[1])) }
      default: break
      }
    }
    return keys.mapValues { $0.sorted() }
  }
}
