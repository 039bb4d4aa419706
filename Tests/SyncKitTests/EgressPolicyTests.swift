import SyncKit
import SyncKitTesting
import Testing

/// The last gate before the wire judges by itself, whatever those before it have let through.
struct EgressPolicyTests {
  @Test func `a segment is released for published zones, and for no others`()
    async throws
  {
    let remote = InMemoryTransport()
    let device = try TestDevice("phone", remote)
    try device.save("emma", ["title": .string("Emma")])
    try await device.engine.syncNow()
    let domain = device.store.domain.name
    let reference = try #require(try await remote.inventory(of: domain).segments.first)
    let segment = try #require(try await remote.fetch(reference, of: domain))
    let zone = segment.info.zone
    let other = ZoneID("other")

    let released = EgressPolicy(published: [other, zone]).release(segment)
    #expect(try #require(released).segment.info.head == segment.info.head)
    for published in [[], [other]] as [Set<ZoneID>] {
      let released = EgressPolicy(published: published).release(segment)
      #expect(released == nil, "a segment of \(zone) leaves for \(published)")
    }
  }
}
