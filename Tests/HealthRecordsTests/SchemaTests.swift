import SyncKit
import Testing

@testable import HealthRecords

@Test func `every root of health has a zone of its own`() {
  #expect(DomainSchema.health["subject"]?.placement == .root)
}
