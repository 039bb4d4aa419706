import SegmentFormat
import SyncKit

extension TransportContract {
  private static func attached(_ contract: TransportContract) async throws -> TestRemote {
    let place = try await contract.make()
    _ = try await place.open().attach(stranger(), domain: domain)
    return place
  }

  static let segmentChecks: [ContractCheck<TransportContract>] = [
    ContractCheck("A new remote holds nothing") { contract in
      let inventory = try await attached(contract).open().inventory(of: domain)
      try expect(inventory.segments.isEmpty, "it holds \(inventory.segments.count) segments")
      try expect(inventory.notes.isEmpty, "it notes: \(inventory.notes)")
    },
    ContractCheck("Another device gets the same bytes that were stored") { contract in
      let place = try await attached(contract)
      let stored = [
        try Author().segment(1), try Author().segment(2, count: 40),
        try Author().segment(42, size: 1 << 20),
      ]
      let transport = try await place.open()
      for segment in stored { try await transport.store(segment) }
      try await transport.flush(domain)
      let found = try await everything(place.open())
      try expect(found == Set(stored.map(\.segment)), "it got \(found.count) of \(stored.count)")
    },
    ContractCheck("An inventory names what it offers") { contract in
      let place = try await attached(contract)
      let stored = try Author().segment(5, count: 3)
      try await put(stored, place.open())
      let segments = try await place.open().inventory(of: domain).segments
      let info = stored.segment.info
      guard let offer = segments.first, segments.count == 1 else {
        throw ContractViolation("it offers \(segments.count) segments in place of 1")
      }
      try expect(
        offer.zone == info.zone && offer.series == info.series && offer.first == info.first
          && offer.last == info.last && offer.head == info.head, "it offers \(offer)")
      try expect(
        offer.size == nil || offer.size == stored.segment.bytes.count,
        "it says \(offer.size ?? -1) bytes in place of \(stored.segment.bytes.count)")
    },
    ContractCheck("Storing again changes nothing") { contract in
      let place = try await attached(contract)
      let segment = try Author().segment(1)
      for _ in 0..<3 { try await put(segment, place.open()) }
      let inventory = try await place.open().inventory(of: domain)
      try expect(inventory.segments.count == 1, "it offers \(inventory.segments.count) segments")
      let found = try await everything(place.open())
      try expect(found == [segment.segment], "the segment is another one now")
    },
    ContractCheck("A flush ends an exchange, and without a store it changes nothing") { contract in
      let place = try await attached(contract)
      try await place.open().flush(domain)
      let transport = try await place.open()
      let before = try await transport.inventory(of: domain).segments
      try expect(before.isEmpty, "an empty remote offers \(before.count) segments")
      let stored = [try Author().segment(1), try Author().segment(2)]
      for segment in stored { try await put(segment, transport) }
      for _ in 0..<2 { try await transport.flush(domain) }
      try await place.open().flush(domain)
      let found = try await everything(place.open())
      try expect(found == Set(stored.map(\.segment)), "it got \(found.count) of \(stored.count)")
    },
    ContractCheck("An intact segment is not overwritten") { contract in
      let place = try await attached(contract)
      let segment = try Author().segment(1)
      try await put(segment, place.open())
      let fake = Segment(info: segment.segment.info, bytes: Array("no segment".utf8))
      // Whether it is refused is the transport's affair; what matters is what lies there afterwards.
      try? await put(Author.release(fake), place.open())
      let found = try await everything(place.open())
      try expect(found == [segment.segment], "the segment is gone")
    },
    ContractCheck("Zones, series and domains are apart") { contract in
      let place = try await attached(contract)
      var stored: Set<Segment> = []
      for zone: ZoneID in ["home", "zone-2", "2"] {
        for number in 1...3 {
          let series = ReplicaID(high: UInt64(number) << 60, low: UInt64(number))
          let segment = try Author(zone: zone, series: series).segment(1)
          try await put(segment, place.open())
          stored.insert(segment.segment)
        }
      }
      let found = try await everything(place.open())
      try expect(found == stored, "it gave \(found.count) of \(stored.count)")
      let others = try await place.open().inventory(of: "another").segments
      try expect(others.isEmpty, "another domain is offered \(others.count) segments")
    },
    ContractCheck("A missing segment is nil and not an error") { contract in
      let place = try await attached(contract)
      try await put(Author().segment(1), place.open())
      let transport = try await place.open()
      guard var offer = try await transport.inventory(of: domain).segments.first else {
        throw ContractViolation("nothing is offered")
      }
      offer.head = ContentHash(high: 1, low: 1)
      let wrong = try await transport.fetch(offer, of: domain)
      try expect(wrong == nil, "it gave a segment under another one's head")
      offer.location += "-gone"
      let gone = try await transport.fetch(offer, of: domain)
      try expect(gone == nil, "it gave a segment from nowhere")
    },
    ContractCheck("Half a segment is no segment, and a store completes it") { contract in
      let place = try await attached(contract)
      guard let cut = place.cut else { return }
      let segment = try Author().segment(1, count: 20)
      try await put(segment, place.open())
      try await cut()
      let half = try await everything(place.open())
      try expect(half.isEmpty, "it gave half a segment")
      try await put(segment, place.open())
      let whole = try await everything(place.open())
      try expect(whole == [segment.segment], "it is still not whole")
    },
    ContractCheck("Many devices store at once") { contract in
      let place = try await attached(contract)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for device in 1...6 {
          group.addTask {
            let series = ReplicaID(high: UInt64(device), low: 0)
            let transport = try await place.open()
            for number in 1...10 {
              try await transport.store(Author(series: series).segment(UInt64(number)))
              // All of them also bring what a seventh has written.
              try await transport.store(Author().segment(UInt64(number)))
              if number % 5 == 0 { try await transport.flush(domain) }
            }
          }
        }
        try await group.waitForAll()
      }
      let found = try await everything(place.open())
      try expect(found.count == 70, "\(found.count) of 70 segments are there")
    },
  ]
}
