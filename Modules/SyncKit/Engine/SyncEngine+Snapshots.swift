extension SyncEngine {
  /// Finds out what the snapshots stand for that are new on a remote.
  func learnSnapshots(
    _ inventory: Inventory, _ run: inout Run, _ options: SyncOptions
  ) async throws {
    run.snapshots = try store.storage.read { try $0.knownSnapshots() }
    let admissible = try store.admissible(inventory, from: run.remote.name)
    for listing in SnapshotListing.find(in: admissible.segments)
    where run.snapshots[listing.series] == nil {
      do {
        guard let header = try await header(of: listing, run.remote) else { continue }
        let known = KnownSnapshot(listing.zone, listing.series, header)
        run.snapshots[listing.series] = known
        if !options.isDryRun { try store.note(known) }
      } catch let error as SyncError where error.code == .formatNewer {
        run.fail(error)
      }
    }
  }

  private func header(
    of listing: SnapshotListing, _ remote: Remote
  ) async throws -> SnapshotHeader? {
    for reference in listing.all where reference.first == 1 {
      guard let part = try await remote.transport.fetch(reference, of: store.domain.name),
        SegmentChain(part, store.coding) != nil,
        let block = try? store.coding.changes(of: part).first
      else { continue }
      do {
        let header = try SnapshotHeader(decoding: block)
        if header.series(listing.zone, store.domain.name, store.coding) == listing.series {
          return header
        }
      } catch let error as SyncError where error.code == .formatDamaged {
        continue
      }
    }
    return nil
  }

  /// Lets snapshots stand for what lies on a remote.
  ///
  /// What goes wrong here is told, and tried again when something is brought or taken the next time.
  func condense(
    _ run: inout Run, _ inventory: Inventory, brought: [SegmentReference], _ plan: ExchangePlan,
    _ options: SyncOptions
  ) async throws {
    let hasNews = !brought.isEmpty || run.report.pulled > 0 || options.isCompaction
    guard options.limits.usesSnapshots, run.remote.transport.removal == .told, run.isComplete,
      run.error == nil, hasNews, !inventory.isContinuation
    else { return }
    let there = try store.admissible(inventory, from: run.remote.name).segments
    var condensing = Condensing(
      store, run.remote, try store.egress(to: run.remote.name), plan, options.limits)
    do {
      try await condensing.run(there, brought: brought)
      run.report.tidying.add(alongside: condensing.report)
    } catch let error as SyncError where error.code != .divergence {
      run.report.notes.append("Not condensed: \(error.message)")
    }
  }
}

extension Transport {
  /// All parts of a snapshot; nil when one is not here yet.
  func fetch(_ listing: SnapshotListing, of domain: String) async throws -> [Segment]? {
    var parts: [Segment] = []
    await expect(listing.parts, of: domain)
    for part in listing.parts {
      var found: Segment?
      for reference in listing.all where reference.isSame(as: part) && found == nil {
        found = try await fetch(reference, of: domain)
      }
      guard let found else { return nil }
      parts.append(found)
    }
    return parts
  }
}
