import FaultyNetwork
import SegmentFormat
import SyncKit
import SyncKitHTTP
import Testing

@testable import S3Transport

/// What a service tells of its clock.
@Suite struct ClocksOfServices {
  @Test(arguments: S3Place.Kind.allCases, [Int64(0), 600_000, -600_000])
  func `a clock that the service does not refuse yet is measured`(
    kind: S3Place.Kind, skew: Int64
  ) async throws {
    let place = try S3Place(kind)
    let log = RequestLog()
    let store = try place.store(place.bucket(), log, skew: skew)
    #expect(try await store.survey().clock == nil)
    _ = try await store.list("", .folder)
    let asked = log.methods.count
    let clock = try #require(try await store.survey().clock)
    #expect(abs(clock.lead + skew) < 60_000, "\(clock)")
    #expect(clock.isFar == (skew != 0))
    // It costs no request.
    #expect(log.methods.count == asked)
  }

  @Test func `what a cache has kept tells no time`() async throws {
    let old = ("Date", "Thu, 23 May 2013 00:00:00 GMT")
    for (headers, isTold) in [([old], true), ([old, ("Age", "86400")], false)] {
      let store = try PlayedService.store { _ in
        CarriedAnswer(
          status: 200, headers: headers.map { (name: $0.0, value: $0.1) },
          body: Array("<ListBucketResult></ListBucketResult>".utf8))
      }
      _ = try await store.list("", .folder)
      #expect((try await store.survey().clock != nil) == isTold)
    }
  }
}
