import SFTPTransport
import SegmentFormat
import SyncKit
import Testing

/// What is announced is fetched ahead, and is the same as what is fetched alone.
@Suite struct ExpectedSegments {
  private static func segment(_ number: UInt64) throws -> Segment {
    let info = SegmentInfo(
      domain: SFTPPlace.domain, zone: .home, series: ReplicaID(high: 7, low: 9), first: number,
      last: number, previous: ContentHash(high: number, low: 0),
      head: ContentHash(high: number, low: 1), base: VersionVector(), operations: 1, deletions: 0,
      newest: number)
    return try DeflateSegmentCoding().segment(
      info, changes: [SFTPPlace.bytes(300 + Int(number))])
  }

  private func filled(_ place: SFTPPlace, _ count: UInt64) async throws -> SFTPTransport {
    let transport = place.transport()
    _ = try await transport.attach(
      RemoteIdentity(vault: [], isKnown: false, newVault: SFTPPlace.vault),
      domain: SFTPPlace.domain)
    for number in 1...count {
      let outbound = try #require(
        EgressPolicy(published: [.home]).release(Self.segment(number)))
      try await transport.store(outbound)
    }
    return transport
  }

  @Test func theyComeInWhateverOrderTheyAreAskedFor() async throws {
    let place = try SFTPPlace()
    let transport = try await filled(place, 60)
    let found = try await transport.inventory(of: SFTPPlace.domain).segments
      .sorted { $0.first < $1.first }
    #expect(found.count == 60)
    for order in [found, found.reversed(), found.filter { $0.first % 3 == 0 }] {
      await transport.expect(found, of: SFTPPlace.domain)
      for reference in order {
        let segment = try await transport.fetch(reference, of: SFTPPlace.domain)
        #expect(try segment == Self.segment(reference.first))
      }
    }
  }

  @Test func oneThatIsNotThereIsNil() async throws {
    let place = try SFTPPlace()
    let transport = try await filled(place, 20)
    let found = try await transport.inventory(of: SFTPPlace.domain).segments
    place.run("find . -name '*.seg' -delete")
    await transport.expect(found, of: SFTPPlace.domain)
    for reference in found {
      #expect(try await transport.fetch(reference, of: SFTPPlace.domain) == nil)
    }
  }
}
