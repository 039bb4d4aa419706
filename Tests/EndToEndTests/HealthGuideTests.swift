import Testing

/// The guide on health records.
struct HealthGuideTests {
  @Test func `the guide does what it says`() async throws {
    try await GuideRunner("health").check()
  }
}
