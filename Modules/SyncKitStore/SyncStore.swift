import SyncKitModel
import Synchronization

/// The records of one domain on this device: reads, durable writes, history, conflicts.
///
/// Works without any remote; ``SyncEngine`` syncs it with others.
///
/// - **Durable.** When a write has returned, it survives power loss and is never lost.
/// - **Atomic.** A record and the change that made it are one transaction.
/// - Any number of processes may use one store at the same time.
public final class SyncStore: Sendable {
  /// The domain.
  public let domain: any SyncDomain
  /// The device that writes.
  public let device: Device
  package let rules: Rules
  package let storage: any Storage
  package let coding: any SegmentCoding
  package let environment: SyncEnvironment
  package let hub = EventHub()
  let symbols = Mutex(SymbolTable())
  package let witness: (any ContinuityWitness)?
  /// Why nothing that is written here is sent; nil when the domain has remotes.
  package let detachment: UnsentEdits.Reason?
  /// Whether the store turned out, on opening, to be a copy or a restored one.
  public let isCopy: Bool

  /// Opens the store of a domain.
  ///
  /// The witness lies beside the store and proves that it is neither copied nor restored; without it only the
  /// remotes can tell. `rebase` sets policies that override the schema's, by field or group; `egress` says
  /// what the owner of the device keeps on it. `detachment` says why the domain has no remote; a writer is
  /// warned then if it did have one.
  ///
  /// The store remembers the schemas with which it was opened. Collections and fields may be added and left
  /// out; one whose type, group or placement has changed is refused by name, since other devices hold values
  /// of it.
  /// - Throws: ``SyncError`` `store.schema`, `store.damaged`, `store.newer`, `store.io`.
  public init(
    _ domain: any SyncDomain, storage: any Storage, coding: any SegmentCoding, device: Device,
    environment: SyncEnvironment, witness: (any ContinuityWitness)? = nil,
    rebase: [FieldName: RebasePolicy] = [:], egress: EgressRules? = nil,
    detachment: UnsentEdits.Reason? = nil
  ) throws {
    self.domain = domain
    self.storage = storage
    self.coding = coding
    self.device = device
    self.environment = environment
    self.witness = witness
    self.detachment = detachment
    rules = Rules(domain.schema, rebase: rebase, egress: egress)
    try Self.checkSchema(domain.schema, storage)
    isCopy = try Self.checkContinuity(
      storage, witness: witness, rules: Rules(domain.schema, rebase: rebase), coding: coding,
      environment: environment)
    try buildIndexes()
  }

  // MARK: Writing

  /// Writes records as one batch in one durable transaction.
  ///
  /// - Returns: What `body` returned, and what was done.
  /// - Throws: What `body` throws; then nothing was written.
  @discardableResult
  public func write<T>(
    _ body: (WriteTransaction) throws -> T
  ) throws -> (result: T, summary: BatchSummary) {
    try write(continuing: nil, isLastPart: true, body)
  }

  /// Writes many drafts as one batch, in transactions of at most ``importChunk`` records.
  ///
  /// `progress` is called after each transaction with the number of drafts written so far.
  /// - Throws: What stops it. When transactions before are committed the error is not safe, and it tells
  ///   what `SyncError.committed` is.
  public func importAll(
    _ drafts: [RecordDraft], progress: (Int) -> Void = { _ in }
  ) throws -> BatchSummary {
    try importAll(drafts, each: Self.importChunk, progress: progress)
  }

  /// How many records one transaction of an import holds at most.
  public static let importChunk = 20_000

  // MARK: Reading

  /// The record with this key, deleted ones included; nil when nothing is known of it.
  public func record(_ key: RecordKey) throws -> Record? { try read { try $0.record(key) } }

  /// The record with this id, whatever its zone.
  public func record(_ collection: CollectionName, _ id: RecordID) throws -> Record? {
    try read { try $0.record(collection, id) }
  }

  /// All records with this id, one a zone at most: ids are unique within a tree only.
  public func records(_ collection: CollectionName, id: RecordID) throws -> [Record] {
    try read { try $0.records(collection, id: id) }
  }

  /// The records of a collection in the order of their zones and ids.
  public func records(
    _ collection: CollectionName, includingDeleted: Bool = false
  ) throws -> [Record] {
    var records: [Record] = []
    try forEachRecord(in: collection, includingDeleted: includingDeleted) { records.append($0) }
    return records
  }

  /// Visits the records of a collection in the order of their zones and ids.
  public func forEachRecord(
    in collection: CollectionName, includingDeleted: Bool = false, _ body: (Record) throws -> Void
  ) throws {
    try read { try $0.forEachRecord(in: collection, includingDeleted: includingDeleted, body) }
  }

  /// How many records exist, by collection.
  public func counts() throws -> [CollectionName: Int] { try read { try $0.counts() } }

  /// What happens in the store and to it, for any number of listeners at any time.
  ///
  /// - A listener that comes late first gets the engine's current state.
  /// - **No change goes unheard.** What a listener has not taken yet waits for it, in order. When it lags by
  ///   more than a thousand events, they are joined: one ``SyncEvent/changed(_:reason:)`` for each reason with
  ///   every record, of each remote the last outcome, the last phase and progress. When more than 65,536
  ///   records wait, one ``SyncEvent/reload(_:)`` takes their place.
  /// - What other processes write to the same store is not reported.
  /// - The stream ends with the store, or when the listening task is cancelled.
  public var events: AsyncStream<SyncEvent> { hub.subscribe() }

  // MARK: History and conflicts

  /// All conflicts, in the order of their records.
  public func conflicts() throws -> [Conflict] { try listConflicts() }

  /// The batches that are known here, newest first.
  public func history(_ filter: HistoryFilter = HistoryFilter()) throws -> [HistoryBatch] {
    try listHistory(filter)
  }

  /// One batch by its id, of which a unique beginning is enough; nil when it is not known here.
  public func batch(_ text: String) throws -> HistoryBatch? {
    let found = try history().filter { $0.id.description.hasPrefix(text) }
    return found.count == 1 ? found[0] : found.first { $0.id.description == text }
  }

  /// Since when this store has the whole history, in milliseconds since 1970.
  ///
  /// What was written before that may be known by its result alone. Nil when everything from the first
  /// change on is here. `zone` asks for one zone only.
  public func historyBegins(in zone: ZoneID? = nil) throws -> Int64? {
    try read { reader in
      let zones = try zone.map { [$0] } ?? reader.zones().filter { !$0.value.isClosed }.map(\.key)
      return try zones.compactMap(reader.historyBegins).max()
    }
  }

  /// Reverts a batch of any device, as a new batch that syncs like any other.
  ///
  /// A field gets its former value only where the batch's own value still stands; fields that were written
  /// since are listed and left, and so are values that were too large to be carried beside their successor.
  /// - Throws: ``SyncError`` `record.not-found` when the batch, or a part of it, is not known here.
  public func undo(_ id: BatchID) throws -> UndoResult { try revert(id) }

  /// Brings a record back: as it was before its deletion, or as it was at a time.
  ///
  /// The time is in milliseconds since 1970; nil means the state before the deletion.
  /// - Throws: ``SyncError`` `record.not-found` when nothing is known of it, or not at that time, also
  ///   because the history does not reach back so far; see ``historyBegins(in:)``.
  public func restore(_ key: RecordKey, at: Int64? = nil) throws -> BatchSummary {
    try revive(key, at: at)
  }

  // MARK: Remotes

  /// How the store stands with the given remotes.
  public func status(remotes names: [String]) throws -> StoreStatus {
    try summarize(remotes: names)
  }

  /// What the store remembers of a remote.
  public func remote(_ name: String) throws -> RemoteState {
    try storage.read { try $0.remote(name) }
  }

  /// The ids of the vault the store belongs to; empty before its first sync.
  public func vault() throws -> Set<String> { try storage.read { try $0.vault() } }

  /// Forgets a remote; its data stay where they are.
  public func forgetRemote(_ name: String) throws { try dropRemote(name) }

  /// Changes that would go to a remote that has nothing yet: all that could leave.
  public func unsentChanges() throws -> Int {
    // No remote has an empty name, so nothing is known of this one.
    try status(remotes: [""]).pending
  }

  /// How many changes of records in a zone are on none of these remotes.
  public func unsentChanges(in zone: ZoneID, remotes: [String]) throws -> Int {
    try UnsentChanges(of: domain, coding: coding, remotes: remotes).count(
      in: storage, besides: nil, zone: zone)
  }

  /// The edits of this device that no remote can get at present, although no person has chosen that, by tree.
  public func unsentEdits() throws -> [UnsentEdits] { try read { try $0.unsentEdits() } }

  // MARK: Sharing

  /// Publishes the tree of a root, or withdraws it.
  ///
  /// - Publishing sends the current values, and nothing of what was before.
  /// - Withdrawing takes effect at once: the tree stays here, and nothing of it leaves any more. The next
  ///   sync erases it from the remotes, and the other devices remove it; ``pendingErasures(remotes:)`` lists
  ///   which devices have not confirmed. Deleted records of the tree cannot be restored afterwards.
  ///
  /// Neither can be undone; set the other scope instead.
  /// - Throws: ``SyncError`` `record.not-found`, or `input.invalid` for a record that is not a root.
  @discardableResult
  public func setScope(_ scope: Record.Scope, of key: RecordKey) throws -> BatchSummary {
    try changeScope(scope, of: key)
  }

  /// What was withdrawn and is not confirmed everywhere, as far as this device knows.
  public func pendingErasures(remotes names: [String]) throws -> [PendingErasure] {
    try listErasures(remotes: names)
  }

  /// The participants of a zone, as far as this device knows; nil for a zone that is not shared.
  public func access(to zone: ZoneID) throws -> ZoneAccess? {
    try storage.read { try $0.sharedZone(zone) }.map(\.access)
  }

  /// Removes another person's zone from this device; it comes back only with a new invitation.
  ///
  /// Notify the remote first, so that the participation ends there, and with it on the other devices.
  ///
  /// - Parameters:
  ///   - zone: The zone, as the records in it name it.
  ///   - isForced: Whether edits of this device that were never sent may go, too.
  /// - Throws: ``SyncError`` `store.unsent` for such edits, `input.invalid` when the zone is the person's own.
  public func leave(_ zone: ZoneID, discardingUnsent isForced: Bool = false) throws {
    try leaveZone(zone, discardingUnsent: isForced)
  }

  // MARK: Health of the store

  /// Reads everything in the store, checks every checksum and chain, and digests each zone.
  ///
  /// - Throws: ``SyncError`` `store.damaged` for damage elsewhere than in records and segments, which is
  ///   listed.
  public func verify() throws -> [ZoneVerification] { try verifyEverything() }

  /// Takes over everything readable of a damaged store of the same domain: its log, sealed or not.
  ///
  /// The damaged store is only read. Its own changes become a foreign log here, since this store has replica
  /// ids of its own; records are rebuilt from the log, so a damaged record comes back complete if the changes
  /// that made it can be read here or on a remote.
  ///
  /// - Throws: The disk's error when it fails to read what may be undamaged, such as ``SyncError``
  ///   `store.io`: that is not damage, and nothing is discarded because of it.
  public func salvage(from damaged: any Storage) throws -> SalvageReport {
    try takeOver(from: damaged)
  }

  /// Builds the indexes of the schema anew, after ``verify()`` has found one that does not match the records.
  public func rebuildIndexes() throws { try buildIndexes(evenIfThere: true) }

  /// Continues under new replica ids in every zone, because another installation has the current ids, too.
  ///
  /// Nothing is lost, and nothing is sent.
  public func takeNewIdentity() throws { try renewIdentity() }
}
