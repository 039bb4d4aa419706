import Testing

@testable import CloudSyncCommands

/// Which programs are taken for an rclone that is new enough.
struct RcloneVersionTests {
  @Test(arguments: [
    ("rclone v1.60.1-DEV\n- os/version: debian 12.9 (64 bit)\n", true),
    ("rclone 1.60.0\n- os/version: fedora 37 (64 bit)\n", true),
    ("rclone v1.56.0\n", true), ("rclone v2.0.0\n", true), ("rclone v1.55.1\n", false),
    ("rclone 1.9\n", false), ("rclone\n", false), ("rsync  version 3.2.7\n", false), ("", false),
  ])
  func `a version is read with and without its v`(text: String, isNewEnough: Bool) {
    #expect(RcloneServer.isNewEnough(text) == isNewEnough)
  }
}
