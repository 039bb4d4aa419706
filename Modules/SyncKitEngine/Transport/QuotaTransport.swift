import SyncKitModel
import SyncKitStore

/// How much a remote may hold, for remotes that would otherwise fill up unseen.
public struct RemoteQuota: Hashable, Sendable {
  /// The most bytes of all segments together; nil for any number.
  public var bytes: Int?
  /// The most segments, each a key or a file of the remote; nil for any number.
  public var keys: Int?

  /// Sets limits.
  public init(bytes: Int? = nil, keys: Int? = nil) {
    self.bytes = bytes
    self.keys = keys
  }
}

/// A transport around another one that stores nothing beyond a quota.
///
/// - A segment that would exceed the quota is refused before its first byte leaves, with `remote.quota`. It
///   stays in the local store, and the next exchange offers it again until there is room.
/// - Segments stored before it in the same exchange are still delivered.
/// - Fetching, listing, removing and erasing are never refused; the last two free room.
///
/// The usage is counted again for each exchange that stores something, over all domains on the remote,
/// whichever device wrote them. Two devices that push at the same moment may exceed the quota by what one of them
/// pushes: it is a courtesy, not a lock.
public actor QuotaTransport: Transport {
  private let base: ForwardingTransport
  private let quota: RemoteQuota
  private let domains: [String]
  private var usage: Usage?

  private struct Usage {
    var bytes = 0
    var keys = 0
    /// By domain.
    var known: [String: Set<SegmentIdentity>] = [:]
  }

  /// Wraps a transport.
  ///
  /// - Parameters:
  ///   - base: What stores.
  ///   - quota: What the remote may hold.
  ///   - domains: All domains on the remote; their segments count together.
  public init(_ base: any Transport, quota: RemoteQuota, domains: [String]) {
    self.base = ForwardingTransport(base)
    self.quota = quota
    self.domains = domains
  }

  public func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
    try await base.attach(identity, domain: domain)
  }

  public func inventory(of domain: String) async throws -> Inventory {
    usage = nil
    return try await base.inventory(of: domain)
  }

  public func inventory(
    of domain: String, since position: FeedPosition?
  ) async throws -> Inventory {
    usage = nil
    return try await base.inventory(of: domain, since: position)
  }

  public func expect(_ references: [SegmentReference], of domain: String) async {
    await base.expect(references, of: domain)
  }

  public func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
    try await base.fetch(reference, of: domain)
  }

  /// Stores a segment if there is room for it.
  ///
  /// - Throws: ``SyncError`` `remote.quota`; it can be stored later, when there is.
  public func store(_ segment: OutboundSegment) async throws {
    let info = segment.segment.info
    let size = segment.segment.bytes.count
    var usage = try await counted()
    if usage.known[info.domain]?.contains(info.identity) != true {
      if let breach = breach(of: usage, adding: size) {
        try await base.flush(info.domain)
        throw breach
      }
      usage.bytes += size
      usage.keys += 1
      usage.known[info.domain, default: []].insert(info.identity)
    }
    try await base.store(segment)
    self.usage = usage
  }

  public func erase(
    _ zone: ZoneID, of domain: String, confirmedBy confirmations: Confirmations
  ) async throws {
    usage = nil
    try await base.erase(zone, of: domain, confirmedBy: confirmations)
  }

  public func tryStoring(_ sample: StoreSample, of domain: String) async throws {
    if sample.segments > 0 {
      var usage = try await counted()
      usage.keys += sample.segments - 1
      if let breach = breach(of: usage, adding: sample.bytes) { throw breach }
    }
    try await base.tryStoring(sample, of: domain)
  }

  public nonisolated var storesAtOnce: Bool { base.storesAtOnce }

  public nonisolated var removal: SegmentRemoval { base.removal }

  public func remove(_ references: [SegmentReference], of domain: String) async throws {
    usage = nil
    try await base.remove(references, of: domain)
  }

  public func clear(
    _ references: [SegmentReference], of domain: String
  ) async throws -> [SegmentReference] {
    usage = nil
    return try await base.clear(references, of: domain)
  }

  public func flush(_ domain: String) async throws { try await base.flush(domain) }

  public func survey() async throws -> RemoteSurvey { try await base.survey() }

  private func counted() async throws -> Usage {
    if let usage { return usage }
    var usage = Usage()
    for domain in domains {
      for reference in try await base.inventory(of: domain).segments {
        usage.bytes += reference.size ?? 0
        usage.keys += 1
        usage.known[domain, default: []].insert(reference.identity)
      }
    }
    return usage
  }

  private func breach(of usage: Usage, adding size: Int) -> SyncError? {
    let hint =
      "Nothing is lost; data here are sent once there is room: raise the remote's quota, or sync"
      + " with another one."
    if let limit = quota.bytes, usage.bytes + size > limit {
      return SyncError(
        .remoteQuota,
        "\(usage.bytes) of \(limit) bytes are used on the remote, and \(size) more do not fit.",
        hint: hint)
    }
    if let limit = quota.keys, usage.keys + 1 > limit {
      return SyncError(
        .remoteQuota, "\(usage.keys) of \(limit) keys are used on the remote.", hint: hint)
    }
    return nil
  }
}

extension QuotaTransport: TrialTransport, SurveyedTransport, ClearingTransport, ErasingTransport,
  RemovingTransport, IncrementalTransport, PrefetchingTransport, DurableTransport
{}
