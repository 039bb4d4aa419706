import SyncCrypto
import SyncKit

/// The keys of a zone, and who signs in it: a zone of the vault, or of another person's.
struct ZoneCipher: Sendable {
  /// The id of the vault to which the zone belongs.
  let vault: [UInt8]
  /// The names under which the zone lies.
  let name: SharedZoneName
  /// The key with which this device writes.
  let newest: ZoneKeyName
  /// What this device signs with.
  let author: SigningKey
  private let source: Source

  private enum Source {
    case own(VaultKeys)
    case foreign([ZoneKeyName: [UInt8]])
  }

  /// A zone of the vault.
  init(_ keys: VaultKeys, _ name: SharedZoneName, share: UInt64, author: SigningKey) {
    (vault, self.name, self.author) = (keys.id, name, author)
    newest = ZoneKeyName(epoch: keys.epoch, share: share)
    source = .own(keys)
  }

  /// A zone of another person's.
  init(_ zone: ShareBook.ForeignZone, author: SigningKey) {
    vault = zone.share.owner.vault
    (name, self.author) = (zone.share.place, author)
    newest = zone.keys.keys.max() ?? ZoneKeyName(epoch: 1, share: 0)
    source = .foreign(zone.keys)
  }

  /// The keys of that name: two of the vault when two epochs began side by side.
  func keys(_ key: ZoneKeyName) -> [[UInt8]] {
    switch source {
    case .own(let keys):
      keys.epochs.filter { $0.number == key.epoch }.map {
        keys.zone(name.zone, of: name.domain, in: $0, share: key.share)
      }
    case .foreign(let keys): keys[key].map { [$0] } ?? []
    }
  }

  /// The key with which this device writes.
  var newestKey: [UInt8] { keys(newest).last ?? [] }

  /// Whether there is a key of an epoch at all.
  func hasKey(_ key: ZoneKeyName) -> Bool {
    switch source {
    case .own(let keys): keys.epochs.contains { $0.number == key.epoch }
    case .foreign(let keys): keys[key] != nil
    }
  }

  /// The keys with which an author may have sealed what is sealed with a given one now, from the latest on: who seals again
  /// has not the author's signature.
  func earlier(than key: ZoneKeyName) -> [ZoneKeyName] {
    switch source {
    case .own(let keys):
      let epochs = Set(keys.epochs.map(\.number)).filter { $0 < key.epoch }.sorted(by: >)
      return ([key.epoch] + epochs).flatMap { epoch in
        (0...key.share).reversed().map { ZoneKeyName(epoch: epoch, share: $0) }
      }
    // One who gives many keys must not make others try more of them.
    case .foreign(let keys):
      return keys.keys.filter { $0.epoch <= key.epoch && $0.share <= key.share }.sorted(by: >)
    }
  }
}
