import FaultyNetwork
import RealPlaces
import SyncKitHTTP
import Testing

@testable import S3Transport

@Suite struct BucketsOverABadNetwork {
  @Test(arguments: S3Place.Kind.allCases)
  func `nothing is lost`(kind: S3Place.Kind) async throws {
    let place = try S3Place(kind)
    let seed = kind.rawValue.utf8.reduce(11) { $0 &* 31 &+ UInt64($1) }
    let way = BadWay(seed: seed) { $0.method == "GET" && $0.path.contains("list-type=2") }
    let log = RequestLog()
    let history = try await HistoryOverABadWay(over: way) {
      try place.transport(place.bucket("bad way"), log, way.carry)
    }
    #expect(way.faults > 50 && history.failures > 0)
    #expect(history.surprises.isEmpty)
    #expect(history.isEqual && history.isSound)
    #expect(history.notes == 40)
    // Nobody tries for ever.
    #expect(log.requests.count < 6_000)
  }
}
