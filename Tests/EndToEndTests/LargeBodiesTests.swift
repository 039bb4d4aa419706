import RealPlaces
import SyncKitFormats
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A server that keeps bodies in a real bucket, with the real programs on both sides.
struct LargeBodiesTests {
  /// A machine whose keys for the service are where the AWS tools keep them.
  private static func machine(secretKey: String = RcloneS3.secretKey) throws -> TestDevice {
    let machine = try TestDevice()
    mkdir(machine.path(".aws"), 0o700)
    let keys =
      "[default]\naws_access_key_id = \(RcloneS3.accessKey)\naws_secret_access_key = \(secretKey)\n"
    try Files.write(
      Array(keys.utf8), to: machine.path(".aws/credentials"))
    return machine
  }

  /// The files of the bucket that are bodies.
  private static func bodies(_ place: RcloneS3) throws -> [String] {
    try #require(ServedFolder("\(place.folder)/\(MotoServer.bucket)")).files
      .filter { !$0.hasSuffix("/bucket") }
  }

  @Test func `two devices meet at a server with a bucket, through kills and the end of an account`()
    async throws
  {
    let place = try RcloneS3()
    defer { place.process.stop() }
    let machine = try Self.machine()
    let bucket = ["--blobs", "s3:\(place.address)/\(MotoServer.bucket)/club"]
    let all = bucket + ["--blobs-from", "0"]
    let first = try await ServerProcess.start(machine, all)
    let link =
      try await machine.json(
        "server", "invite", "anna", "--url", first.url, "--data", machine.path("server"))["link"]?
      .string ?? ""
    let laptop = try TestDevice()
    let joined = try await laptop.run("init", "--yes", "--unencrypted", "--join", link)
    #expect(joined.status == 0, "\(joined.error)")
    try await laptop.run("airports", "add", "JFK", "KJFK")
    #expect(try await laptop.run("sync").status == 0)
    #expect(try !Self.bodies(place).isEmpty)
    let pairing = try await laptop.json("device", "pair")["code"]?.string ?? ""
    try await first.end(SIGKILL)
    let second = try await ServerProcess.start(
      machine, all + ["--listen", "127.0.0.1:\(first.port)"])
    let phone = try TestDevice()
    let paired = try await phone.run(
      "init", "--yes", "--unencrypted", "--device", "phone", "--join", pairing, "--remote",
      "home=\(second.url)")
    #expect(paired.status == 0, "\(paired.error)")
    let pulled = try await phone.run("sync")
    #expect(pulled.status == 0, "\(pulled.error) \(second.log)")
    #expect(try await phone.codes() == ["JFK": "KJFK"])

    let data = ["--data", machine.path("server")]
    let check = try await machine.json(["server", "check", "--orphans"] + data + bucket)
    #expect(check["problems"]?.array == [] && check["orphans"]?.array == [])
    #expect(check["segments"]?.int ?? 0 > 0)
    let blind = try await machine.run(["server", "check", "--json"] + data)
    #expect(blind.status == 78 && blind.error.contains("bucket"), "\(blind.error)")
    let copy = try await machine.run(["server", "backup", machine.path("copy")] + data + bucket)
    #expect(copy.status == 0 && copy.error.contains("the copy lacks"), "\(copy.error)")

    // What a command removes beside the server goes from the bucket.
    let removed = try await machine.run(
      ["server", "account", "remove", "anna", "--export", machine.path("anna"), "--yes"] + data
        + bucket)
    #expect(removed.status == 0, "\(removed.error)")
    for _ in 0..<200 where try !Self.bodies(place).isEmpty {
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(try Self.bodies(place).isEmpty)
    #expect(
      try await CurlAnswer.ask(machine, "\(second.url)/readyz").document["bucket"] == "in reach")
    #expect(try await second.end() == 0, "\(second.log)")
  }

  @Test
  func `bodies stay in the bucket when a host moves the rest, and when the move is cancelled`()
    async throws
  {
    let place = try RcloneS3()
    defer { place.process.stop() }
    let machine = try Self.machine()
    let bucket = ["--blobs", "s3:\(place.address)/\(MotoServer.bucket)/club"]
    let all = bucket + ["--blobs-from", "0"]
    let first = try await ServerProcess.start(machine, all)
    let old = ["--data", machine.path("server")]
    let new = ["--data", machine.path("new")]
    let link =
      try await machine.json(["server", "invite", "anna", "--url", first.url] + old)["link"]?
      .string ?? ""
    let laptop = try TestDevice()
    let joined = try await laptop.run("init", "--yes", "--unencrypted", "--join", link)
    #expect(joined.status == 0, "\(joined.error)")
    try await laptop.run("airports", "add", "JFK", "KJFK")
    #expect(try await laptop.run("sync").status == 0)
    #expect(try !Self.bodies(place).isEmpty)
    #expect(try await first.end() == 0, "\(first.log)")

    let moved = try await machine.run(["server", "migrate", machine.path("new"), "--yes"] + old)
    #expect(moved.status == 0, "\(moved.error)")
    let address = ["--listen", "127.0.0.1:\(first.port)"]
    for wrong in [[], ["--blobs", "s3:\(place.address)/\(MotoServer.otherBucket)/club"]] {
      let refused = try await machine.run(["serve", "--json"] + address + new + wrong)
      expectFailure(refused, 78, "config.invalid")
      #expect(refused.failure["hint"]?.string?.contains("--blobs") == true, "\(refused.error)")
    }
    let shown = try await machine.json(["server", "bucket"] + new)
    #expect(shown["bucket"]?.string == "s3:\(place.address)/\(MotoServer.bucket)/club")
    #expect(shown["bodies"]?.int ?? 0 > 0 && shown["replaced"] == false)
    let elsewhere = try await machine.run(
      ["server", "bucket", "--replace", "--json"] + new
        + ["--blobs", "s3:\(place.address)/\(MotoServer.otherBucket)/club"])
    expectFailure(elsewhere, 78, "config.invalid")
    let second = try await ServerProcess.start(machine, data: "new", all + address)
    let pairing = try await laptop.json("device", "pair")["code"]?.string ?? ""
    let phone = try TestDevice()
    let paired = try await phone.run(
      "init", "--yes", "--unencrypted", "--device", "phone", "--join", pairing, "--remote",
      "home=\(second.url)")
    #expect(paired.status == 0, "\(paired.error)")
    #expect(try await phone.run("sync").status == 0, "\(second.log)")
    #expect(try await phone.codes() == ["JFK": "KJFK"])
    try await phone.run("airports", "add", "ZRH", "LSZH")
    #expect(try await phone.run("sync").status == 0)
    #expect(try await second.end() == 0, "\(second.log)")

    // The old place knows nothing of the phone; what it has is still in the bucket.
    let opened = try await machine.run(["server", "migrate", "--cancel", "--yes"] + old)
    #expect(opened.status == 0 && opened.error.contains("--remove-damaged"), "\(opened.error)")
    let check = try await machine.run(
      ["server", "check", "--remove-damaged", "--json"] + old + bucket)
    #expect(check.status == 0, "\(check.error)")
    let third = try await ServerProcess.start(machine, all + address)
    let sync = try await laptop.run("sync")
    #expect(sync.status == 0, "\(sync.error) \(third.log)")
    #expect(try await laptop.codes()["JFK"] == "KJFK")
    #expect(try await third.end() == 0, "\(third.log)")
  }

  @Test func `a bucket that goes away stops nothing but large bodies`() async throws {
    let place = try RcloneS3()
    let machine = try Self.machine()
    let server = try await ServerProcess.start(
      machine,
      ["--blobs", "s3:\(place.address)/\(MotoServer.bucket)", "--blobs-from", "2000"])
    let link =
      try await machine.json(
        "server", "invite", "anna", "--url", server.url, "--data", machine.path("server"))["link"]?
      .string ?? ""
    let laptop = try TestDevice()
    let joined = try await laptop.run("init", "--yes", "--unencrypted", "--join", link)
    #expect(joined.status == 0, "\(joined.error)")
    place.process.stop()
    try await laptop.run("airports", "add", "JFK", "KJFK")
    let small = try await laptop.run("sync")
    #expect(small.status == 0, "\(small.error)")
    #expect(try await CurlAnswer.ask(machine, "\(server.url)/readyz").status == 200)
    #expect(try await server.end() == 0, "\(server.log)")
    // Without the service there is no start.
    let away = try await machine.run(
      "serve", "--listen", "127.0.0.1:0", "--data", machine.path("server"), "--blobs",
      "s3:\(place.address)/\(MotoServer.bucket)", "--json")
    #expect(away.status == 69, "\(away.error)")
  }

  @Test func `what is wrong with a bucket is said before anyone connects`() async throws {
    let place = try RcloneS3()
    defer { place.process.stop() }
    func serve(_ machine: TestDevice, _ bucket: String) async throws -> CommandRunner.Outcome {
      try await machine.run(
        "serve", "--listen", "127.0.0.1:0", "--data", machine.path("server"), "--blobs", bucket,
        "--json")
    }
    let right = "s3:\(place.address)/\(MotoServer.bucket)"
    let denied = try await serve(Self.machine(secretKey: "another"), right)
    #expect(denied.status == 77, "\(denied.error)")
    let machine = try Self.machine()
    let missing = try await serve(machine, "s3:\(place.address)/cloudsync-nowhere")
    #expect(missing.status == 69, "\(missing.error)")
    for text in [
      "s3://AKIAKEY:hush@bucket/club", "s3:https://AKIAKEY:hush@s3.example.org/bucket",
      "s3://bucket/club?secret=hush",
    ] {
      let secret = try await serve(machine, text)
      #expect(secret.status == 64 && !secret.error.contains("hush"), "\(secret.error)")
    }
    #expect(try await serve(machine, "postgres://bucket").status == 64)
  }
}
