import Testing

/// The guide for riders.
struct BikeGuideTests {
  @Test func `the guide does what it says`() async throws {
    let problems = try await GuideRunner("bike").problems()
    #expect(problems == [], "\(problems.joined(separator: "\n"))")
  }
}
