import Testing

/// The guide for hosts of a server does not go stale.
struct HostingGuideTests {
  @Test func `the guide does what it says`() async throws {
    try await GuideRunner("hosting").check()
  }
}
