import SyncKit
import Synchronization

/// A remote that cannot be reached now and then: before a request, or after it had its effect.
final class UnreliableTransport: ErasingTransport, RemovingTransport, IncrementalTransport {
  private let base: InMemoryTransport
  private let state: Mutex<(random: SeededRandom, isFailing: Bool)>
  /// The share of requests that fail, in percent.
  private static let share = 8

  init(_ base: InMemoryTransport, _ random: SeededRandom) {
    self.base = base
    state = Mutex((random, false))
  }

  /// Whether requests fail.
  var isFailing: Bool {
    get { state.withLock(\.isFailing) }
    set { state.withLock { $0.isFailing = newValue } }
  }

  private func tried<T>(_ request: () async throws -> T) async throws -> T {
    try fail()
    let answer = try await request()
    try fail()
    return answer
  }

  private func fail() throws {
    guard state.withLock({ $0.isFailing && $0.random.chance(Self.share) }) else { return }
    throw SyncError(.remoteUnavailable, "The remote cannot be reached.")
  }

  func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
    try await tried { try await base.attach(identity, domain: domain) }
  }

  func inventory(of domain: String) async throws -> Inventory {
    try await tried { try await base.inventory(of: domain) }
  }

  func inventory(of domain: String, since position: FeedPosition?) async throws -> Inventory {
    try await tried { try await base.inventory(of: domain, since: position) }
  }

  func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
    try await tried { try await base.fetch(reference, of: domain) }
  }

  func store(_ segment: OutboundSegment) async throws {
    try await tried { try await base.store(segment) }
  }

  var removal: SegmentRemoval { base.removal }

  func remove(_ references: [SegmentReference], of domain: String) async throws {
    try await tried { try await base.remove(references, of: domain) }
  }

  func erase(
    _ zone: ZoneID, of domain: String, confirmedBy confirmations: Confirmations
  ) async throws {
    try await tried {
      try await base.erase(zone, of: domain, confirmedBy: confirmations)
    }
  }
}
