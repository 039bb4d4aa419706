import Testing

@Test func `the guide on settings does what it says`() async throws {
  #expect(try await GuideRunner("settings").problems() == [])
}
