import SyncKit
import Testing

@testable import Settings

@Test func `every root of settings has a zone of its own`() {
  #expect(DomainSchema.settings["namespace"]?.placement == .root)
}
