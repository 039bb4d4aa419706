import FaultyNetwork
import RealPlaces
import SegmentFormat
import SyncKit
import SyncKitHTTP
import Testing

@testable import S3Transport
@testable import SyncKitTesting

/// Each request costs money: how many there are is a promise.
@Suite struct RequestsAreFew {
  private let known = RemoteIdentity(
    vault: [TransportContract.vault], isKnown: true, newVault: TransportContract.vault)

  @Test(arguments: S3Place.Kind.allCases)
  func `with nothing to do there are two, and two more for a change`(
    kind: S3Place.Kind
  )
    async throws
  {
    let place = try S3Place(kind)
    let bucket = try place.bucket("few")
    let first = try place.transport(bucket)
    _ = try await first.attach(TransportContract.stranger(), domain: TransportContract.domain)
    try await first.store(TransportContract.Author().segment(1))

    // Another run knows nothing of the first.
    let log = RequestLog()
    let transport = try place.transport(bucket, log)
    _ = try await transport.attach(known, domain: TransportContract.domain)
    let inventory = try await transport.inventory(of: TransportContract.domain)
    #expect(inventory.segments.count == 1)
    #expect(log.methods == ["GET", "GET"])

    log.forget()
    try await transport.store(TransportContract.Author().segment(2))
    #expect(log.methods == ["HEAD", "PUT"])
    log.forget()
    let reference = try #require(inventory.segments.first)
    #expect(try await transport.fetch(reference, of: TransportContract.domain) != nil)
    #expect(log.methods == ["GET"])
  }

  @Test func `where conditions are known to be kept, a change is one request`() async throws {
    let place = try S3Place(.moto)
    var bucket = try place.bucket("kept")
    bucket.keepsConditions = true
    let log = RequestLog()
    let store = try place.store(bucket, log)
    #expect(try await store.put("notes/a", [1], replacing: false))
    #expect(log.methods == ["PUT"])
    #expect(try await !store.put("notes/a", [2], replacing: false))
    #expect(try await store.get("notes/a", upTo: 10) == [1])
  }

  @Test(arguments: [(S3Place.Kind.moto, true), (.rclone, false)])
  func `a trial finds out whether conditions are kept`(kind: S3Place.Kind, keeps: Bool) async throws
  {
    let place = try S3Place(kind)
    let log = RequestLog()
    let store = try place.store(place.bucket("trial"), log)
    try await store.tryPutting(100_000, in: "notes")
    #expect(log.methods == ["GET", "GET", "PUT", "PUT", "DELETE"])
    #expect(log.requests.allSatisfy { $0.body.count <= 65_536 })
    // What can be stored here can be stored below.
    try await store.tryPutting(1, in: "notes/zone")
    #expect(log.methods.count == 5)
    let listing = try await store.list("notes", .tree)
    #expect(listing.blobs.isEmpty)
    #expect(listing.notes.contains { $0.contains("conditional: true") } == keeps)
    log.forget()
    #expect(try await store.put("notes/a", [1], replacing: false))
    #expect(log.methods == (keeps ? ["PUT"] : ["HEAD", "PUT"]))
    #expect(try await !store.put("notes/a", [2], replacing: false))
    #expect(try await store.get("notes/a", upTo: 10) == [1])
  }
}
