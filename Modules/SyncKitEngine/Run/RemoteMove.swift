import SyncKitModel
import SyncKitStore

/// What a move from one remote to another has done.
public struct RemoteMove: Hashable, Sendable {
  /// How many segments were removed where they lay before.
  public var removed = 0
  /// Their bytes, as far as the former remote says how many they are.
  public var bytes = 0
  /// How many segments stay there: the other remote does not hold them, since they are not taken in here, or not sent.
  public var left = 0

  /// Has done nothing.
  public init() {}
}

extension SyncStore {
  /// Moves all that lies on one remote to another one, such as the same place in another form.
  ///
  /// Takes in what the former one lists, syncs with the other one, and then removes from the former one what it had
  /// listed and what is kept here, in zones of which the other one lacks nothing. The rest stays, such as zones that
  /// are local here. An interrupted move is repeated; it goes on where it has ended.
  ///
  /// - Parameters:
  ///   - former: Where the records lie, under a name of its own. Nothing is stored there.
  ///   - remote: Where they are to lie.
  ///   - options: How it takes in and syncs.
  /// - Returns: What has gone.
  /// - Throws: ``SyncError`` of either remote, and `remote.waiting` when something on the former one has not arrived; all
  ///   that lies there stays then. Once the other remote holds it, some may be removed.
  public func move(
    from former: Remote, to remote: Remote, _ options: SyncOptions = SyncOptions()
  ) async throws -> RemoteMove {
    var move = RemoteMove()
    let (source, target) = (
      SyncEngine(store: self, remotes: [former]), SyncEngine(store: self, remotes: [remote])
    )
    defer { try? forgetRemote(former.name) }
    var look = options
    look.isDryRun = true
    try await source.attach(look)
    // What comes after this stays.
    let listed = try await former.transport.inventory(of: domain.name)
    var intake = options
    intake.direction = .pullOnly
    guard try await source.syncNow(intake).waiting == 0 else {
      throw SyncError(
        .remoteWaiting,
        "Not all that '\(former.name)' holds has arrived, so nothing was removed there.",
        hint: "Let its drive bring all files, then try again.")
    }
    try await target.syncNow(options)
    let lacking = try await target.zonesLacking(on: remote)
    var gone = listed
    gone.segments = try kept(listed.segments).filter { !lacking.contains($0.zone) }
    try await former.abilities.empty(domain.name, of: gone)
    move.removed = gone.segments.count
    move.left = listed.segments.count - move.removed
    move.bytes = gone.segments.reduce(0) { $0 + ($1.size ?? 0) }
    return move
  }
}

extension SyncStore {
  /// Those of some segments all of whose changes are known here, in zones that go to remotes, and those of zones that
  /// were withdrawn.
  fileprivate func kept(_ listed: [SegmentReference]) throws -> [SegmentReference] {
    try read { reader in
      let withdrawn = Set(try reader.storage.erasures().keys)
      let snapshots = try reader.storage.knownSnapshots()
      return try listed.filter { reference in
        let zone = reference.zone
        if withdrawn.contains(zone) { return true }
        guard try reader.zone(zone).isPublished else { return false }
        guard reference.series.isSnapshot else {
          return try reader.isKept(zone, reference.series, reference.last, reference.head)
        }
        // A part of a snapshot whose first part has not come stands for what nobody here knows.
        guard let snapshot = snapshots[reference.series], snapshot.zone == zone else {
          return false
        }
        return try snapshot.vector.heads.allSatisfy { series, head in
          try reader.isKept(zone, series, head.seq, head.hash)
        }
      }
    }
  }
}

extension StoreReader {
  /// Whether a change is known here, be it as state alone.
  fileprivate func isKept(
    _ zone: ZoneID, _ series: ReplicaID, _ seq: UInt64, _ hash: ContentHash
  ) throws -> Bool {
    try locate(zone, series, at: seq, hash) != nil || isPruned(zone, series, at: seq)
  }
}

extension SyncEngine {
  /// The zones of which a remote lacks something that is kept here, whether or not it may go there.
  fileprivate func zonesLacking(on remote: Remote) async throws -> Set<ZoneID> {
    let inventory = try await remote.transport.inventory(of: store.domain.name)
    let pieces = try store.pieces(on: remote.name)
    return try store.read { reader in
      let plan = try ExchangePlan(
        inventory, sized: pieces, knowing: try reader.storage.knownSnapshots(), reader)
      return Set(plan.missing.compactMap { plan.zones[$0.arrival] })
    }
  }
}
