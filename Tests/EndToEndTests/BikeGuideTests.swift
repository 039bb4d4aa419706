import Testing

/// The guide for riders.
struct BikeGuideTests {
  @Test func `the guide does what it says`() async throws {
    #expect(try await GuideRunner("bike").problems() == [])
  }
}
