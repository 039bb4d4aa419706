public import SyncKit
import Synchronization

/// A remote in memory: keeps the promises of a transport and nothing else.
///
/// It numbers what it takes, so that a second exchange gets only what is new.
public final class InMemoryTransport: Transport {
  private struct Place {
    var epoch = 1
    var cursor: UInt64 = 0
    var markers: Set<String> = []
    var segments: [String: [String: (segment: Segment, cursor: UInt64)]] = [:]
    var erased: [String: [ZoneID: Confirmations]] = [:]
    var access: [ZoneID: ZoneAccess]?
    var fetched = 0
  }

  private let place = Mutex(Place())

  /// Makes an empty remote.
  public init() {}

  public func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
    try place.withLock { place in
      switch try identity.decide(found: place.markers, location: "The in-memory remote") {
      case .proceed(let write, let vault):
        place.markers.formUnion(write)
        return vault
      }
    }
  }

  public func inventory(of domain: String) async throws -> Inventory {
    try await inventory(of: domain, since: nil)
  }

  public func inventory(
    of domain: String, since position: FeedPosition?
  ) async throws -> Inventory {
    place.withLock { place in
      let epoch = "life \(place.epoch)"
      let start = position.flatMap { $0.epoch == epoch ? $0.cursor : nil }
      let new = (place.segments[domain] ?? [:]).filter { $0.value.cursor > start ?? 0 }
      var inventory = Inventory(
        segments: new.sorted { $0.value.cursor < $1.value.cursor }.map { name, entry in
          let info = entry.segment.info
          return SegmentReference(
            zone: info.zone, series: info.series, first: info.first, last: info.last,
            head: info.head, size: entry.segment.bytes.count, location: name)
        }, erased: place.erased[domain] ?? [:])
      inventory.position = FeedPosition(epoch: epoch, cursor: place.cursor)
      inventory.isContinuation = start != nil
      inventory.access = place.access
      return inventory
    }
  }

  public func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
    place.withLock { place in
      place.fetched += 1
      return place.segments[domain]?[reference.location]?.segment
    }
  }

  public func store(_ segment: OutboundSegment) async throws {
    let info = segment.segment.info
    let name = "\(info.zone)/\(info.series)/\(info.first)-\(info.last)-\(info.head)"
    place.withLock { place in
      guard place.segments[info.domain]?[name] == nil else { return }
      place.cursor += 1
      place.segments[info.domain, default: [:]][name] = (segment.segment, place.cursor)
    }
  }

  public var removal: SegmentRemoval { .onRequest }

  public func remove(_ references: [SegmentReference], of domain: String) async throws {
    place.withLock { place in
      for reference in references { place.segments[domain]?[reference.location] = nil }
    }
  }

  public func erase(
    _ zone: ZoneID, of domain: String, confirmedBy confirmations: Confirmations
  ) async throws {
    place.withLock { place in
      place.erased[domain, default: [:]][zone, default: Confirmations()].formUnion(confirmations)
      place.segments[domain] = place.segments[domain]?.filter { $0.value.segment.info.zone != zone }
    }
  }

  /// How many segments lie there, of all domains.
  public var count: Int { place.withLock { $0.segments.values.reduce(0) { $0 + $1.count } } }

  /// How often a segment was fetched.
  public var fetched: Int { place.withLock(\.fetched) }

  /// Forgets every segment, as a wiped server does; its numbers start over.
  public func wipe() {
    place.withLock { place in
      place.epoch += 1
      place.cursor = 0
      place.segments = [:]
    }
  }

  /// Lists from now on the participants of zones.
  public func setAccess(_ access: [ZoneID: ZoneAccess]?) { place.withLock { $0.access = access } }
}
