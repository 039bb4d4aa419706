import Testing

/// The guides on devices and what lies between them, with a real server where they have one.
struct ServerGuideTests {
  @Test(arguments: [
    "pairing", "sharing", "with-and-without-a-server", "unattended", "moving",
  ])
  func `the guide does what it says`(guide: String) async throws {
    try await GuideRunner(guide).check()
  }
}
