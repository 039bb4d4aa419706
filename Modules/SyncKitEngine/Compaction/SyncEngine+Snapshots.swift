import SyncKitModel
import SyncKitStore

extension SyncEngine {
  /// Finds out what the new snapshots on a remote stand for.
  ///
  /// - Returns: The number of snapshots whose listed head did not arrive.
  @discardableResult
  func learnSnapshots(
    _ inventory: Inventory, _ run: inout Run, _ options: SyncOptions
  ) async throws -> Int {
    run.snapshots = try store.storage.read { try $0.knownSnapshots() }
    let admissible = try store.admissible(inventory, from: run.remote.name)
    var unread = 0
    for listing in SnapshotListing.find(in: admissible.segments)
    where run.snapshots[listing.series] == nil {
      do {
        var hasCome = false
        for reference in listing.all where reference.first == 1 {
          guard let part = try await run.remote.transport.fetch(reference, of: store.domain.name)
          else { continue }
          hasCome = true
          guard let header = try header(part, of: listing) else { continue }
          let known = KnownSnapshot(listing.zone, listing.series, header)
          run.snapshots[listing.series] = known
          if !options.isDryRun { try store.note(known) }
          break
        }
        if !hasCome, !listing.parts.isEmpty { unread += 1 }
      } catch let error as SyncError where error.code == .formatNewer {
        run.fail(error)
      } catch let error as SyncError where error.code == .remoteUnread {
        run.fail(error)
        unread += 1
      }
    }
    return unread
  }

  /// Looks for the other parts of snapshots of which a remote that lists only what is new has listed some
  /// before: the head comes last.
  func completeSnapshots(_ inventory: inout Inventory, _ run: Run) async throws {
    guard inventory.isContinuation else { return }
    let listings = SnapshotListing.find(in: inventory.segments)
    let open = try store.read { reader in
      try listings.filter { listing in
        guard let known = run.snapshots[listing.series], known.zone == listing.zone else {
          return false
        }
        guard listing.last < known.last else { return false }
        // A device that has begun with it uploads it for as long as a part seems to be missing.
        return try !reader.isKnown(known.zone, known.vector)
          || reader.baseRows(known.zone).contains { $0.series == known.series }
      }
    }
    guard !open.isEmpty else { return }
    let all = try await run.remote.transport.inventory(of: store.domain.name)
    let advertised = Set(inventory.segments)
    inventory.segments += all.segments.filter { reference in
      !advertised.contains(reference)
        && open.contains { $0.zone == reference.zone && $0.series == reference.series }
    }
  }

  /// Reads the head of a snapshot; nil when that is damaged, or another one's.
  private func header(_ part: Segment, of listing: SnapshotListing) throws -> SnapshotHeader? {
    guard SegmentChain(part, store.coding) != nil,
      let block = try? store.coding.changes(of: part).first
    else { return nil }
    do {
      let header = try SnapshotHeader(decoding: block)
      let series = header.series(listing.zone, store.domain.name, store.coding)
      return series == listing.series ? header : nil
    } catch let error as SyncError where error.code == .formatDamaged {
      return nil
    }
  }
}

extension SyncEngine.Run {
  /// Whether a snapshot of another device is new on a remote that lists only what is new.
  func hasNewSnapshot(_ inventory: Inventory) -> Bool {
    inventory.isContinuation
      && inventory.segments.contains { snapshots[$0.series]?.isOwn == false }
  }
}

extension Transport {
  /// All parts of a snapshot; nil when one is not here yet.
  ///
  /// - Throws: ``SyncError`` `remote.unread` when one is there that the medium does not give.
  func fetch(_ listing: SnapshotListing, of domain: String) async throws -> [Segment]? {
    var parts: [Segment] = []
    await expect(listing.parts, of: domain)
    for part in listing.parts {
      var found: Segment?
      var failure: SyncError?
      for reference in listing.all where reference.isSame(as: part) && found == nil {
        do {
          found = try await fetch(reference, of: domain)
        } catch let error as SyncError where error.code == .remoteUnread {
          failure = error
        }
      }
      guard let found else {
        if let failure { throw failure }
        return nil
      }
      parts.append(found)
    }
    return parts
  }
}
