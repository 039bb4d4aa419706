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
}

extension SyncEngine.Run {
  /// Whether somebody else's snapshot has come to a remote that tells only what is new.
  func hasNewSnapshot(_ inventory: Inventory) -> Bool {
    inventory.isContinuation
      && inventory.segments.contains { snapshots[$0.series]?.isOwn == false }
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
