import ReadableDocuments
import SegmentFormat
import SyncKit
import Synchronization

/// Exchanges segments through one readable file for each root, such as a list: a library in many parts.
///
/// Each file is a ``DocumentTransport``'s, with the segments of its root's zone alone: an edit writes one
/// small file, and a person finds each list in a file. What is promised of one document holds for each of
/// them. A file bears the hash of its zone's name, the same on every device.
///
/// Apps that read one file for all do not read these.
public final class DocumentsTransport: TrialTransport, ErasingTransport {
  /// How a remote names this layout.
  public static let layout = "lists"
  /// How many characters a file's name has before its ending.
  private static let stemLength = 26
  private static let ending = ".json"

  private let store: FolderBlobStore
  private let folder: String
  private let source: DocumentSource
  private let state = Mutex(State())

  private struct State {
    var remarks: [String] = []
    var vaults: Set<String> = []
    var parts: [String: DocumentTransport] = [:]
  }

  /// Exchanges segments of a domain through its documents.
  ///
  /// - Parameters:
  ///   - path: The remote's folder; the document says where below it the files lie.
  ///   - domain: The domain.
  ///   - document: How the domain is shown; it must have a folder.
  ///   - createIfParentExists: Whether ``attach(_:domain:)`` makes the folder.
  ///   - whenMoved: What helps when the folder is not where it was, as a sentence.
  ///   - coding: How segments are read.
  ///   - base: As with ``DocumentTransport``.
  public init(
    path: String, domain: any SyncDomain, document: any ReadableDocument,
    createIfParentExists: Bool = false, whenMoved: String? = nil,
    coding: any SegmentCoding = DeflateSegmentCoding(),
    base: @escaping @Sendable () throws -> [Segment] = { [] }
  ) {
    store = FolderBlobStore(
      path: path, createIfParentExists: createIfParentExists, whenMoved: whenMoved)
    folder = document.folder ?? document.path
    source = DocumentSource(domain: domain, document: document, coding: coding, base: base)
  }

  // MARK: Parts

  /// The name of the file of a zone, without its ending.
  private static func stem(of zone: ZoneID, _ coding: any SegmentCoding) -> String {
    let bytes = Array("cloudsync document \(zone.text)".utf8)
    let hash = bytes.withUnsafeBytes { coding.hash([$0]) }
    return String(hash.description.lowercased().prefix(stemLength))
  }

  private func part(of zone: ZoneID) -> DocumentTransport {
    part(Self.stem(of: zone, source.coding))
  }

  private func part(_ stem: String) -> DocumentTransport {
    state.withLock { state in
      if let known = state.parts[stem] { return known }
      let coding = source.coding
      var own = source
      own.owns = { Self.stem(of: $0, coding) == stem }
      let made = DocumentTransport(store, path: "\(folder)/\(stem)\(Self.ending)", source: own)
      made.belong(to: state.vaults)
      state.parts[stem] = made
      return made
    }
  }

  /// The files that are there, by their names without ending; of copies, what they are copies of.
  private func stems() async throws -> Set<String> {
    var stems: Set<String> = []
    for blob in try await store.list(folder, .folder).blobs {
      let name = (blob.name.split(separator: "/").last ?? "").drop { $0 == "." }.lowercased()
      let stem = name.prefix(Self.stemLength)
      guard stem.utf8.count == Self.stemLength, name.contains(Self.ending),
        stem.utf8.allSatisfy({
          (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
            || (UInt8(ascii: "2")...UInt8(ascii: "7")).contains($0)
        })
      else { continue }
      stems.insert(String(stem))
    }
    return stems
  }

  // MARK: Exchange

  public func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
    try await store.prepare(creating: identity.mayCreate)
    let location = try await MarkerCheck(of: domain, in: store)
    try location.check(layout: Self.layout)
    var found: Set<String> = []
    if location.vaults.isEmpty {
      // Files that travelled alone say whose they are.
      for stem in try await stems() { found.formUnion(try await part(stem).vaults()) }
    }
    let vault = try await location.decide(identity, layout: Self.layout, also: found)
    belong(to: identity.mayWrite ? vault : [])
    state.withLock { $0.remarks = location.notes }
    return vault
  }

  /// Says whose the files are, for a caller that found out by other means.
  func belong(to vault: Set<String>) {
    let parts = state.withLock { state in
      state.vaults = vault
      return state.parts.values
    }
    for part in parts { part.belong(to: vault) }
  }

  public func inventory(of domain: String) async throws -> Inventory {
    guard domain == source.domain.name else { return Inventory() }
    var whole = Inventory(notes: state.withLock(\.remarks))
    let known = state.withLock { Set($0.parts.keys) }
    for stem in try await stems().union(known).sorted() {
      let part = try await part(stem).inventory(of: domain)
      whole.segments += part.segments
      for (zone, confirmations) in part.erased {
        whole.erased[zone, default: Confirmations()].formUnion(confirmations)
      }
      whole.notes += part.notes
      whole.awaited += part.awaited
    }
    return whole
  }

  public func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
    guard reference.location.hasSuffix(Self.ending) else { return nil }
    let stem = String(reference.location.dropLast(Self.ending.count))
    guard let part = state.withLock({ $0.parts[stem] }) else { return nil }
    return try await part.fetch(reference, of: domain)
  }

  public func store(_ outbound: OutboundSegment) async throws {
    try await part(of: outbound.segment.info.zone).store(outbound)
  }

  public func tryStoring(_ sample: StoreSample, of domain: String) async throws {
    guard domain == source.domain.name else { return }
    for (zone, series) in sample.zones.sorted(by: { $0.key < $1.key }) {
      var part = sample
      part.zones = [zone: series]
      try await self.part(of: zone).tryStoring(part, of: domain)
    }
    if sample.zones.isEmpty {
      try await store.tryPutting(max(sample.bytes, 4_096), in: folder)
    }
  }

  public func erase(
    _ zone: ZoneID, of domain: String, confirmedBy confirmations: Confirmations
  ) async throws {
    try await part(of: zone).erase(zone, of: domain, confirmedBy: confirmations)
  }

  public func flush(_ domain: String) async throws {
    guard domain == source.domain.name else { return }
    let parts = state.withLock(\.parts)
    // One after the other, so that only one file is held in memory as it is written.
    for (_, part) in parts.sorted(by: { $0.key < $1.key }) { try await part.flush(domain) }
  }
}
