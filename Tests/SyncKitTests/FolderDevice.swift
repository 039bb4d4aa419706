import SegmentFormat
import SyncKit
import SyncKitTesting

/// A device that meets folders in memory.
struct FolderDevice: Sendable {
  let device: TestDevice
  let engine: SyncEngine
  /// From how many bytes on a snapshot is worth while; nil for none.
  var pruning: Int?
  /// How many changes the folders keep beside snapshots.
  var remoteHistory = RemoteHistory.none
  /// How many segments of about one size become one; nil for the usual number.
  var fanout: Int?
  /// How long old changes are kept; nil for the usual time.
  var history: HistoryWindow?
  var store: SyncStore { device.store }

  init(
    _ name: String, _ folders: InMemoryBlobStore..., storage: InMemoryStorage = InMemoryStorage(),
    clock: VirtualClock = VirtualClock(), witness: (any ContinuityWitness)? = nil,
    pruning: Int? = nil, of domain: any SyncDomain = Books()
  ) throws {
    try self.init(
      name, folders, storage: storage, clock: clock, witness: witness, pruning: pruning,
      of: domain)
  }

  init(
    _ name: String, _ folders: [InMemoryBlobStore], storage: InMemoryStorage = InMemoryStorage(),
    clock: VirtualClock = VirtualClock(), witness: (any ContinuityWitness)? = nil,
    pruning: Int? = nil, of domain: any SyncDomain = Books()
  ) throws {
    let device = try TestDevice(
      name, of: domain, storage: storage, witness: witness, clock: clock)
    self.device = device
    self.pruning = pruning
    engine = SyncEngine(
      store: device.store,
      remotes: folders.enumerated().map {
        Remote("r\($0.offset)", location: $0.element.location, transport: BlobTransport($0.element))
      })
  }

  @discardableResult
  func sync() async throws -> SyncReport {
    var options = SyncOptions()
    options.consent = .adopt
    options.limits.usesSnapshots = pruning != nil
    if let pruning { options.limits.leastPruned = pruning }
    options.limits.history = remoteHistory
    if let fanout { options.limits.fanout = fanout }
    if let history { options.history = history }
    return try await engine.syncNow(options)
  }

  /// Writes one book and syncs, as a person does in a day.
  @discardableResult
  func save(_ id: RecordID, _ rating: Int) async throws -> SyncReport {
    try device.save(id, ["rating": .int(Int64(rating)), "title": .string("Book \(id)")])
    return try await sync()
  }

  var ratings: [Int64] {
    get throws { try store.records("book").compactMap { $0["rating"].int } }
  }
}

extension InMemoryBlobStore {
  /// The names of the segments that lie here.
  var segments: [String] { files.keys.filter { $0.hasSuffix(".seg") }.sorted() }

  /// The names of the parts of snapshots that lie here.
  var snapshots: [String] {
    segments.filter { name in
      let series = name.split(separator: "/").dropLast().last.flatMap { ReplicaID($0) }
      return series?.isSnapshot == true
    }
  }

  /// The names of the segments of changes that lie here.
  var changes: [String] { segments.filter { !snapshots.contains($0) } }

  /// How many bytes lie here.
  var size: Int { files.values.reduce(0) { $0 + $1.count } }
}
