import SyncKit
import Testing

@testable import MediaLibrary

@Test func `every root of media has a zone of its own`() {
  #expect(DomainSchema.media["list"]?.placement == .root)
}
