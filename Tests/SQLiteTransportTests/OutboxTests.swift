import SyncKit
import Testing

@testable import SQLiteTransport

extension Segment {
  /// The same segment in a packing of that many bytes.
  fileprivate func packed(_ size: Int) -> Segment {
    Segment(info: info, bytes: [UInt8](repeating: 0, count: size))
  }
}

/// The largest outbox that still waits.
private let most = SQLiteTransport.outboxLimit - 1

@Test func `segments wait in the order in which they came, each once`() throws {
  var outbox = Outbox()
  func add(_ segment: Segment) -> Bool { outbox.add(segment) }
  let segments = try [3, 1, 2].map { try SharedPlace.segment($0) }
  for segment in segments + segments { #expect(!add(segment)) }
  let other = try SharedPlace.segment(4, domain: "library")
  #expect(!add(other))
  #expect(outbox.waiting(of: SharedPlace.domain) == segments)
  #expect(outbox.waiting(of: "library") == [other])
  // What was stored is gone, and comes last when it comes again.
  outbox.remove([segments[0]])
  #expect(outbox.waiting(of: SharedPlace.domain) == [segments[1], segments[2]])
  _ = outbox.add(segments[0])
  #expect(outbox.waiting(of: SharedPlace.domain) == [segments[1], segments[2], segments[0]])
}

@Test func `an outbox is full by what waits in it, not by what has`() throws {
  let (first, second) = try (SharedPlace.segment(1), SharedPlace.segment(2, zone: "gone"))
  var outbox = Outbox()
  func add(_ segment: Segment) -> Bool { outbox.add(segment) }
  #expect(!add(first.packed(most)))
  // Another packing takes the place of the former one.
  #expect(!add(first.packed(1)))
  #expect(outbox.waiting(of: SharedPlace.domain) == [first.packed(1)])
  #expect(!add(second.packed(most - 1)))
  #expect(add(second.packed(most)))
  outbox.remove([second])
  #expect(!add(second.packed(most - 1)))
  outbox.remove("gone", of: SharedPlace.domain)
  #expect(outbox.waiting(of: SharedPlace.domain) == [first.packed(1)])
  #expect(!add(second.packed(most - 1)))
  #expect(add(second.packed(most)))
}

@Test func `an erasure of one domain's zone leaves those of the others`() throws {
  var outbox = Outbox()
  let mine = try SharedPlace.segment(1, zone: "gone")
  let others = try SharedPlace.segment(1, zone: "gone", domain: "library")
  _ = outbox.add(mine)
  _ = outbox.add(others)
  outbox.remove("gone", of: SharedPlace.domain)
  #expect(outbox.waiting(of: SharedPlace.domain).isEmpty)
  #expect(outbox.waiting(of: "library") == [others])
}
