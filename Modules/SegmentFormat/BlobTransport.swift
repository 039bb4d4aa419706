import SyncKit
import Synchronization

/// Keeps segments in any ``BlobStore``; the layout is described in Documentation/Formats/Remote.md.
///
/// - Names are immutable, written by one replica, and never collide on file systems that fold case
///   or normalise; so a copy that a provider makes of a file is a duplicate and nothing else.
/// - A file counts by its content: what is short, damaged or another segment is not here yet, and
///   a segment under a foreign name is one all the same.
/// - An emptied or replaced remote is refused by its markers; nothing is ever told from absence.
public final class BlobTransport: TrialTransport, ErasingTransport, RemovingTransport,
  DurableTransport, EmptyingTransport, ReplacingTransport, SurveyedTransport
{
  /// How a remote names this layout.
  public static let layout = "segments"

  private let blobs: any BlobStore
  private let coding: any SegmentCoding
  private let arrangement: BlobArrangement
  /// What ``attach(_:domain:)`` passed over for each domain, for its next inventory.
  private let remarks = Mutex<[String: [String]]>([:])
  /// The top of the remote as ``attach(_:domain:)`` saw it for each domain, for the inventory that follows: it is
  /// listed once for both.
  private let seen = Mutex<[String: BlobListing]>([:])
  /// The top for the domains that attach next; nil when each lists it itself.
  private let shared: Mutex<SharedListing>?
  private let clock: @Sendable () -> Int64

  /// Keeps segments in a blob store.
  ///
  /// - Parameters:
  ///   - blobs: The store.
  ///   - coding: How segments are written and read.
  ///   - arrangement: Where they lie in the store.
  ///   - clock: The time in milliseconds, where domains that attach one after the other shall take one listing of the
  ///     top, since each listing is a request over a network; nil where each domain lists it.
  public init(
    _ blobs: any BlobStore, coding: any SegmentCoding = DeflateSegmentCoding(),
    arrangement: BlobArrangement = .folders, sharingTopBy clock: (@Sendable () -> Int64)? = nil
  ) {
    self.blobs = blobs
    self.coding = coding
    self.arrangement = arrangement
    self.clock = clock ?? { 0 }
    shared = clock == nil ? nil : Mutex(SharedListing())
  }

  public func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
    let known = shared?.withLock { $0.take(for: domain, now: clock()) }
    if known == nil { try await blobs.prepare(creating: identity.mayCreate) }
    let location = try await MarkerCheck(of: domain, in: blobs, top: known)
    remarks.withLock { $0[domain] = location.notes }
    seen.withLock { $0[domain] = location.listing }
    try location.check(layout: Self.layout)
    // A mere reader would take a missing folder for an empty one.
    try await blobs.tryPutting(0, in: domain)
    let vault = try await location.decide(identity, layout: Self.layout)
    let isComplete = location.vaults.isSuperset(of: vault) && location.keeps(Self.layout)
    shared?.withLock { shared in
      // What has just been marked is in no listing yet.
      if isComplete {
        shared.keep(location.listing, of: domain, now: clock())
      } else {
        shared.forget()
      }
    }
    return vault
  }

  public func inventory(of domain: String) async throws -> Inventory {
    var census = BlobCensus(domain: domain)
    var notes = remarks.withLock { $0[domain] ?? [] }
    let known = seen.withLock { $0.removeValue(forKey: domain) }
    let location = if let known { known } else { try await blobs.list("", .folder) }
    var folders = MarkerCheck.folders(of: domain, in: location)
    // Other people's things at the top matter only where ours should be.
    if folders.isEmpty { notes += location.notes }
    // It may have been made since the top was listed.
    if known != nil, !folders.contains(domain) { folders.append(domain) }
    for folder in folders {
      let listing = try await blobs.list(folder, .tree)
      notes += listing.notes
      for blob in listing.blobs { try await census.take(blob, below: folder, in: blobs) }
    }
    return Inventory(
      segments: census.segments, erased: census.erased, notes: notes + census.notes)
  }

  public func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
    let limit = BlobCensus.maximumSize + 1
    guard let bytes = try await blobs.get(reference.location, upTo: limit), bytes.count < limit
    else {
      return nil
    }
    return try coding.read(bytes, for: reference, of: domain)
  }

  public func store(_ outbound: OutboundSegment) async throws {
    let segment = outbound.segment
    let count = segment.bytes.count
    guard let name = SegmentName(segment.info, length: count), count <= BlobCensus.maximumSize
    else {
      throw SyncError(.bug, "A segment of '\(segment.info.domain)' has no name or is too large.")
    }
    let path = "\(segment.info.domain)/\(name.path(arrangement))"
    if try await blobs.put(path, segment.bytes, replacing: false) { return }
    // Another device was here before: the same segment, half of one, or something that is no segment.
    if let found = try await blobs.peek(at: path, upTo: BlobCensus.maximumSize + 1) {
      do {
        if found == segment.bytes { return }
        let info = try coding.read(found).info
        if info.domain == segment.info.domain, SegmentName(info, length: found.count) == name {
          return
        }
      } catch let error as SyncError {
        if error.code == .formatNewer { return }
      }
    }
    _ = try await blobs.put(path, segment.bytes, replacing: true)
  }

  public func tryStoring(_ sample: StoreSample, of domain: String) async throws {
    // Where nothing waits, a block is what the next edit takes.
    let count = max(sample.bytes, 4_096)
    try await blobs.tryPutting(min(count, BlobCensus.maximumSize), in: domain)
    guard arrangement == .folders else { return }
    for (zone, series) in sample.zones.sorted(by: { $0.key < $1.key })
    where SegmentLayout.isFolderName(zone.text) {
      try await blobs.tryPutting(1, in: "\(domain)/\(zone)")
      for series in series.sorted() {
        try await blobs.tryPutting(0, in: "\(domain)/\(zone)/\(series)")
      }
    }
  }

  public func survey() async throws -> RemoteSurvey { try await blobs.survey() }

  public var storesAtOnce: Bool { true }

  public var removal: SegmentRemoval { .onRequest }

  public func remove(_ references: [SegmentReference], of domain: String) async throws {
    for reference in references { try await blobs.delete(reference.location) }
  }

  public func erase(
    _ zone: ZoneID, of domain: String, confirmedBy confirmations: Confirmations
  ) async throws {
    guard SegmentLayout.isFolderName(domain), SegmentLayout.isFolderName(zone.text) else {
      throw SyncError(.bug, "The zone '\(zone)' of '\(domain)' cannot name a folder.")
    }
    for (replica, kept) in confirmations.vectors.sorted(by: { $0.key < $1.key }) {
      let marker = ErasureMarker(zone: zone, replica: replica)
      let name = "\(domain)/\(marker.path(arrangement))"
      let bytes = ErasureMarker.content(keeping: kept)
      if try await blobs.put(name, bytes, replacing: false) { continue }
      // Half of one, or one that says less.
      let found = try await blobs.peek(at: name, upTo: ErasureMarker.limit).flatMap(
        ErasureMarker.kept)
      if found?.covers(kept) != true { _ = try await blobs.put(name, bytes, replacing: true) }
    }
    // Whatever lies in the zone's folder, and segments of the zone that lie elsewhere as copies.
    for reference in try await inventory(of: domain).segments where reference.zone == zone {
      try await blobs.delete(reference.location)
    }
    for blob in try await blobs.list(domain, .tree).blobs {
      let path = Substring(blob.name.utf8.dropFirst(domain.utf8.count + 1))
      guard BlobArrangement.parts(path.utf8).first?.elementsEqual(zone.text.utf8) == true,
        ErasureMarker(path: path) == nil
      else { continue }
      try await blobs.delete(blob.name)
    }
  }

  public func empty(_ domain: String, of inventory: Inventory) async throws {
    guard SegmentLayout.isFolderName(domain) else {
      throw SyncError(.bug, "The domain '\(domain)' cannot name a folder.")
    }
    for reference in inventory.segments { try await blobs.delete(reference.location) }
    guard try await self.inventory(of: domain).segments.isEmpty else { return }
    var isEmpty = true
    for folder in MarkerCheck.folders(of: domain, in: try await blobs.list("", .folder)) {
      for blob in try await blobs.list(folder, .tree).blobs {
        let below = Substring(blob.name.utf8.dropFirst(folder.utf8.count + 1))
        guard let marker = ErasureMarker(path: below) else { continue }
        // One that could not be read, or says more than the caller knows, is still to be learned.
        let kept = try await blobs.peek(at: blob.name, upTo: ErasureMarker.limit)
          .flatMap(ErasureMarker.kept)
        let known = inventory.erased[marker.zone]?[marker.replica]
        if let kept, let known, known.covers(kept) {
          try await blobs.delete(blob.name)
        } else {
          isEmpty = false
        }
      }
      try await blobs.deleteEmpty(folder)
    }
    if isEmpty { try await MarkerCheck(of: domain, in: blobs).unmark(Self.layout) }
    shared?.withLock { $0.forget() }
  }

  public func removeMark(of vault: String) async throws {
    guard RemoteIdentity.isOfEncryptedVault(vault) else { throw SyncError.noEncryptedVault(vault) }
    for blob in try await blobs.list("", .folder).blobs
    where RemoteFileName.vault(blob.name) == vault {
      try await blobs.delete(blob.name)
    }
    shared?.withLock { $0.forget() }
  }

  public func replace(_ replacements: [SegmentReplacement], of domain: String) async throws {
    for replacement in replacements {
      let segment = replacement.segment.segment
      let count = segment.bytes.count
      guard let name = SegmentName(segment.info, length: count), count <= BlobCensus.maximumSize,
        segment.info.domain == domain
      else {
        throw SyncError(.bug, "A segment of '\(segment.info.domain)' has no name or is too large.")
      }
      let path = "\(domain)/\(name.path(arrangement))"
      _ = try await blobs.put(path, segment.bytes, replacing: true)
      // One of another length has another name, and so has what a provider makes of a second one; names that a file
      // system folds into one have not.
      let former = replacement.former.location
      if former.lowercased() != path { try await blobs.delete(former) }
    }
  }
}
