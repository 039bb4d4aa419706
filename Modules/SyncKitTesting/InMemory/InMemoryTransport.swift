public import SyncKit
import Synchronization

/// A meeting place in memory: keeps the promises of a transport and nothing else.
public final class InMemoryTransport: Transport {
  private struct Place {
    var markers: Set<String> = []
    var segments: [String: [String: Segment]] = [:]
    var erased: [String: [ZoneID: Confirmations]] = [:]
  }

  private let place = Mutex(Place())

  /// Makes an empty place.
  public init() {}

  public func attach(_ acquaintance: Acquaintance, domain: String) async throws -> Set<String> {
    try place.withLock { place in
      switch try acquaintance.decide(found: place.markers, place: "The in-memory remote") {
      case .proceed(let write, let vault):
        place.markers.formUnion(write)
        return vault
      }
    }
  }

  public func inventory(of domain: String) async throws -> Inventory {
    let (segments, erased) = place.withLock {
      ($0.segments[domain] ?? [:], $0.erased[domain] ?? [:])
    }
    return Inventory(
      segments: segments.sorted { $0.key < $1.key }.map { name, segment in
        SegmentReference(
          zone: segment.info.zone, series: segment.info.series, first: segment.info.first,
          last: segment.info.last, head: segment.info.head, size: segment.bytes.count,
          location: name)
      }, erased: erased)
  }

  public func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
    place.withLock { $0.segments[domain]?[reference.location] }
  }

  public func store(_ segment: OutboundSegment) async throws {
    let info = segment.segment.info
    let name = "\(info.zone)/\(info.series)/\(info.first)-\(info.last)-\(info.head)"
    place.withLock { $0.segments[info.domain, default: [:]][name] = segment.segment }
  }

  public func erase(
    _ zone: ZoneID, of domain: String, confirmedBy confirmations: Confirmations
  ) async throws {
    place.withLock { place in
      place.erased[domain, default: [:]][zone, default: Confirmations()].formUnion(confirmations)
      place.segments[domain] = place.segments[domain]?.filter { $0.value.info.zone != zone }
    }
  }

  /// How many segments lie there, of all domains.
  public var count: Int { place.withLock { $0.segments.values.reduce(0) { $0 + $1.count } } }
}
