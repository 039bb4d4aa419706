import SyncKitModel

/// What a store remembers of one of its remotes.
public struct RemoteState: Hashable, Sendable {
  /// Where the remote was when the store met it.
  public var location = ""
  /// Whether the store has synced with it.
  public var isAttached = false
  /// Milliseconds of the last good run, as exactly as `SyncOptions.lastSyncPrecision` says; 0 before the
  /// first.
  public var lastSync: Int64 = 0
  /// The code of the last failure; nil after a good run.
  public var errorCode: String?
  /// The sentence of the last failure.
  public var errorMessage: String?
  /// Milliseconds since when something on it is awaited; nil when nothing is.
  public var waitingSince: Int64?
  /// How many changes were awaited there at the end of the last run that looked.
  public var waiting = 0
  /// What it holds, by zone, as far as this device knows.
  package var acknowledged: [ZoneID: VersionVector] = [:]
  /// How far all that it numbers was read and taken in; nil when it numbers nothing.
  package var position: FeedPosition?
  /// What it has listed up to ``position``.
  ///
  /// It does not include what this device has sent since: the remote has to list that itself, since a
  /// restored copy may lack it.
  package var advertised: [ZoneID: VersionVector] = [:]
  /// How often ``position`` was forgotten: a run that began before must not set it again.
  package var forgotten: UInt64 = 0
  /// How many own segments were stored there since the last check whether there are too many.
  package var backlog: UInt64 = 0
  /// How many bytes have come to it since all that it numbers was looked at.
  package var unseen: UInt64 = 0
  /// Milliseconds of that look; 0 before the first.
  package var looked: Int64 = 0
  /// What it has, by zone, as the device says that let this one into the vault; only what has not come from it yet.
  package var expected: [ZoneID: VersionVector] = [:]

  /// Describes a remote nothing is known of.
  public init() {}

  package var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.write(byte: 8)
    writer.write(text: location)
    writer.write(byte: isAttached ? 1 : 0)
    writer.write(signed: lastSync)
    writer.write(text: errorCode ?? "")
    writer.write(text: errorMessage ?? "")
    writer.write(signed: waitingSince ?? 0)
    writer.write(acknowledged)
    writer.write(text: position?.epoch ?? "")
    writer.write(varint: position?.cursor ?? 0)
    writer.write(advertised)
    writer.write(varint: forgotten)
    writer.write(varint: backlog)
    writer.write(varint: UInt64(clamping: waiting))
    writer.write(varint: unseen)
    writer.write(signed: looked)
    writer.write(expected)
    return writer.bytes
  }

  package init(decoding row: [UInt8]) throws {
    self = try row.reading { reader in
      var state = RemoteState()
      let version = try reader.byte()
      guard (1...8).contains(version) else {
        throw SyncError(
          .storeNewer, "The state of a remote was written by a newer version of cloudsync.",
          hint: "Upgrade cloudsync on this device.")
      }
      state.location = try reader.text()
      state.isAttached = try reader.byte() == 1
      state.lastSync = try reader.signed()
      let code = try reader.text()
      let message = try reader.text()
      state.errorCode = code.isEmpty ? nil : code
      state.errorMessage = message.isEmpty ? nil : message
      let since = try reader.signed()
      state.waitingSince = since == 0 ? nil : since
      state.acknowledged = try reader.vectors()
      guard version >= 2 else { return state }
      let epoch = try reader.text()
      let cursor = try reader.varint()
      // A position is useless without what the remote has listed.
      guard version >= 3 else { return state }
      if !epoch.isEmpty { state.position = FeedPosition(epoch: epoch, cursor: cursor) }
      state.advertised = try reader.vectors()
      if version >= 4 { state.forgotten = try reader.varint() }
      if version >= 5 { state.backlog = try reader.varint() }
      if version >= 6 { state.waiting = Int(clamping: try reader.varint()) }
      if version >= 7 {
        state.unseen = try reader.varint()
        state.looked = try reader.signed()
      }
      if version >= 8 { state.expected = try reader.vectors() }
      return state
    }
  }
}

extension ByteWriter {
  fileprivate mutating func write(_ vectors: [ZoneID: VersionVector]) {
    write(count: vectors.count)
    for (zone, vector) in vectors.sorted(by: { $0.key < $1.key }) {
      write(text: zone.text)
      write(vector)
    }
  }
}

extension ByteReader {
  fileprivate mutating func vectors() throws -> [ZoneID: VersionVector] {
    var vectors: [ZoneID: VersionVector] = [:]
    for _ in 0..<(try count(of: 2)) { vectors[ZoneID(try text())] = try vector() }
    return vectors
  }
}

extension StorageReader {
  func remote(_ name: String) throws -> RemoteState {
    try get(.meta, Keys.remote(name)).map { try RemoteState(decoding: $0) } ?? RemoteState()
  }

  func vault() throws -> Set<String> {
    guard let row = try get(.meta, Keys.vault) else { return [] }
    return Set(String(decoding: row, as: UTF8.self).split(separator: " ").map(String.init))
  }
}

extension SyncStore {
  /// What ``SyncStore/forgetRemote(_:)`` does.
  func dropRemote(_ name: String) throws {
    try storage.write { writer in
      try writer.delete(.meta, Keys.remote(name))
      for (key, _) in try writer.entries(.meta, prefix: Keys.pieces(on: name)) {
        try writer.delete(.meta, key)
      }
      for (key, _) in try writer.entries(.meta, prefix: Keys.objects(on: name)) {
        try writer.delete(.meta, key)
      }
      for (key, _) in try writer.entries(.meta, prefix: Keys.prunable(name)) {
        try writer.delete(.meta, key)
      }
      for (key, _) in try writer.entries(.meta, prefix: Keys.marks(on: name)) {
        try writer.delete(.meta, key)
      }
    }
  }

  /// Changes what is remembered of a remote; writes only when it differs.
  ///
  /// With `history`, when it has come to hold what it holds is remembered as well.
  package func updateRemote(
    _ name: String, marking history: RemoteHistory? = nil, _ update: (inout RemoteState) -> Void
  ) throws {
    let before = try remote(name)
    var after = before
    update(&after)
    guard after != before else { return }
    try storage.write { writer in
      // Another process may have written in between.
      var state = try writer.remote(name)
      let former = state.acknowledged
      update(&state)
      if let history {
        try writer.mark(
          state.acknowledged, after: former, on: name, at: environment.now(), history)
      }
      try writer.put(.meta, Keys.remote(name), state.encoded)
    }
  }

  package func setVault(_ vault: Set<String>) throws {
    guard try self.vault() != vault else { return }
    let text = vault.sorted().joined(separator: " ")
    try storage.write { try $0.put(.meta, Keys.vault, Array(text.utf8)) }
  }
}

extension StoreTransaction {
  /// Makes every remote list everything again: skipped segments may be wanted now.
  func forgetPositions() throws {
    for (key, row) in try storage.entries(.meta, prefix: Keys.remotes) {
      var state = try RemoteState(decoding: row)
      state.position = nil
      state.forgotten += 1
      try storage.put(.meta, key, state.encoded)
    }
  }
}
