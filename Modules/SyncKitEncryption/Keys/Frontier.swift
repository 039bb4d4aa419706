public import SyncKit

/// What the device that lets another one in knows of a place, so that the place cannot show the new device an older state
/// unnoticed.
///
/// It goes to the new device in the invitation, which no place can read or replace.
public struct Frontier: Hashable, Sendable {
  /// The statements that began the newest epoch, and so name all devices that were let go.
  var epochs: [SealedStatement] = []
  /// What lies on the place, by domain and zone.
  var stored: [String: [ZoneID: VersionVector]] = [:]

  /// Knows nothing.
  public init() {}

  /// Takes down what a device knows.
  ///
  /// Beyond 8,192 ends of logs, what comes later in the order of domains and zones is left out.
  /// - Parameters:
  ///   - keys: The keys of the device.
  ///   - stores: Its stores.
  ///   - remote: The name of the remote by which the new device joins.
  /// - Throws: ``SyncKit/SyncError`` of a store that cannot be read.
  public init(of keys: DeviceKeys, stores: [SyncStore], on remote: String) throws {
    epochs = keys.newestEpochs
    var left = Self.mostHeads
    for store in stores.sorted(by: { $0.domain.name < $1.domain.name }) {
      for (zone, vector) in try store.confirmed(on: remote).sorted(by: { $0.key < $1.key })
      where vector.heads.count <= left {
        left -= vector.heads.count
        stored[store.domain.name, default: [:]][zone] = vector
      }
    }
  }

  /// How many ends of logs an invitation names at most: half a megabyte.
  static let mostHeads = 8_192

  /// Lets a store of the new device await what lies on the place: until it has come, syncs with the remote say so.
  ///
  /// - Parameters:
  ///   - store: The store, before its first sync with the remote.
  ///   - remote: The name of the remote on this device.
  /// - Throws: ``SyncKit/SyncError`` of a store that cannot be written.
  public func expect(in store: SyncStore, from remote: String) throws {
    guard let vectors = stored[store.domain.name] else { return }
    try store.expect(vectors, from: remote)
  }
}

extension Frontier {
  /// Reads what ``write(to:)`` wrote.
  init(_ reader: inout ByteReader) throws {
    epochs = try (0..<reader.count()).map { _ in SealedStatement(try reader.block()) }
    for _ in 0..<(try reader.count(of: 2)) {
      let domain = try reader.text()
      for _ in 0..<(try reader.count(of: 2)) {
        stored[domain, default: [:]][ZoneID(try reader.text())] = try reader.vector()
      }
    }
  }

  /// Writes it, in the order of names.
  func write(to writer: inout ByteWriter) {
    writer.write(count: epochs.count)
    for epoch in epochs { writer.write(block: epoch.bytes) }
    writer.write(count: stored.count)
    for (domain, zones) in stored.sorted(by: { $0.key < $1.key }) {
      writer.write(text: domain)
      writer.write(count: zones.count)
      for (zone, vector) in zones.sorted(by: { $0.key < $1.key }) {
        writer.write(text: zone.text)
        writer.write(vector)
      }
    }
  }
}
