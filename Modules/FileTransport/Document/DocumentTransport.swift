import SyncKitText
import ReadableDocuments
import SegmentFormat
import SyncCrypto
import SyncKit
import Synchronization

/// Exchanges segments through one readable file, beside what apps and people write into it.
///
/// The file is a mailbox and not the truth: beside the readable part it carries the segments
/// themselves, so that nothing depends on the last writer. It is described in
/// Documentation/Formats/Document.md.
///
/// - **Nothing lost.** A conflict copy is removed only when the file holds all that it held, a damaged
///   file is kept aside, and what another program wrote meanwhile is read before anything replaces it.
/// - **Foreign edits are changes.** What an app that knows only the readable part has written, or a
///   person by hand, becomes a segment, the same on every device that reads it.
/// - **Quiet.** The file is written only when it lacks something, or says something that it should not.
public final class DocumentTransport: TrialTransport, ErasingTransport {
  /// How a remote names this layout.
  public static let layout = "document"
  /// How often a write is tried while others write too.
  private static let tries = 40
  /// How long a file that cannot be read is watched before it is taken for damaged.
  private static let patience = Duration.milliseconds(500)

  private let store: FolderBlobStore
  private let folder: DocumentFolder
  private let source: DocumentSource
  private let state = Mutex(State())

  private struct State {
    var remarks: [String] = []
    var vaults: Set<String> = []
    /// What was read to find out whose the remote is, until a caller asks for it.
    var fresh: DocumentSnapshot?
    var latest: DocumentSnapshot?
    var stored = DocumentMail()
  }

  /// Exchanges segments of a domain through its document.
  ///
  /// - Parameters:
  ///   - path: The remote's folder; the document says where below it lies.
  ///   - domain: The domain.
  ///   - document: How the domain is shown.
  ///   - createIfParentExists: Whether ``attach(_:domain:)`` makes the folder.
  ///   - whenMoved: What helps when the folder is not where it was, as a sentence.
  ///   - coding: How segments are read.
  ///   - base: The segments that the remote held at this device's last sync: what an app has seen
  ///     that wrote the file without the segments.
  public init(
    path: String, domain: any SyncDomain, document: any ReadableDocument,
    createIfParentExists: Bool = false, whenMoved: String? = nil,
    coding: any SegmentCoding = DeflateSegmentCoding(),
    base: @escaping @Sendable () throws -> [Segment] = { [] }
  ) {
    store = FolderBlobStore(
      path: path, createIfParentExists: createIfParentExists, whenMoved: whenMoved)
    folder = DocumentFolder(store, path: document.path)
    source = DocumentSource(domain: domain, document: document, coding: coding, base: base)
  }

  /// One of several documents of a domain, which lies elsewhere and holds some zones only.
  init(_ store: FolderBlobStore, path: String, source: DocumentSource) {
    self.store = store
    folder = DocumentFolder(store, path: path)
    self.source = source
  }

  public func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
    try await store.prepare(creating: identity.mayCreate)
    let location = try await MarkerCheck(of: domain, in: store)
    try location.check(layout: Self.layout)
    // Before anything is written: a file of a newer version stops us here.
    let snapshot = try await DocumentSnapshot(folder, source)
    let vault = try await location.decide(
      identity, layout: Self.layout, also: snapshot.mail.vaults)
    state.withLock { state in
      state.remarks = location.notes
      state.fresh = snapshot
      if identity.mayWrite { state.vaults = vault }
    }
    return vault
  }

  /// The vaults that the file names; what was read is kept for the next call.
  func vaults() async throws -> Set<String> {
    let snapshot = try await load()
    state.withLock { $0.fresh = snapshot }
    return snapshot.mail.vaults
  }

  /// Says whose the file is, for a caller that found out by other means.
  func belong(to vault: Set<String>) { state.withLock { $0.vaults = vault } }

  public func inventory(of domain: String) async throws -> Inventory {
    guard domain == source.domain.name else { return Inventory() }
    let fresh = state.withLock { state in
      defer { state.fresh = nil }
      return state.fresh
    }
    let snapshot: DocumentSnapshot
    if let fresh { snapshot = fresh } else { snapshot = try await load() }
    let remarks = state.withLock { state in
      state.latest = snapshot
      return state.remarks
    }
    var notes = remarks + snapshot.notes
    if !snapshot.mail.sealed.isEmpty {
      notes.append(
        "\(folder.location) holds \(Plural(snapshot.mail.sealed.count, "segment")) from a newer version of "
          + "cloudsync; upgrade this device.")
    }
    let references = snapshot.mail.segments.keys.sorted().map { $0.reference(at: folder.name) }
    var inventory = Inventory(
      segments: references, erased: snapshot.mail.erased, notes: notes)
    inventory.awaited = snapshot.isAwaited ? 1 : 0
    return inventory
  }

  public func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
    guard domain == source.domain.name, reference.location == folder.name else { return nil }
    return state.withLock { $0.latest?.mail.segments[DocumentSegment(reference)] }
  }

  public func store(_ outbound: OutboundSegment) async throws {
    let segment = outbound.segment
    let info = try source.coding.read(segment.bytes).info
    guard info == segment.info, info.domain == source.domain.name else {
      throw SyncError(.bug, "A segment of '\(info.domain)' does not match its description.")
    }
    state.withLock { $0.stored.add(segment) }
  }

  public func tryStoring(_ sample: StoreSample, of domain: String) async throws {
    guard domain == source.domain.name else { return }
    if sample.segments > 0, try await folder.contents().isAwaited { throw folder.isAwaited }
    // The file is written whole, beside the one that is there.
    let size = try folder.open(folder.name)?.count ?? 0
    try await store.tryPutting(size + max(sample.bytes, 4_096), in: folder.folder)
  }

  public func erase(
    _ zone: ZoneID, of domain: String, confirmedBy confirmations: Confirmations
  ) async throws {
    guard domain == source.domain.name else { return }
    state.withLock { $0.stored.erase(zone, confirmedBy: confirmations) }
    try await flush(domain)
  }

  public func flush(_ domain: String) async throws {
    guard domain == source.domain.name else { return }
    var known = state.withLock { $0.latest }
    for attempt in 0..<Self.tries {
      let snapshot: DocumentSnapshot
      if let latest = known { snapshot = latest } else { snapshot = try await load() }
      known = nil
      if try await write(snapshot) {
        return state.withLock { state in
          state.latest = nil
          state.stored = DocumentMail()
        }
      }
      // Writers that collide must not collide again at once.
      try await Task.sleep(for: .milliseconds(Int.random(in: 1...(5 + 2 * attempt))))
    }
    throw SyncError(
      .documentBusy, "Other programs keep writing to \(folder.location).",
      hint: "Sync again when they have finished.")
  }

  private func load() async throws -> DocumentSnapshot {
    try await DocumentSnapshot(folder, source)
  }

  /// Writes what the file lacks.
  ///
  /// - Returns: Whether the file holds everything; false when another program wrote meanwhile.
  private func write(_ snapshot: DocumentSnapshot) async throws -> Bool {
    var mail = snapshot.mail
    state.withLock { state in
      mail.add(state.stored)
      mail.vaults.formUnion(state.vaults)
    }
    mail.keep(source.owns)
    // What was withdrawn is gone from the mail, so the document may also hold too much.
    let isComplete =
      snapshot.main != nil && snapshot.held.segments.keys == mail.segments.keys
      && snapshot.held.covers(mail)
    guard snapshot.isStale || !isComplete, !mail.isEmpty else { return true }
    guard !snapshot.isAwaited else {
      throw folder.isAwaited
    }
    let draft = try folder.draft(orThrow: .tooLarge(folder.location, source.domain.name)) {
      try source.write(mail, keeping: snapshot.rest, to: $0)
    }
    // An app that writes the file in place may be in the middle of it.
    if snapshot.mustKeepMain || snapshot.main?.count == 0 {
      try await Task.sleep(for: Self.patience)
      guard try folder.isUnchanged(folder.name, since: snapshot.main) else { return false }
    }
    var mark: String?
    if snapshot.mustKeepMain, let main = snapshot.main {
      guard let found = try damageMark(main) else { return false }
      mark = found
    }
    guard case .written = try folder.replace(snapshot.main, with: draft, keepingAs: mark),
      try folder.isUnchanged(folder.name, since: draft.stamp)
    else { return false }
    for copy in snapshot.copies where try folder.isUnchanged(copy.name, since: copy.stamp) {
      try await folder.remove(copy.name)
    }
    return true
  }

  /// The same bytes are kept under the same name, however often they come; nil when they are gone.
  private func damageMark(_ stamp: ContentStamp) throws -> String? {
    guard let window = try folder.open(folder.name) else { return nil }
    var (hash, found) = (SHA256(), ContentStamp.Writer())
    while found.count < window.count {
      let bytes = try window.bytes(from: found.count)
      hash.update(UnsafeRawBufferPointer(bytes))
      found.add(bytes)
    }
    guard found.stamp == stamp else { return nil }
    return "damaged-\(ContentHash(digest: hash.digest()).description.prefix(10))"
  }
}

extension SyncError.Code {
  /// Others write the document all the time.
  public static let documentBusy = Self("remote.document-busy", exit: 75, retryable: true)
}
