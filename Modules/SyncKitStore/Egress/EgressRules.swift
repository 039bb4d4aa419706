import SyncKitModel

/// The records that stay on this device beyond what its schema says, as the owner has configured.
///
/// - **A root includes its tree.** Where the rules keep a root record, nothing of its zone leaves: it is
///   neither sealed nor sent, to any remote, and continues as soon as the rules allow it.
/// - **Single records are kept out.** A record inside a tree that does leave is not written there at all: the
///   write is refused with `egress.denied` and changes nothing. A caller that offers such records keeps them
///   in a collection that never leaves.
/// - **Earlier writes wait.** A record that was written before the rules kept it is not sealed or sent
///   either, and its whole zone waits with it until the record is gone; a run says so with `egress.denied`. A
///   rule cannot call back what has already left the device.
///
/// Replaced and overridden values count as written, because they travel with the change. Deletions always
/// leave: they contain no value, and remove from other devices what should not be there.
public struct EgressRules: Sendable {
  /// Whether what an operation writes stays here.
  public let keeps: @Sendable (RecordOperation) -> Bool
  /// How a person resolves it when a kept record blocks a zone, as a sentence.
  public let advice: String?

  /// Makes rules.
  public init(advice: String? = nil, keeping keeps: @escaping @Sendable (RecordOperation) -> Bool) {
    self.keeps = keeps
    self.advice = advice
  }
}

extension Rules {
  /// Whether an operation must not be in a change that leaves.
  ///
  /// What it has replaced travels with it and counts like what it writes.
  func keepsBack(_ operation: RecordOperation) -> Bool {
    guard let egress, let type = self[operation.collection] else { return false }
    switch (type.placement, operation.kind) {
    case (.root, _), (.local, _): return false
    case (_, .delete), (_, .erase), (_, .forget):
      if operation.writes.isEmpty { return false }
    default: break
    }
    let priors = operation.writes.compactMap { write in
      write.prior.map { FieldWrite(name: write.name, value: $0) }
    }
    return egress.keeps(operation)
      || !priors.isEmpty
        && egress.keeps(RecordOperation(.edit, operation.collection, operation.id, priors))
  }

  /// Whether a root, and with it its whole zone, stays here.
  func keepsBack(_ root: RootName) -> Bool {
    egress?.keeps(RecordOperation(.edit, root.collection, root.id)) ?? false
  }

  /// The first operation in changes of a series that must not leave; nil when all may.
  func firstKept(
    in changes: [[UInt8]], of series: ReplicaID, after context: VersionVector
  ) throws -> RecordOperation? {
    var context = context
    for bytes in changes {
      let change = try bytes.reading(allowingRest: true) {
        try Change(&$0, series: series, after: context)
      }
      context = change.context
      if let kept = change.operations.first(where: keepsBack) { return kept }
    }
    return nil
  }

  /// The first record in a snapshot that must not leave; nil when all may.
  func firstKept(in snapshot: Snapshot) throws -> RecordOperation? {
    var kept: RecordOperation?
    try snapshot.forEachRecord { key, state in
      guard kept == nil, !state.registers.isEmpty else { return }
      let writes = state.registers.flatMap { register in
        register.siblings.map { FieldWrite(name: register.name, value: $0.value) }
      }
      let write = RecordOperation(.edit, key.collection, key.id, writes)
      if keepsBack(write) { kept = write }
    }
    return kept
  }

  /// What a write of, or a run with, a record that stays here ends with.
  package func refusal(of operation: RecordOperation, _ what: String) -> SyncError {
    SyncError(
      .egressDenied, "\(operation.collection)/\(operation.id) \(what)",
      hint: egress?.advice ?? "Allow the record in the configuration, or delete it.")
  }
}

extension StoreReader {
  /// The zones of which nothing leaves because their roots stay here.
  package func withheldZones() throws -> Set<ZoneID> {
    guard rules.egress != nil else { return [] }
    return try Set(
      zones().keys.filter { id in
        try rules.root(of: id, in: storage, symbols).map(rules.keepsBack) ?? false
      })
  }

  /// What keeps the unsealed changes of a zone from being sealed; nil when nothing does.
  package func obstacle(in id: ZoneID, _ zone: ZoneState) throws -> SyncError? {
    guard rules.egress != nil, zone.ownLast > zone.sealedLast else { return nil }
    let changes = try unsealed(id).map(\.bytes)
    if let kept = try rules.firstKept(in: changes, of: zone.own, after: zone.sealedContext) {
      return rules.refusal(
        of: kept,
        "was edited before it was kept on this device; until that is settled, nothing of its tree is published."
      )
    }
    return nil
  }
}

extension SyncStore {
  /// What may leave the device for a remote.
  package func egress(to remote: String) throws -> EgressPolicy {
    let published = try publishedZones(to: remote)
    // An unreadable segment must not leave.
    let isStillOut = { @Sendable [storage] (zone: ZoneID) in
      (try? storage.read { try $0.publishes(zone) }) ?? false
    }
    return EgressPolicy(published: published, while: isStillOut) { [self] segments in
      guard rules.egress != nil else { return nil }
      do {
        guard let kept = try firstKept(in: segments) else { return nil }
        return rules.refusal(
          of: kept, "is kept on this device, but a segment with it is missing from the remote.")
      } catch let error as SyncError {
        // An unreadable segment must not leave.
        return error
      } catch {
        return SyncError(.formatDamaged, "A segment cannot be read.", cause: "\(error)")
      }
    }
  }

  /// The first record in segments that must not leave; nil when all may.
  private func firstKept(in segments: [Segment]) throws -> RecordOperation? {
    if let part = segments.first?.info, part.series.isSnapshot {
      // A part cannot be read without those before it; one that goes alone is kept here as a whole.
      let whole =
        try Snapshot(segments, coding: coding) ?? read { try $0.base(part.zone, part.series) }
      guard let whole else { throw ByteReader.damaged("a part of a snapshot stands alone") }
      return try rules.firstKept(in: whole)
    }
    for segment in segments {
      let kept = try rules.firstKept(
        in: coding.changes(of: segment), of: segment.info.series, after: segment.info.base)
      if let kept { return kept }
    }
    return nil
  }
}
