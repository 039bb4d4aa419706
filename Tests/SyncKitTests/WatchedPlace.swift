import SyncKit
import SyncKitTesting
import Synchronization

/// A place that numbers what it has, counts how many segments it tells of, and goes wrong on demand.
final class WatchedPlace: Transport {
  private struct State {
    var told: [Int] = []
    var stored = 0
    var isHolding = false
    var held: Set<ContentHash> = []
    var unread: Set<ContentHash> = []
    var isLosing = false
    var isCutting = false
    var cannotErase = false
    var atTheEnd: (@Sendable () throws -> Void)?
  }

  let place = InMemoryTransport()
  private let state = Mutex(State())

  var told: [Int] { state.withLock(\.told) }

  /// How many segments were brought, those included that were there.
  var stored: Int { state.withLock(\.stored) }

  /// Brings no segment at all.
  func hold(_ isHolding: Bool) { state.withLock { $0.isHolding = isHolding } }

  /// Does not bring the segments with these heads.
  func hold(_ heads: Set<ContentHash>) { state.withLock { $0.held = heads } }

  /// Fails to give the segments with these heads.
  func failToRead(_ heads: Set<ContentHash>) { state.withLock { $0.unread = heads } }

  /// Takes what is stored and forgets it, as a copy does that is put back.
  func lose(_ isLosing: Bool) { state.withLock { $0.isLosing = isLosing } }

  /// Tells of every segment that a part of it is missing.
  func cut(_ isCutting: Bool) { state.withLock { $0.isCutting = isCutting } }

  /// Does not answer when it is to erase something.
  func refuseErasures(_ cannotErase: Bool) { state.withLock { $0.cannotErase = cannotErase } }

  /// Does something once, near the end of the next exchange.
  func atTheEnd(_ action: @escaping @Sendable () throws -> Void) {
    state.withLock { $0.atTheEnd = action }
  }

  /// All that lies there of a domain, in the order in which it came.
  func segments(of domain: String) async throws -> [Segment] {
    var segments: [Segment] = []
    for reference in try await place.inventory(of: domain).segments {
      if let segment = try await place.fetch(reference, of: domain) { segments.append(segment) }
    }
    return segments
  }

  /// Begins another life with these segments.
  func begin(with segments: [Segment]) async throws {
    place.wipe()
    let policy = EgressPolicy(published: Set(segments.map(\.info.zone)))
    for segment in segments {
      if let outbound = policy.release(segment) { try await place.store(outbound) }
    }
  }

  func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
    try await place.attach(identity, domain: domain)
  }

  func inventory(of domain: String) async throws -> Inventory {
    try await inventory(of: domain, since: nil)
  }

  func inventory(of domain: String, since position: FeedPosition?) async throws -> Inventory {
    var inventory = try await place.inventory(of: domain, since: position)
    let isCutting = state.withLock { state in
      state.told.append(inventory.segments.count)
      return state.isCutting
    }
    if isCutting {
      for index in inventory.segments.indices { inventory.segments[index].size? -= 1 }
    }
    return inventory
  }

  func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
    if state.withLock({ $0.isHolding || $0.held.contains(reference.head) }) { return nil }
    if state.withLock({ $0.unread.contains(reference.head) }) {
      throw SyncError(.remoteUnread, "Could not read '\(reference.location)'.")
    }
    return try await place.fetch(reference, of: domain)
  }

  func store(_ segment: OutboundSegment) async throws {
    let isLosing = state.withLock { state in
      state.stored += 1
      return state.isLosing
    }
    if isLosing { return }
    try await place.store(segment)
  }

  func erase(
    _ zone: ZoneID, of domain: String, confirmedBy confirmations: Confirmations
  ) async throws {
    if state.withLock(\.cannotErase) {
      throw SyncError(.remoteIO, "The place cannot erase now.")
    }
    try await place.erase(zone, of: domain, confirmedBy: confirmations)
  }

  func flush(_ domain: String) async throws {
    let action = state.withLock { state in
      defer { state.atTheEnd = nil }
      return state.atTheEnd
    }
    try action?()
  }
}

/// A phone that meets one place.
func phone(_ name: String, _ place: any Transport) throws -> (Phone, SyncEngine) {
  let phone = try Phone(name)
  return (
    phone,
    SyncEngine(store: phone.store, remotes: [Remote("r", location: "watched", transport: place)])
  )
}
