import SegmentFormat
import SyncKitTesting
import Testing

@testable import SyncKitEngine
@testable import SyncKitModel
@testable import SyncKitStore

@Suite struct SnapshotCoversTests {
  /// A place that holds some segments.
  private struct Shelf {
    var segments: [Segment]

    var references: [SegmentReference] {
      segments.enumerated().map { SegmentReference($0.element, location: "\($0.offset)") }
    }

    func covers() throws -> SnapshotCovers {
      try SnapshotCovers(references, of: "books", DeflateSegmentCoding()) { reference in
        Int(reference.location).map { segments[$0] }
      }
    }
  }

  private func reference(_ outbound: OutboundSegment) -> SegmentReference {
    SegmentReference(outbound.segment)
  }

  @Test func `half a snapshot, another branch and what comes later are not covered`() async throws {
    let sample = try await SnapshotSample(of: "books")
    let parts = sample.parts.map(\.segment)
    #expect(parts.count > 1)
    let covered = try #require(sample.covered.last.map(reference))
    let whole = try Shelf(segments: parts).covers()
    #expect(sample.covered.allSatisfy { whole.isCovered(reference($0)) })
    #expect(!sample.later.contains { whole.isCovered(reference($0)) })
    #expect(!sample.parts.contains { whole.isCovered(reference($0)) }, "it would remove itself")
    for missing in parts.indices {
      var rest = parts
      rest.remove(at: missing)
      let half = try Shelf(segments: rest).covers()
      #expect(!half.isCovered(covered), "without part \(missing) it is enough")
    }
    var branch = covered
    branch.head = ContentHash(high: 1, low: 1)
    #expect(!whole.isCovered(branch))
    var elsewhere = covered
    elsewhere.zone = "elsewhere"
    #expect(!whole.isCovered(elsewhere))
    var other = covered
    other.series = ReplicaID(high: 1, low: 1)
    #expect(!whole.isCovered(other))
  }

  @Test func `an older snapshot is covered by a newer one that is whole, and not the other way`()
    async throws
  {
    let sample = try await SnapshotSample(of: "books")
    let (old, new) = (sample.earlier.map(\.segment), sample.parts.map(\.segment))
    let both = try Shelf(segments: old + new).covers()
    #expect(sample.earlier.allSatisfy { both.isCovered(reference($0)) })
    #expect(!sample.parts.contains { both.isCovered(reference($0)) })
    let half = try Shelf(segments: old + new.dropLast()).covers()
    #expect(!sample.earlier.contains { half.isCovered(reference($0)) })
    // Of the older one its head is enough, so that the rest of a removal that was cut off can go.
    let rest = try Shelf(segments: old.prefix(1) + new).covers()
    #expect(old.first.map { rest.isCovered(SegmentReference($0)) } == true)
  }

  @Test func `a snapshot of another domain or under another name stands for nothing`() async throws
  {
    let sample = try await SnapshotSample(of: "others")
    let covers = try Shelf(segments: sample.parts.map(\.segment)).covers()
    #expect(!sample.covered.contains { covers.isCovered(reference($0)) })
  }

  @Test func `a damaged part makes a snapshot stand for nothing`() async throws {
    let sample = try await SnapshotSample(of: "books")
    let parts = sample.parts.map(\.segment)
    let shelf = Shelf(segments: parts)
    // The outlines are in the second part; those behind hold only records, which no test reads here.
    for damaged in 0...1 {
      let covers = try SnapshotCovers(shelf.references, of: "books", DeflateSegmentCoding()) {
        Int($0.location).flatMap { $0 == damaged ? nil : parts[$0] }
      }
      #expect(!sample.covered.contains { covers.isCovered(reference($0)) }, "part \(damaged)")
    }
  }
}
