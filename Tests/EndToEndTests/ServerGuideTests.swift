import Testing

/// The guides on devices and remotes, with a real server where they use one.
struct ServerGuideTests {
  @Test(arguments: [
    "pairing", "sharing", "with-and-without-a-server", "unattended", "moving",
  ])
  func `the guide does what it says`(guide: String) async throws {
    try await GuideRunner(guide).check()
  }
}
