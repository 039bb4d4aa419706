import Testing

/// The guide for pilots.
struct AirportsGuideTests {
  @Test func `the guide does what it says`() async throws {
    try await GuideRunner("airports").check()
  }
}
