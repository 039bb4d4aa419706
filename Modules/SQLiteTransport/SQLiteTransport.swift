import SQLiteFile
import SegmentFormat
public import SyncKit
import Synchronization

/// Exchanges segments through one SQLite file on a local disk, which many processes use at once.
///
/// The file's tables are described in Documentation/Formats/SQLiteRemote.md.
///
/// - **All or nothing, durable.** What ``store(_:)`` has taken goes into the file in one transaction
///   at ``flush(_:)``, and survives power loss once that has returned.
/// - **In order.** A segment gets its number inside the transaction that stores it, and transactions
///   follow each other; a device that has read up to a number misses nothing below it.
/// - **Bounded.** Processes wait for each other, without holding up a thread, and no longer than they
///   were told to.
/// - **Restored copies heal.** A file that was wiped, replaced, or put back from a copy is told from
///   the one that was read before, and devices fill it again.
/// - **Suspicious.** Tables that are not ours are refused, a row that is not as it should be is not
///   here, and every segment is checked whole when it is fetched.
///
/// - Throws: Every method may throw ``SyncError`` `remote.unavailable` (69) when there is no file,
///   `remote.busy` (75) when others kept writing for too long, `remote.marker` (77) when the file is
///   none of cloudsync, `remote.denied` (77), `remote.disk-full` (74), `remote.quota` (73),
///   `remote.damaged` (76), `format.newer` (76) and `remote.io` (74); ``attach(_:domain:)`` also
///   `remote.unsuitable` (78) for a location that other machines see, too.
public final class SQLiteTransport: TrialTransport, ErasingTransport, RemovingTransport,
  PrefetchingTransport, IncrementalTransport, EmptyingTransport, ReplacingTransport
{
  /// What URLs of such remotes begin with.
  public static let scheme = "sqlite"
  /// The most bytes kept back for ``flush(_:)``; more go into the file in parts.
  static let outboxLimit = 64 << 20

  /// The pages given back at once, 16 MiB: others wait meanwhile.
  private static let givenBack = 2_048

  /// The bytes of the log that a small transaction takes.
  private static let transactionBytes = 8 * SharedFileFormat.pageSize

  let file: SharedFile
  let patience: Duration
  let pollInterval: Duration
  private let mayCreate: Bool
  private let host: HostEnvironment
  private let coding: any SegmentCoding
  private let outbox = Mutex(Outbox())
  private let prefetch = Mutex(Prefetch())
  /// Rows that gave nothing, by domain; ``flush(_:)`` looks at them and removes what is damaged.
  private let suspects = Mutex<[String: Set<UInt64>]>([:])

  /// Exchanges segments through a file.
  ///
  /// - Parameters:
  ///   - path: The file's path; a link at its end is followed.
  ///   - createIfParentExists: Whether ``attach(_:domain:)`` makes the file when it is missing and
  ///     its folder exists. Leave it off after the first time: a file that is gone later may be on a
  ///     drive that is not mounted.
  ///   - patience: How long to wait for other processes.
  ///   - pollInterval: How often ``news()`` checks for new segments.
  ///   - whenMoved: What helps when the file is not where it was, as a sentence.
  public convenience init(
    path: String, createIfParentExists: Bool = false, patience: Duration = .seconds(10),
    pollInterval: Duration = .milliseconds(250), whenMoved: String? = nil
  ) {
    self.init(
      path: path, createIfParentExists: createIfParentExists, patience: patience,
      pollInterval: pollInterval,
      host: .ofThisMachine, whenMoved: whenMoved)
  }

  /// The same on a host that a test may describe.
  init(
    path: String, createIfParentExists: Bool, patience: Duration = .seconds(10),
    pollInterval: Duration = .milliseconds(250), host: HostEnvironment,
    whenMoved: String? = nil, coding: any SegmentCoding = DeflateSegmentCoding()
  ) {
    self.patience = patience
    self.pollInterval = pollInterval
    file = SharedFile(path: path, patience: patience, whenMoved: whenMoved)
    mayCreate = createIfParentExists
    self.host = host
    self.coding = coding
  }

  public func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
    guard SegmentLayout.isFolderName(domain) else {
      throw SyncError(.bug, "The domain '\(domain)' cannot name a folder.")
    }
    try FileSystemCheck.check(file.path, host)
    if try await file.begin(creating: mayCreate && identity.mayCreate) {
      // What was meant for another file must not go into this one.
      outbox.withLock { $0 = Outbox() }
      suspects.withLock { $0 = [:] }
    }
    let location = file.location
    let found = try await file.read { try VaultTable($0).all() }
    switch try identity.decide(found: found, location: location) {
    case .proceed(let write, let vault):
      if !write.isEmpty {
        // Another process may have been faster: then it belongs to this vault, too, or is refused.
        return try await file.write { connection in
          let table = VaultTable(connection)
          switch try identity.decide(found: table.all(), location: location) {
          case .proceed(let write, let vault):
            for id in write.sorted() { try table.add(id) }
            return vault
          }
        }
      }
      return vault
    }
  }

  public func inventory(of domain: String) async throws -> Inventory {
    try await inventory(of: domain, since: nil)
  }

  public func inventory(
    of domain: String, since position: FeedPosition?
  ) async throws -> Inventory {
    try await file.read { connection in
      let feedEpoch = try FeedEpoch(connection)
      let start = try position.flatMap { try feedEpoch.isContinued(from: $0) ? $0.cursor : nil }
      let listing = try SegmentTable(connection).list(domain, after: start ?? 0)
      var inventory = Inventory(
        segments: listing.segments, erased: try ErasureTable(connection).all(of: domain),
        notes: listing.notes)
      inventory.position = feedEpoch.position
      inventory.isContinuation = start != nil
      return inventory
    }
  }

  public func expect(_ references: [SegmentReference], of domain: String) async {
    prefetch.withLock { $0 = Prefetch(references) }
  }

  public func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
    guard let cursor = SegmentTable.cursor(reference.location) else { return nil }
    guard let bytes = try await bytes(at: cursor) else { return nil }
    return try coding.read(bytes, for: reference, of: domain) ?? suspect(cursor, of: domain)
  }

  private func suspect(_ cursor: UInt64, of domain: String) -> Segment? {
    suspects.withLock { _ = $0[domain, default: []].insert(cursor) }
    return nil
  }

  /// A row's bytes, with those that will be asked for next.
  private func bytes(at cursor: UInt64) async throws -> [UInt8]? {
    if let ready = prefetch.withLock({ $0.take(cursor) }) { return ready }
    let wanted = prefetch.withLock { $0.batch(from: cursor) }
    var found = try await file.read { try SegmentTable($0).bytes(of: wanted) }
    let bytes = found.removeValue(forKey: cursor)
    prefetch.withLock { $0.keep(found) }
    return bytes
  }

  public func store(_ outbound: OutboundSegment) async throws {
    let segment = outbound.segment
    guard SegmentLayout.isFolderName(segment.info.domain),
      SegmentLayout.isFolderName(segment.info.zone.text), segment.info.first > 0,
      segment.info.last >= segment.info.first, segment.info.last <= UInt64(Int64.max),
      segment.bytes.count <= SegmentTable.maximumSize
    else {
      throw SyncError(.bug, "A segment of '\(segment.info.domain)' has no name or is too large.")
    }
    let isFull = outbox.withLock { $0.add(segment) }
    if isFull { try await deliver(segment.info.domain) }
  }

  public func flush(_ domain: String) async throws {
    try await deliver(domain)
    try await giveBack()
    let rows = suspects.withLock { $0.removeValue(forKey: domain) } ?? []
    guard !rows.isEmpty else { return }
    let coding = coding
    try await file.write { connection in
      let table = SegmentTable(connection)
      let gone = try rows.sorted().filter { try table.isDamaged($0, coding) }
      guard !gone.isEmpty else { return }
      for cursor in gone { try table.remove(cursor) }
      // Each device that has these segments looks again, and stores them again.
      try FeedEpoch.begin(connection)
    }
  }

  /// Makes the file smaller when much of it is free, a part of it at each exchange.
  private func giveBack() async throws {
    guard try await file.read({ try $0.isWide() }) else { return }
    try await file.write { try $0.giveBack(pages: Self.givenBack) }
    await file.foldIn()
  }

  private func deliver(_ domain: String) async throws {
    let segments = outbox.withLock { $0.waiting(of: domain) }
    guard !segments.isEmpty else { return }
    let coding = coding
    try await file.write { connection in
      let table = SegmentTable(connection)
      let feedEpoch = try FeedEpoch(connection)
      var cursor = feedEpoch.position.cursor
      for segment in segments { try table.store(segment, &cursor, coding) }
      try feedEpoch.advance(to: cursor)
    }
    outbox.withLock { $0.remove(segments) }
  }

  public func tryStoring(_ sample: StoreSample, of domain: String) async throws {
    // Begins as a delivery does, and has nothing to bring.
    try await file.write { _ in }
    try await file.tryGrowing(by: sample.bytes + Self.transactionBytes)
  }

  public var removal: SegmentRemoval { .proved }

  public func remove(_ references: [SegmentReference], of domain: String) async throws {
    let coding = coding
    try await file.write { connection in
      let table = SegmentTable(connection)
      let there = try table.list(domain, after: 0).segments
      var held = HeldRows(there, of: domain, table, coding)
      for reference in references {
        guard let cursor = SegmentTable.cursor(reference.location),
          try held.isNeedless(reference)
        else { continue }
        try table.remove(cursor)
      }
      try FeedEpoch.forget(connection)
    }
    try await giveBack()
  }

  public func erase(
    _ zone: ZoneID, of domain: String, confirmedBy confirmations: Confirmations
  ) async throws {
    guard SegmentLayout.isFolderName(domain), SegmentLayout.isFolderName(zone.text) else {
      throw SyncError(.bug, "The zone '\(zone)' of '\(domain)' cannot name a folder.")
    }
    outbox.withLock { $0.remove(zone, of: domain) }
    let isDone = try await file.read { connection in
      let said = try ErasureTable(connection).all(of: domain)[zone]
      return try said.map(confirmations.isSubset) == true
        && SegmentTable(connection).cursors(of: zone, in: domain).isEmpty
    }
    guard !isDone else { return }
    try await file.write { connection in
      try ErasureTable(connection).add(confirmations, zone, of: domain)
      let table = SegmentTable(connection)
      for cursor in try table.cursors(of: zone, in: domain) { try table.remove(cursor) }
    }
    try await giveBack()
    // The deleted bytes are still in the log until it restarts.
    await file.foldIn()
  }

  public func empty(_ domain: String, of inventory: Inventory) async throws {
    try await file.write { connection in
      let table = SegmentTable(connection)
      // No number is used twice, so a number that was listed is still the same segment.
      let there = Set(try table.list(domain, after: 0).segments.map(\.location))
      let gone = there.intersection(inventory.segments.map(\.location))
      for cursor in gone.compactMap(SegmentTable.cursor) { try table.remove(cursor) }
      let erasures = ErasureTable(connection)
      if gone.count == there.count,
        try erasures.all(of: domain).allSatisfy({
          $1.isSubset(of: inventory.erased[$0] ?? Confirmations())
        })
      {
        try erasures.remove(domain)
      }
      try FeedEpoch.forget(connection)
    }
    try await giveBack()
    // The deleted bytes are still in the log until it restarts.
    await file.foldIn()
  }

  public func removeMark(of vault: String) async throws {
    guard RemoteIdentity.isOfEncryptedVault(vault) else { throw SyncError.noEncryptedVault(vault) }
    try await file.write { try VaultTable($0).remove(vault) }
  }

  public func replace(_ replacements: [SegmentReplacement], of domain: String) async throws {
    try await file.write { connection in
      let table = SegmentTable(connection)
      for replacement in replacements {
        guard let cursor = SegmentTable.cursor(replacement.former.location) else { continue }
        try table.replace(cursor, with: replacement.segment.segment)
      }
    }
    // The former bytes are still in the log until it restarts.
    await file.foldIn()
  }
}
