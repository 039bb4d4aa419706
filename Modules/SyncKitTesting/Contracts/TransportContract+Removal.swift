import SegmentFormat
import SyncKit

extension TransportContract {
  /// A series whose changes chain, so that one segment can be seen to hold another.
  private struct Chain {
    let author = Author()
    private let changes: [[UInt8]]
    private let hashes: [ContentHash]

    init(_ count: Int, salt: UInt8 = 0) {
      let coding = author.coding
      changes = (0..<count).map { index in
        (0..<80).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ index) ^ salt }
      }
      var last = ContentHash(high: 1, low: 1)
      hashes =
        [last]
        + changes.map { change in
          last = last.bytes.withUnsafeBytes { head in
            change.withUnsafeBytes { coding.hash([head, $0]) }
          }
          return last
        }
    }

    func segment(_ range: ClosedRange<Int>) throws -> OutboundSegment {
      let info = SegmentInfo(
        domain: TransportContract.domain, zone: author.zone, series: author.series,
        first: UInt64(range.lowerBound), last: UInt64(range.upperBound),
        previous: hashes[range.lowerBound - 1], head: hashes[range.upperBound],
        base: VersionVector(), operations: range.count, deletions: 0,
        newest: UInt64(range.upperBound))
      return try Author.release(
        author.coding.segment(
          info, changes: Array(changes[range.lowerBound - 1..<range.upperBound])))
    }
  }

  /// What lies there, without what the caller wants to have removed.
  private static func references(
    _ place: TestRemote, where isWanted: (SegmentReference) -> Bool
  ) async throws -> [SegmentReference] {
    try await place.open().inventory(of: domain).segments.filter(isWanted)
  }

  private static func remove(_ segments: [Segment], _ place: TestRemote) async throws {
    let references = segments.map { SegmentReference($0) }
    let there = try await place.open().inventory(of: domain).segments
    try await ForwardingTransport(place.open()).remove(
      references.flatMap { wanted in there.filter { $0.isSame(as: wanted) } }, of: domain)
  }

  static let removalChecks: [ContractCheck<TransportContract>] = [
    ContractCheck("What another segment holds is removed, and nothing else is") { contract in
      let place = try await contract.make()
      _ = try await place.open().attach(stranger(), domain: domain)
      guard try await ForwardingTransport(place.open()).removal != .never else { return }
      let chain = Chain(9)
      for number in 1...9 { try await put(chain.segment(number...number), place.open()) }
      try await put(chain.segment(1...8), place.open())
      let held = try await references(place) { $0.first == $0.last && $0.last <= 8 }
      for _ in 0..<2 { try await ForwardingTransport(place.open()).remove(held, of: domain) }
      let found = try await everything(place.open())
      let wanted = Set([try chain.segment(1...8).segment, try chain.segment(9...9).segment])
      try expect(found == wanted, "\(found.count) segments are there, two should be")
    },
    ContractCheck("A remote that verifies keeps what no other segment holds") { contract in
      let place = try await contract.make()
      _ = try await place.open().attach(stranger(), domain: domain)
      guard try await ForwardingTransport(place.open()).removal == .proved else { return }
      let chain = Chain(8)
      let other = Chain(8, salt: 1)
      for number in 1...8 { try await put(chain.segment(number...number), place.open()) }
      // Another branch with the same numbers, and one that lacks the first and the last change.
      try await put(other.segment(1...8), place.open())
      try await put(chain.segment(2...7), place.open())
      let all = try await references(place) { _ in true }
      try await ForwardingTransport(place.open()).remove(all, of: domain)
      let found = try await everything(place.open())
      let wanted = Set([
        try chain.segment(1...1).segment, try chain.segment(8...8).segment,
        try other.segment(1...8).segment, try chain.segment(2...7).segment,
      ])
      try expect(found == wanted, "\(found.count) segments are there, four should be")
    },
    ContractCheck("What a whole snapshot stands for is removed, and nothing else is") { contract in
      let place = try await contract.make()
      _ = try await place.open().attach(stranger(), domain: domain)
      let removal = try await ForwardingTransport(place.open()).removal
      guard removal != .never else { return }
      let sample = try await SnapshotSample(of: domain)
      guard let head = sample.parts.first, sample.parts.count > 1 else {
        throw ContractViolation("the sample's snapshot has \(sample.parts.count) parts")
      }
      for segment in sample.covered + sample.earlier + sample.later + sample.parts.dropFirst() {
        try await put(segment, place.open())
      }
      let needless = sample.covered + sample.earlier.reversed()
      if removal == .proved {
        // Half a snapshot is none, and the earlier one stands for the changes up to itself alone.
        let new = sample.covered.suffix(1).map(\.segment)
        try await remove(new, place)
        let found = try await everything(place.open())
        try expect(found.isSuperset(of: new), "half a snapshot was enough")
      }
      try await put(head, place.open())
      for _ in 0..<2 { try await remove(needless.map(\.segment), place) }
      let found = try await everything(place.open())
      let wanted = Set((sample.later + sample.parts).map(\.segment))
      try expect(found == wanted, "\(found.count) segments are there, \(wanted.count) should be")
      guard removal == .proved else { return }
      try await remove((sample.later + sample.parts).map(\.segment), place)
      let left = try await everything(place.open())
      try expect(left == wanted, "\(wanted.count - left.count) went that nothing stands for")
    },
    ContractCheck("A remote that verifies keeps a branch other than the snapshot's") { contract in
      let place = try await contract.make()
      _ = try await place.open().attach(stranger(), domain: domain)
      guard try await ForwardingTransport(place.open()).removal == .proved else { return }
      let sample = try await SnapshotSample(of: domain)
      guard let last = sample.covered.last?.segment.info else {
        throw ContractViolation("the sample's snapshot stands for nothing")
      }
      for segment in sample.parts { try await put(segment, place.open()) }
      let author = Author(zone: sample.zone, series: last.series)
      let branch = try author.segment(last.first, count: Int(last.last - last.first) + 1)
      let elsewhere = try Author(zone: "elsewhere", series: last.series).segment(last.first)
      for segment in [branch, elsewhere] {
        try await put(segment, place.open())
        try await remove([segment.segment], place)
      }
      let found = try await everything(place.open())
      try expect(
        found.isSuperset(of: [branch.segment, elsewhere.segment]),
        "changes went that the snapshot does not stand for")
    },
    ContractCheck(
      "Devices that write all the time leave little, and a newcomer gets it all", isLong: true
    ) { contract in
      let place = try await contract.make()
      guard try await ForwardingTransport(place.open()).removal != .never else { return }
      let clock = VirtualClock()
      func device(_ name: String) async throws -> BusyDevice {
        try BusyDevice(name, await place.open(), of: domain, clock: clock)
      }
      let (a, b) = (try await device("a"), try await device("b"))
      for number in 0..<150 {
        try await a.write(number)
        if number.isMultiple(of: 3) { try await b.write(number + 7) }
      }
      let there = try await place.open().inventory(of: domain).segments
      try expect(there.contains(where: \.series.isSnapshot), "there is no snapshot")
      try expect(
        !there.contains { !$0.series.isSnapshot && $0.first == 1 },
        "the first changes are still there")
      try expect(there.count < 60, "\(there.count) segments are left of 200")
      let late = try await device("late")
      for device in [late, a, b, late] { try await device.sync() }
      let digests = try a.digests
      for device in [b, late] {
        try expect(try device.digests == digests, "the devices differ")
        try expect(try device.isSound, "a store is damaged")
      }
    },
    ContractCheck("A removal is no news and leaves every position unchanged") { contract in
      let place = try await contract.make()
      _ = try await place.open().attach(stranger(), domain: domain)
      guard try await ForwardingTransport(place.open()).removal != .never else { return }
      let chain = Chain(3)
      for number in 1...2 { try await put(chain.segment(number...number), place.open()) }
      try await put(chain.segment(1...2), place.open())
      let position = try await place.open().inventory(of: domain).position
      let held = try await references(place) { $0.first == $0.last }
      try await ForwardingTransport(place.open()).remove(held, of: domain)
      let news = try await ForwardingTransport(place.open()).inventory(of: domain, since: position)
      guard let position else { return }
      try expect(news.isContinuation, "the position \(position) holds no more")
      try expect(news.segments.isEmpty, "it lists \(news.segments.count) segments again")
      try await put(chain.segment(3...3), place.open())
      let next = try await ForwardingTransport(place.open()).inventory(of: domain, since: position)
      try expect(
        next.isContinuation && next.segments.map(\.first) == [3], "it lists \(next.segments)")
    },
  ]
}
