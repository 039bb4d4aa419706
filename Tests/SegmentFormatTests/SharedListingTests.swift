import Testing

@testable import SegmentFormat

@Suite struct SharedListings {
  private let start: Int64 = 1_000
  private let top = BlobListing(folders: ["bike"])

  @Test func eachDomainTakesItOnce() {
    var shared = SharedListing()
    #expect(shared.take(for: "airports", now: start) == nil)
    shared.keep(top, of: "airports", now: start)
    for domain in ["bike", "media"] {
      #expect(shared.take(for: domain, now: start)?.folders == top.folders)
      shared.keep(top, of: domain, now: start)
    }
    #expect(shared.take(for: "bike", now: start) == nil)
    // A domain that comes for the second time drops it for all.
    #expect(shared.take(for: "media", now: start) == nil)
  }

  @Test func itIsTakenOnlyWhileItIsFresh() {
    var shared = SharedListing()
    shared.keep(top, of: "airports", now: start)
    #expect(shared.take(for: "bike", now: start + 9_999) != nil)
    shared.keep(top, of: "bike", now: start + 9_999)
    #expect(shared.take(for: "media", now: start + 10_000) == nil)
  }

  @Test func nothingIsTakenOfOneThatChanged() {
    var shared = SharedListing()
    shared.keep(top, of: "airports", now: start)
    shared.forget()
    #expect(shared.take(for: "bike", now: start) == nil)
  }
}
