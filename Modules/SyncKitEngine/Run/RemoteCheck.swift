import SyncKitModel
import SyncKitStore

/// What a look at every segment of a remote has found.
public struct RemoteCheck: Sendable {
  /// The remote's name.
  public var remote: String
  /// How many segments were read and are what their names say.
  public var sound = 0
  /// Where those lie that are listed and cannot be read, after a repair those that are left.
  public var damaged: [String] = []
  /// The locations of those that their provider has yet to bring, so that nothing is known of them.
  public var awaited: [String] = []
  /// How many were sent again from this device, or, as snapshots, removed so that the next sync
  /// brings what they stood for.
  public var repaired = 0
  /// How many were removed because no device can read them, after the remote had confirmed it.
  public var cleared = 0
  /// Why the remote could not be looked at, or what a sync with it would fail on; nil when all is well.
  public var error: SyncError?
  /// What keeps the next edit from being stored there, though nothing waits now.
  public var obstacle: SyncError?
}

extension SyncEngine {
  /// What ``SyncEngine/check(repairing:)`` does.
  func checkRemotes(repairing: Bool) async -> [RemoteCheck] {
    var checks: [RemoteCheck] = []
    // A remote on which a sync would fail is not healthy, even if all of it can be read.
    var trial = SyncOptions()
    (trial.isDryRun, trial.triesStoring, trial.direction) = (true, true, .pushOnly)
    let outcomes = await sync(trial)
    for (remote, outcome) in zip(remotes, outcomes) {
      var check = RemoteCheck(remote: remote.name)
      check.obstacle = outcome.obstacle
      if !repairing, let error = outcome.error {
        check.error = error
        checks.append(check)
        continue
      }
      do {
        try await run(&check, remote, repairing: repairing)
      } catch {
        check.error =
          error as? SyncError
          ?? SyncError(.failure, "The remote could not be checked.", cause: "\(error)")
      }
      checks.append(check)
    }
    return checks
  }

  private func run(_ check: inout RemoteCheck, _ remote: Remote, repairing: Bool) async throws {
    var options = SyncOptions()
    options.isDryRun = !repairing
    try await attach(remote, options)
    let domain = store.domain.name
    let inventory = try await remote.transport.inventory(of: domain)
    let egress = try store.egress(to: remote.name)
    var unreadable: [SegmentReference] = []
    for references in Dictionary(grouping: inventory.segments, by: \.identity).values
    where inventory.erased[references[0].zone] == nil {
      var isSound = false
      for reference in references where !isSound {
        do {
          isSound =
            try await remote.transport.fetch(reference, of: domain).map(isReadable) ?? false
        } catch let error as SyncError where error.code == .formatNewer {
          // Its author can read it.
          isSound = true
        }
      }
      if isSound {
        check.sound += 1
      } else if references.contains(where: { !$0.isHere && ($0.size ?? 0) == 0 }) {
        // Nothing of it lies there, so nothing of it is damaged.
        check.awaited += references.map(\.location)
      } else if repairing, let segment = try own(references[0]),
        let outbound = egress.release(segment)
      {
        try await remote.transport.store(outbound)
        check.repaired += 1
      } else if repairing, try await removeSnapshot(references, on: remote) {
        check.repaired += 1
      } else {
        unreadable += references
      }
    }
    if repairing, !unreadable.isEmpty,
      let transport = remote.transport as? any ClearingTransport
    {
      let gone = Set(try await transport.clear(unreadable, of: domain))
      check.cleared = gone.count
      unreadable.removeAll { gone.contains($0) }
    }
    check.damaged = unreadable.map(\.location)
    if check.repaired > 0 { try await remote.transport.flush(domain) }
    check.damaged.sort()
    check.awaited.sort()
    // As a sync judges it.
    let problem = waitingProblem(try store.remote(remote.name).waitingSince, remote)
    if !check.awaited.isEmpty { check.error = problem }
    // What is gone for good is not awaited any longer.
    if repairing, problem != nil { try store.updateRemote(remote.name) { $0.expected = [:] } }
  }

  /// Whether a device that fetches a segment can take it in: the head alone may be as its name says.
  private func isReadable(_ segment: Segment) throws -> Bool {
    do {
      _ = try IncomingSegment(segment, coding: store.coding)
      return true
    } catch let error as SyncError where error.code == .formatDamaged {
      return false
    }
  }

  /// Takes a damaged part of a snapshot away if this device knows all that the snapshot stands for.
  private func removeSnapshot(
    _ references: [SegmentReference], on remote: Remote
  ) async throws -> Bool {
    let part = references[0]
    guard part.series.isSnapshot, remote.abilities.removal == .onRequest else { return false }
    let isKnown = try store.read { reader in
      let snapshot = try reader.storage.knownSnapshots()[part.series]
      return try snapshot.map { try reader.isKnown(part.zone, $0.vector) } ?? false
    }
    guard isKnown else { return false }
    try await remote.abilities.remove(references, of: store.domain.name)
    try store.forget([(part.zone, part.series)])
    return true
  }

  /// The same segment as it is kept here, or made of what is kept here; nil when it is not.
  private func own(_ reference: SegmentReference) throws -> Segment? {
    try store.read { reader in
      if let row = try reader.baseRows(reference.zone).first(where: {
        $0.series == reference.series && $0.last == reference.last && $0.head == reference.head
      }) {
        return try reader.segment(row)
      }
      if let series = try reader.locate(
        reference.zone, reference.series, at: reference.last, reference.head),
        let row = try reader.row(of: reference, in: series), !row.isHashIndex
      {
        return try reader.segment(row)
      }
      let zone = try reader.zone(reference.zone)
      guard reference.first >= 1, reference.first <= reference.last,
        reference.last <= zone.vector[reference.series]?.seq ?? 0
      else { return nil }
      let merged = try reader.merged(
        reference.zone, reference.series, reference.first...reference.last,
        upTo: CompactionLimits().mostUnpacked)
      return merged?.info.head == reference.head ? merged : nil
    }
  }
}
