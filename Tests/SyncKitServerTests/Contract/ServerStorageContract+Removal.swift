import SyncKit
import SyncKitTesting
import SyncWire

@testable import SyncKitServer

extension ServerStorageContract {
  private static func remove(
    _ cursors: [UInt64], _ person: Person, _ place: ServerStoragePlace
  ) async throws -> [UInt64] {
    try await place.storage.remove(cursors, of: domain, person.asks(.sync))
  }

  /// Stores eight changes one by one, and then all of them once more in one segment.
  private static func merge(
    _ made: TestSegments, _ person: Person, _ place: ServerStoragePlace
  ) async throws -> (small: [UInt64], merged: UInt64) {
    var segments = try (1...8).map { try made.chained($0...$0) }
    segments.append(try made.chained(1...8))
    let cursors = try await store(segments, person, place).map { $0.cursor ?? 0 }
    return (Array(cursors.prefix(8)), cursors[8])
  }

  static let removalChecks: [ContractCheck<ServerStorageContract>] = [
    ContractCheck("What another segment holds goes, and the account pays for it no more") {
      contract in
      let place = try await contract.make()
      let ada = try await person(place, "Ada")
      let (small, merged) = try await merge(TestSegments(), ada, place)
      let before = try await place.storage.account(ada.asks(.read))
      let gone = try await remove(small + [merged, 999], ada, place)
      try expect(gone == small, "\(gone) are gone")
      let page = try await feed(ada, place)
      try expect(page.segments.map(\.cursor) == [merged], "\(page.segments.count) are left")
      let used = try await place.storage.account(ada.asks(.read))
      let size = try TestSegments().chained(1...8).bytes.count
      try expect(
        used.usedBytes == Int64(size), "\(used.usedBytes) bytes are counted, \(size) are there")
      try expect(
        used.usedRecords == before.usedRecords / 2,
        "\(used.usedRecords) of \(before.usedRecords) are counted")
      let again = try await remove(small, ada, place)
      try expect(again.isEmpty, "\(again) are gone once more")
    },
    ContractCheck("What no one segment holds stays, whatever its numbers say") { contract in
      let place = try await contract.make()
      let ada = try await person(place, "Ada")
      let made = TestSegments()
      let segments = [
        try made.chained(1...4), try made.chained(3...8), try made.chained(2...6),
        try made.chained(9...9), try made.chained(1...9, size: 50),
      ]
      let cursors = try await store(segments, ada, place).map { $0.cursor ?? 0 }
      let gone = try await remove(cursors, ada, place)
      try expect(gone.isEmpty, "\(gone) are gone")
    },
    ContractCheck("Only the author of a series may have parts of it removed") { contract in
      let place = try await contract.make()
      let ada = try await person(place, "Ada")
      let bob = try await person(place, "Bob")
      let eve = try await person(place, "Eve")
      let (hers, _) = try await merge(TestSegments(zone: "bike"), ada, place)
      _ = try await share("bike", of: ada, with: bob, as: .writer, place)
      let series = ReplicaID(high: 77, low: 7)
      let (his, _) = try await merge(TestSegments(zone: "bike", series: series), bob, place)
      for (who, cursors) in [(bob, hers), (eve, hers + his), (ada, his)] {
        let gone = try await remove(cursors, who, place)
        try expect(gone.isEmpty, "another account had \(gone) removed")
      }
      let elsewhere = try await place.storage.remove(hers, of: "another", ada.asks(.sync))
      try expect(elsewhere.isEmpty, "they are removed as ones of another domain")
      let own = try await remove(his, bob, place)
      try expect(own == his, "of a guest's own series \(own.count) of 8 are gone")
      let page = try await feed(ada, place)
      try expect(page.segments.count == 10, "\(page.segments.count) segments are left of 10")
    },
    ContractCheck("What a snapshot stands for goes, if no other account has a part in the zone") {
      contract in
      let place = try await contract.make()
      let ada = try await person(place, "Ada")
      let bob = try await person(place, "Bob")
      let sample = try await SnapshotSample(of: domain)
      let segments = (sample.covered + sample.parts).map(\.segment)
      let cursors = try await store(segments, ada, place).map { $0.cursor ?? 0 }
      let covered = Array(cursors.prefix(sample.covered.count))
      let strange = try await remove(covered, bob, place)
      try expect(strange.isEmpty, "another account had \(strange) removed")
      let gone = try await remove(cursors, ada, place)
      try expect(gone == covered, "\(gone.count) of \(covered.count) are gone")
      let used = try await place.storage.account(ada.asks(.read))
      let size = sample.parts.reduce(0) { $0 + $1.segment.bytes.count }
      try expect(
        used.usedBytes == Int64(size), "\(used.usedBytes) bytes are counted, \(size) are there")
    },
    ContractCheck("Of a zone with participants nothing goes for a snapshot") { contract in
      let place = try await contract.make()
      let ada = try await person(place, "Ada")
      let bob = try await person(place, "Bob")
      let sample = try await SnapshotSample(of: domain)
      let segments = (sample.covered + sample.parts).map(\.segment)
      let cursors = try await store(segments, ada, place).map { $0.cursor ?? 0 }
      let (share, _) = try await share(sample.zone, of: ada, with: bob, as: .writer, place)
      for who in [ada, bob] {
        let gone = try await remove(cursors, who, place)
        try expect(gone.isEmpty, "\(gone.count) are gone")
      }
      try await place.storage.end(share: share, ada.asks())
      let gone = try await remove(cursors, ada, place)
      try expect(gone.count == sample.covered.count, "\(gone.count) are gone after the share's end")
    },
    ContractCheck("Whose a series is can still be told when it is merged") { contract in
      let place = try await contract.make()
      let ada = try await person(place, "Ada")
      let (small, merged) = try await merge(TestSegments(), ada, place)
      _ = try await remove(small, ada, place)
      let next = try await store([TestSegments().chained(9...9)], ada, place)
      try expect(next.map(\.status) == [.stored], "the series does not go on: \(next)")
      let found = try await place.storage.fetch(
        [small[0], merged], of: domain, upTo: 1 << 20, ada.asks(.read))
      try expect(
        found == [nil, try TestSegments().chained(1...8).bytes], "\(found.count) are given")
    },
  ]
}
