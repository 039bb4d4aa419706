import SyncKitModel
import SyncKitStore

/// Any transport with all abilities: it forwards what its base can do, and answers plainly what it cannot.
///
/// The base of a wrapper, so that the wrapper takes no ability away and needs no casts.
public struct ForwardingTransport: Sendable {
  /// What answers.
  public let base: any Transport

  /// Wraps a transport.
  public init(_ base: any Transport) { self.base = base }
}

extension ForwardingTransport: Transport {
  public func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
    try await base.attach(identity, domain: domain)
  }

  public func inventory(of domain: String) async throws -> Inventory {
    try await base.inventory(of: domain)
  }

  public func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
    try await base.fetch(reference, of: domain)
  }

  public func store(_ segment: OutboundSegment) async throws { try await base.store(segment) }

  public func flush(_ domain: String) async throws { try await base.flush(domain) }
}

extension ForwardingTransport: IncrementalTransport, PrefetchingTransport, DurableTransport {
  /// What is new since a position; everything where the base numbers nothing.
  public func inventory(
    of domain: String, since position: FeedPosition?
  ) async throws -> Inventory {
    guard let base = base as? any IncrementalTransport else {
      return try await base.inventory(of: domain)
    }
    return try await base.inventory(of: domain, since: position)
  }

  public func expect(_ references: [SegmentReference], of domain: String) async {
    await (base as? any PrefetchingTransport)?.expect(references, of: domain)
  }

  public var storesAtOnce: Bool { (base as? any DurableTransport)?.storesAtOnce ?? false }
}

extension ForwardingTransport: ErasingTransport, RemovingTransport, ClearingTransport,
  EmptyingTransport
{
  /// Erases a zone.
  ///
  /// - Throws: ``SyncError`` `remote.cannot-erase` where the base cannot.
  public func erase(
    _ zone: ZoneID, of domain: String, confirmedBy confirmations: Confirmations
  ) async throws {
    guard let base = base as? any ErasingTransport else { throw SyncError.cannotErase }
    try await base.erase(zone, of: domain, confirmedBy: confirmations)
  }

  public var removal: SegmentRemoval { (base as? any RemovingTransport)?.removal ?? .never }

  public func remove(_ references: [SegmentReference], of domain: String) async throws {
    try await (base as? any RemovingTransport)?.remove(references, of: domain)
  }

  public func clear(
    _ references: [SegmentReference], of domain: String
  ) async throws -> [SegmentReference] {
    try await (base as? any ClearingTransport)?.clear(references, of: domain) ?? []
  }

  /// Removes segments, and all of a domain when nothing of it stays.
  ///
  /// - Throws: ``SyncError`` `remote.cannot-erase` where the base cannot.
  public func empty(_ domain: String, of inventory: Inventory) async throws {
    guard let base = base as? any EmptyingTransport else { throw SyncError.cannotEmpty }
    try await base.empty(domain, of: inventory)
  }

  /// Removes the id of an encrypted vault.
  ///
  /// - Throws: ``SyncError`` `remote.cannot-erase` where the base cannot.
  public func removeMark(of vault: String) async throws {
    guard let base = base as? any EmptyingTransport else { throw SyncError.cannotEmpty }
    try await base.removeMark(of: vault)
  }
}

extension ForwardingTransport: ReplacingTransport {
  /// Whether the base can replace what it has stored.
  public var canReplace: Bool { base is any ReplacingTransport }

  /// Puts segments in the place of others.
  ///
  /// - Throws: ``SyncError`` `remote.cannot-erase` where the base cannot.
  public func replace(_ replacements: [SegmentReplacement], of domain: String) async throws {
    guard let base = base as? any ReplacingTransport else { throw SyncError.cannotReplace }
    try await base.replace(replacements, of: domain)
  }
}

extension ForwardingTransport: TrialTransport {
  /// Tries whether segments could be stored; a base that cannot try passes.
  public func tryStoring(_ sample: StoreSample, of domain: String) async throws {
    try await (base as? any TrialTransport)?.tryStoring(sample, of: domain)
  }
}

extension ForwardingTransport: SurveyedTransport {
  /// What the remote is like; nothing of a base that cannot tell.
  public func survey() async throws -> RemoteSurvey {
    try await (base as? any SurveyedTransport)?.survey() ?? RemoteSurvey()
  }
}

extension SyncError {
  fileprivate static let cannotErase = SyncError(
    .remoteCannotErase, "This kind of remote cannot remove what was withdrawn.",
    hint: "Remove it there by hand, or remove the remote.")
  fileprivate static let cannotEmpty = SyncError(
    .remoteCannotErase, "This kind of remote cannot remove what lies there in another form.",
    hint:
      "Add an empty place as another remote, and remove this one when all devices use the new one.")
  fileprivate static let cannotReplace = SyncError(
    .remoteCannotErase, "This kind of remote keeps each segment as it was stored.",
    hint:
      "Add an empty place as another remote, and remove this one when all devices use the new one.")
}

extension SyncError.Code {
  /// The remote cannot remove a zone that was withdrawn.
  public static let remoteCannotErase = Self("remote.cannot-erase", exit: 78)
}
