import SyncKitFormats
import SQLiteFile
import Testing

/// A domain that is marked as erased, which no device does, and its repair.
struct ErasedHomeTests {
  @Test func `a token for sync erases nothing, and home is never erased`() async throws {
    let host = try await ServerHost()
    let laptop = try await host.device(of: "anna")
    try await laptop.run("airports", "add", "JFK", "KJFK")
    try await laptop.run("sync")
    for (scope, zone, status) in [
      ("sync", "home", 422), ("manage", "home", 422), ("sync", "paul", 403),
      ("manage", "paul", 204),
    ] {
      let made = try await host.machine.json(
        "token", "create", "program", "--scope", scope, "--account", "anna")
      let answer = try await CurlAnswer.ask(
        host.machine, "\(host.url)/v1/domains/airports/zones/\(zone)/erasure",
        token: made["token"]?.string, "--request", "PUT", "--header",
        "Content-Type: application/json", "--data", "{\"confirmations\": []}")
      #expect(answer.status == status, "\(scope) \(zone): \(answer.body)")
      let message = answer.document["error"]?["message"]?.string ?? "."
      #expect(message.hasSuffix("."))
    }
    #expect(try await laptop.run("sync").status == 0)
  }

  @Test func `a server with such a mark removes it at its next start, and is filled again`()
    async throws
  {
    let machine = try TestDevice()
    let (laptop, phone) = (try TestDevice(), try TestDevice())
    var server = try await ServerProcess.start(machine)
    let port = server.port
    func join(_ device: TestDevice) async throws {
      let made = try await machine.json(
        "server", "invite", "anna", "--url", "http://127.0.0.1:\(port)", "--data",
        machine.path("server"))
      let outcome = try await device.run(
        "init", "--yes", "--unencrypted", "--join", made["link"]?.string ?? "")
      #expect(outcome.status == 0, "\(outcome.error)")
    }
    try await join(laptop)
    try await laptop.run("airports", "add", "JFK", "KJFK")
    #expect(try await laptop.run("sync").status == 0)
    // As an older server allowed.
    let file = try Connection(machine.path("server/server.sqlite"))
    try file.run("UPDATE zones SET erased=1 WHERE zone='home'; DELETE FROM segments")
    file.close()
    try await laptop.run("airports", "add", "ZRH", "LSZH")
    let refused = try await laptop.run("sync", "--json", "--domain", "airports")
    #expect(refused.status == 77 && refused.failure["code"] == "remote.erased", "\(refused.error)")
    #expect(refused.failure["hint"]?.string?.contains("when it restarts") == true)
    let told = try await laptop.run("status")
    #expect(told.output.contains("erased"), "\(told.output)")

    try await server.end()
    server = try await ServerProcess.start(machine, ["--listen", "127.0.0.1:\(port)"])
    #expect(try await laptop.run("sync").status == 0)
    try await join(phone)
    #expect(try await phone.run("sync").status == 0)
    #expect(try await phone.codes() == ["JFK": "KJFK", "ZRH": "LSZH"])
    try await server.end()
  }

  @Test func `a folder with such a mark is reported, and repaired as the hint says`() async throws {
    let devices = try await TwoDevices()
    try await devices.first.run("airports", "add", "JFK", "KJFK")
    try await devices.sync()
    let mark = "\(devices.shared)/airports/home/erased-aaaaaaaaaaaaaaaaaaaaaaaaaa"
    try Files.write(Array("cloudsync 1 erased\nkept 00\nend\n".utf8), to: mark)
    try await devices.first.run("airports", "add", "ZRH", "LSZH")
    for device in [devices.first, devices.second] {
      let refused = try await device.run("sync")
      #expect(refused.status == 77, "\(refused.error)")
      #expect(refused.error.contains("delete 'airports/home/erased-*'"), "\(refused.error)")
      // Commands that only read find the same.
      let name = try await device.json("remote", "list")["remotes"]?[0]?["name"]?.string ?? ""
      for words in [["remote", "test", name], ["verify", "--remotes"], ["sync", "-n"]] {
        let looked = try await device.run(words + ["--json"])
        #expect(looked.status == 77, "\(words): \(looked.error)")
        #expect(looked.failure["code"] == "remote.erased", "\(words): \(looked.error)")
      }
      let doctor = try await device.run("doctor")
      #expect(doctor.status != 0 && !doctor.output.contains("would work now"), "\(doctor.output)")
    }
    Files.remove(mark)
    try await devices.sync()
    #expect(try await devices.second.codes() == ["JFK": "KJFK", "ZRH": "LSZH"])
  }

  @Test func `withdrawing a record still erases it from the server`() async throws {
    let host = try await ServerHost()
    let anna = try await host.device(of: "anna")
    let phone = try await host.device(beside: anna, "phone")
    try await anna.run("health", "subject", "add", "Paul")
    #expect(try await anna.run("health", "scope", "Paul", "synced", "--yes").status == 0)
    for device in [anna, phone] { #expect(try await device.run("sync").status == 0) }
    #expect(try await phone.json("health", "subject", "list")["subjects"]?.array?.count == 1)
    #expect(try await anna.run("health", "scope", "Paul", "local", "--yes").status == 0)
    for device in [anna, phone, anna] { #expect(try await device.run("sync").status == 0) }
    #expect(try await phone.json("health", "subject", "list")["subjects"]?.array?.count == 0)
    #expect(try await anna.json("health", "subject", "list")["subjects"]?.array?.count == 1)
  }
}
