import Testing

/// The guide for riders.
struct BikeGuideTests {
  @Test func `the guide does what it says`() async throws {
    try await GuideRunner("bike").check()
  }
}
