import SyncKitModel

/// The proof, beside a store, that the store is the original one.
public struct Witness: Hashable, Sendable {
  /// The text that store and witness share.
  public var token: String
  /// The fingerprint of the store's file when the token was drawn.
  public var fingerprint: String?
  /// The last own sealed change of each zone, with the replica that made it.
  public var sealed: [String: String]

  /// Makes a witness.
  public init(token: String, fingerprint: String?, sealed: [String: String] = [:]) {
    self.token = token
    self.fingerprint = fingerprint
    self.sealed = sealed
  }
}

/// Keeps a ``Witness`` durably, outside of the store's own file.
public protocol ContinuityWitness: Sendable {
  /// The witness; nil when there is none.
  func load() throws -> Witness?

  /// Replaces the witness; durable when it returns.
  func save(_ witness: Witness) throws
}

extension SyncStore {
  /// Compares the store with its witness; takes new replica ids when it was copied or restored.
  ///
  /// A dot must never name two changes. Unless it is certain that this store alone has its replica ids, it
  /// takes new ones at once and reads the old logs as another replica's.
  static func checkContinuity(
    _ storage: any Storage, witness: (any ContinuityWitness)?, rules: Rules,
    coding: any SegmentCoding, environment: SyncEnvironment
  ) throws -> Bool {
    do {
      return try isCopy(storage, witness: witness, rules: rules, coding: coding, environment)
    } catch let error as SyncError where error.code == .storeReadOnly {
      // Nothing is written there under any id, and what cannot be written can still be read.
      return false
    }
  }

  private static func isCopy(
    _ storage: any Storage, witness: (any ContinuityWitness)?, rules: Rules,
    coding: any SegmentCoding, _ environment: SyncEnvironment
  ) throws -> Bool {
    // The witness first: what it knows is in the store before.
    let known = try witness?.load()
    let (stored, heads) = try storage.read { reader in
      (
        try reader.get(.meta, Keys.identity),
        try known.flatMap { try sealedHeads(reader, knownTo: $0) }
      )
    }
    if let stored {
      guard let witness else { return false }
      if var known, let heads, known.token == String(decoding: stored, as: UTF8.self),
        known.fingerprint == storage.fingerprint
      {
        // A run that was cut off between sealing and this note is made good before the next push.
        if known.sealed != heads {
          known.sealed = heads
          try witness.save(known)
        }
        return false
      }
      try renew(storage, witness: witness, rules, coding, environment)
      return true
    }
    let fresh = UUIDText.random(from: environment)
    try storage.write { try $0.put(.meta, Keys.identity, Array(fresh.utf8)) }
    try witness?.save(Witness(token: fresh, fingerprint: storage.fingerprint))
    return false
  }

  /// What ``SyncStore/takeNewIdentity()`` does.
  func renewIdentity() throws {
    try Self.renew(storage, witness: witness, rules, coding, environment)
  }

  private static func renew(
    _ storage: any Storage, witness: (any ContinuityWitness)?, _ rules: Rules,
    _ coding: any SegmentCoding, _ environment: SyncEnvironment
  ) throws {
    let fresh = UUIDText.random(from: environment)
    try storage.write { writer in
      let transaction = try StoreTransaction(
        writer, rules: rules, coding: coding, environment: environment, symbols: SymbolTable())
      for (key, _) in try writer.entries(.meta, prefix: Keys.zones) {
        let name = String(decoding: key.dropFirst(Keys.zones.count), as: UTF8.self)
        try transaction.takeNewReplica(in: ZoneID(name))
      }
      try transaction.finish()
      try writer.put(.meta, Keys.identity, Array(fresh.utf8))
    }
    try witness?.save(Witness(token: fresh, fingerprint: storage.fingerprint))
  }

  /// The own last sealed changes by zone; nil when the store lacks sealed changes that its witness knows: an older copy was
  /// put back.
  ///
  /// A store that continues under another id since it met a copy of itself still has what it sealed before,
  /// though that may have another name now, and it once had what was removed with its zone.
  private static func sealedHeads(
    _ reader: any StorageReader, knownTo witness: Witness
  ) throws -> [String: String]? {
    let zones = try reader.zoneStates()
    let isBehind = try witness.sealed.contains { zone, known in
      guard let last = Witness.parse(known), let state = zones[ZoneID(zone)] else { return true }
      return try !state.authored.covers(last)
        && !reader.removedVector(ZoneID(zone)).covers(last)
    }
    guard !isBehind else { return nil }
    var heads: [String: String] = [:]
    for (id, zone) in zones {
      if let text = Witness.text(zone) { heads[id.text] = text }
    }
    return heads
  }
}

extension Witness {
  /// `replica number`, of the own last sealed change.
  package static func text(_ zone: ZoneState) -> String? {
    zone.sealed.map { "\(zone.own) \($0.seq)" }
  }

  fileprivate static func parse(_ text: String) -> Dot? {
    let parts = text.split(separator: " ")
    guard parts.count == 2, let replica = ReplicaID(parts[0]), let seq = UInt64(parts[1]) else {
      return nil
    }
    return Dot(replica, seq)
  }
}

extension StoreTransaction {
  /// Leaves the own log in a zone to the other writer, and continues under a new id.
  ///
  /// Sealed changes stay as another replica's. Unsealed ones are issued again: with their stamps, operations
  /// and contexts, under the numbers of the new log.
  func takeNewReplica(in id: ZoneID) throws {
    var zone = try zone(id)
    guard !zone.isClosed else { return }
    let changes = try readUnsealed(id)
    let old = zone.own
    let new = ReplicaID(from: environment)
    let left = zone.sealed
    var numbers: [UInt64: UInt64] = [:]
    for (index, item) in changes.enumerated() { numbers[item.row.seq] = UInt64(index) + 1 }
    let rename = { (dot: Dot) -> Dot in
      guard dot.replica == old, let number = numbers[dot.seq] else { return dot }
      return Dot(new, number)
    }

    zone.own = new
    zone.ownLast = UInt64(changes.count)
    zone.ownContext = VersionVector()
    zone.sealedContext = VersionVector()
    setZone(id, zone)
    var reissued: [(row: UnsealedChange, change: Change)] = []
    var keys: Set<RecordKey> = []
    for (row, change) in changes {
      try storage.delete(.change, Keys.change(id, row.seq))
      var change = change
      change.context[old] = left
      reissued.append((UnsealedChange(seq: numbers[row.seq] ?? 0, bytes: []), change))
      for operation in change.operations {
        keys.insert(RecordKey(zone: id, collection: operation.collection, id: operation.id))
      }
    }
    for key in keys { try setRecord(key, record(key).renamed(rename)) }
    try rewrite(id, reissued)
  }
}

extension Sibling {
  package func renamed(_ rename: (Dot) -> Dot) -> Sibling {
    Sibling(dot: rename(dot), stamp: stamp, value: value, marks: marks)
  }
}

extension RecordState {
  /// The same state with some changes called by other names.
  package func renamed(_ rename: (Dot) -> Dot) -> RecordState {
    var state = self
    state.alive = alive.map { AliveSibling(dot: rename($0.dot), stamp: $0.stamp, kind: $0.kind) }
      .sorted { $0.dot < $1.dot }
    state.registers = registers.map {
      Register(name: $0.name, siblings: $0.siblings.map { $0.renamed(rename) })
    }
    state.erasures = erasures.map(rename).sorted()
    return state
  }
}
