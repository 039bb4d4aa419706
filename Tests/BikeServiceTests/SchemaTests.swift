import SyncKit
import Testing

@testable import BikeService

@Test func `every root of bike has a zone of its own`() {
  #expect(DomainSchema.bike["bike"]?.placement == .root)
}
