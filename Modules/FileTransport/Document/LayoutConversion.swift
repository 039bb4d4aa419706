import SyncKitText
import ReadableDocuments
import SegmentFormat
import SyncKit

/// Moves a domain of a folder from one layout to another, without losing anything on the way.
///
/// Everything is in the new form, read back and marked, before the old form is set aside; it is moved
/// to a folder `backup-…` and never removed. A run that was cut off anywhere is gone on with by the
/// next one, in any direction; until then devices of all layouts are told to wait (78).
package struct LayoutConversion {
  /// What was done.
  package struct Outcome: Sendable {
    /// Whether anything had to be done.
    package var isConverted = false
    /// How many segments the remote holds.
    package var segments = 0
    /// The folder that holds what was replaced; nil when nothing was.
    package var backup: String?
  }

  private let store: FolderBlobStore
  private let domain: any SyncDomain
  private let readable: any ReadableDocument
  private let coding: any SegmentCoding
  private let base: @Sendable () throws -> [Segment]

  /// Prepares the conversion of a domain in the folder of a remote.
  package init(
    path: String, domain: any SyncDomain, document: any ReadableDocument,
    coding: any SegmentCoding = DeflateSegmentCoding(),
    base: @escaping @Sendable () throws -> [Segment] = { [] }
  ) {
    store = FolderBlobStore(path: path)
    self.domain = domain
    readable = document
    self.coding = coding
    self.base = base
  }

  /// Converts the remote, unless it belongs to another vault than the acquaintance says.
  ///
  /// - Returns: What was done, or would be.
  /// - Throws: ``SyncError`` `remote.marker` and `remote.vault` as an exchange does, `remote.waiting`
  ///   when something has not arrived yet; what was there is as it was then.
  package func run(
    to layout: String, _ identity: RemoteIdentity, isDryRun: Bool = false
  ) async throws -> Outcome {
    try await store.prepare(creating: false)
    let location = try await MarkerCheck(of: domain.name, in: store)
    guard !location.vaults.isEmpty else {
      throw SyncError(
        .remoteMarker, "\(store.location) has no cloudsync marker; there is nothing to convert.",
        hint: "Sync first, or check whether the folder is mounted.")
    }
    var known = identity
    known.mayWrite = false
    let vault: Set<String>
    switch try known.decide(found: location.vaults, location: store.location) {
    case .proceed(_, let ids): vault = ids
    }
    let target = transport(layout, vault)
    let present = try await target.inventory(of: domain.name)
    var outcome = Outcome(segments: present.segments.count)
    var others = Self.layouts.filter { $0 != layout && location.keeps($0) }
    if others.isEmpty, !location.keeps(layout) {
      others = [layout == BlobTransport.layout ? DocumentTransport.layout : BlobTransport.layout]
    }
    guard !others.isEmpty else { return outcome }
    outcome.isConverted = true
    var all = Set(present.segments.map { DocumentSegment($0) })
    for other in others {
      let source = transport(other, vault)
      let inventory = try await source.inventory(of: domain.name)
      let wanted = Set(inventory.segments.map { DocumentSegment($0) })
      all.formUnion(wanted)
      guard !isDryRun else { continue }
      try await carry(inventory, from: source, to: target)
      let arrived = try await transport(layout, vault).inventory(of: domain.name)
      guard wanted.isSubset(of: arrived.segments.map { DocumentSegment($0) }) else {
        throw SyncError(.remoteIO, "\(store.location) does not hold what was just written.")
      }
    }
    outcome.segments = all.count
    guard !isDryRun else { return outcome }
    try await location.mark(layout)
    for other in others {
      outcome.backup = try await setAside(other) ?? outcome.backup
      try await location.unmark(other)
    }
    return outcome
  }

  private static let layouts = [
    BlobTransport.layout, DocumentTransport.layout, DocumentsTransport.layout,
  ]

  private func transport(_ layout: String, _ vault: Set<String>) -> any Transport {
    switch layout {
    case DocumentTransport.layout:
      let document = DocumentTransport(
        path: store.path, domain: domain, document: readable, coding: coding, base: base)
      document.belong(to: vault)
      return document
    case DocumentsTransport.layout:
      let documents = DocumentsTransport(
        path: store.path, domain: domain, document: readable, coding: coding, base: base)
      documents.belong(to: vault)
      return documents
    default: return BlobTransport(store, coding: coding)
    }
  }

  private func carry(
    _ inventory: Inventory, from source: any Transport, to target: any Transport
  ) async throws {
    let egress = EgressPolicy(published: Set(inventory.segments.map(\.zone)))
    var done: Set<DocumentSegment> = []
    var missing: Set<DocumentSegment> = []
    for reference in inventory.segments {
      let name = DocumentSegment(reference)
      guard !done.contains(name), inventory.erased[reference.zone] == nil else { continue }
      guard let segment = try await source.fetch(reference, of: domain.name) else {
        missing.insert(name)
        continue
      }
      done.insert(name)
      if let outbound = egress.release(segment) { try await target.store(outbound) }
    }
    missing.subtract(done)
    guard missing.isEmpty else {
      throw SyncError(
        .remoteWaiting, "\(store.location) still lacks \(Plural(missing.count, "segment")).",
        hint: "Wait until the folder's provider has finished, then convert again.")
    }
    for (zone, confirmations) in inventory.erased.sorted(by: { $0.key < $1.key }) {
      try await ForwardingTransport(target).erase(zone, of: domain.name, confirmedBy: confirmations)
    }
    try await target.flush(domain.name)
  }

  /// Moves the files of a layout to a folder that no device reads.
  private func setAside(_ layout: String) async throws -> String? {
    var names: [String] = []
    if layout == DocumentTransport.layout {
      let folder = DocumentFolder(store, path: readable.path)
      names = try await folder.contents().names.map(folder.path)
    } else if layout == DocumentsTransport.layout {
      names = try await store.list(readable.folder ?? "", .folder).blobs.map(\.name)
        .filter { $0.lowercased().hasSuffix(".json") }
    } else {
      let listing = try await store.list("", .folder)
      names = MarkerCheck.folders(of: domain.name, in: listing)
    }
    guard !names.isEmpty else { return nil }
    let taken = Set(try await store.list("", .folder).folders)
    var number = 1
    while taken.contains("backup-\(domain.name)-\(layout)-\(number)") { number += 1 }
    let backup = "backup-\(domain.name)-\(layout)-\(number)"
    for name in names {
      let last = name.split(separator: "/").last.map(String.init) ?? name
      try store.move(name, to: "\(backup)/\(last)")
    }
    return backup
  }
}
