import Testing

@Test func `the guide on settings does what it says`() async throws {
  try await GuideRunner("settings").check()
}
