import RealPlaces
import Testing

/// Homes that meet in a real bucket, with the real program.
struct S3StoryTests {
  private let meeting: MeetingPlace

  init() throws { meeting = try MeetingPlace() }

  private func options(
    access: String, secret: String, region: String = "us-east-1"
  ) throws -> [String] {
    [
      "--set", "access-key=\(access)", "--set", "region=\(region)",
      "--set", "secret-key.file=\(try meeting.secretFile(secret))",
    ]
  }

  @Test func `a bucket above a folder is all that two devices need`() async throws {
    let server = try RcloneS3()
    defer { server.process.stop() }
    try await meeting.twoDevicesMeet(
      at: "s3:\(server.address)/\(MotoServer.bucket)/my/sync",
      options(access: RcloneS3.accessKey, secret: RcloneS3.secretKey),
      in: server.folder, secret: RcloneS3.secretKey)
  }

  @Test func `a bucket with old versions and a lock is told of`() async throws {
    let server = try MotoServer()
    defer { server.process.stop() }
    let options = try options(access: server.accessKey, secret: server.secretKey)
    try await meeting.twoDevicesMeet(
      at: "s3:\(server.address)/\(MotoServer.lockedBucket)", options, secret: server.secretKey)
    let trial = try await meeting.laptop.run("remote", "test", "cloud")
    #expect(trial.status == 0, "\(trial.error)")
    #expect((trial.output + trial.error).contains("old versions"))
  }

  @Test func `what goes wrong has a name and a remedy`() async throws {
    let server = try MotoServer()
    let laptop = meeting.laptop
    func initialise(_ bucket: String, _ options: [String]) async throws -> CommandRunner.Outcome {
      try await laptop.run(
        ["init", "--yes", "--remote", "cloud=s3:\(server.address)/\(bucket)"] + options)
    }
    let right = try options(access: server.accessKey, secret: server.secretKey)
    let wrong = try await initialise(
      MotoServer.bucket, options(access: server.accessKey, secret: "wrong"))
    #expect(wrong.status == 77, "\(wrong.error)")
    let missing = try await initialise("no-such-bucket", right)
    #expect(missing.status == 69, "\(missing.error)")
    #expect(missing.error.contains("no-such-bucket"))
    let keyless = try await initialise(
      MotoServer.bucket, ["--set", "access-key=\(server.accessKey)"])
    #expect(keyless.status == 77, "\(keyless.error)")
    #expect(keyless.error.contains("secret-key.file"))
    #expect(Files.names(in: laptop.path(".config/cloudsync")).isEmpty)
    let done = try await initialise(MotoServer.bucket, right)
    #expect(done.status == 0, "\(done.error)")
    try await laptop.run("airports", "add", "QQX", "EQXX")
    server.process.stop()
    let gone = try await laptop.run("sync")
    #expect(gone.status == 69, "\(gone.error)")
    #expect(try await laptop.codes() == ["QQX": "EQXX"])
  }
}
