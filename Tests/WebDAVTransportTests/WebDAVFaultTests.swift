import FaultyNetwork
import RealPlaces
import SegmentFormat
import SyncKitHTTP
import Testing

@testable import WebDAVTransport

@Suite struct WebDAVOverABadNetwork {
  @Test(arguments: [WebDAVServer.Kind.apache, .nginx, .wsgidav, .rclone])
  func nothingIsLost(kind: WebDAVServer.Kind) async throws {
    let server = try WebDAVServer(kind)
    defer { server.process.stop() }
    let seed = kind.rawValue.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) }
    let way = BadWay(seed: seed) { $0.method == "PROPFIND" }
    let log = RequestLog()
    let history = try await HistoryOverABadWay(over: way) {
      BlobTransport(try server.store("bad", log, way.carry), arrangement: .flat)
    }
    #expect(way.faults > 50 && history.failures > 0)
    #expect(history.surprises.isEmpty)
    #expect(history.isEqual && history.isSound)
    #expect(history.notes == 40)
    // Nobody tries for ever.
    #expect(log.requests.count < 6_000)
  }
}
