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

/// A host moves from a folder to a database and back, with the real programs.
struct ServerMigrationTests {
  @Test func `devices go on at the same address after each move, and lose nothing`() async throws {
    let store = try PostgreSQLServer.shared().database()
    let machine = try TestDevice()
    let first = try await ServerProcess.start(machine)
    let link =
      try await machine.json(
        "server", "invite", "anna", "--url", first.url, "--data", machine.path("server"))["link"]?
      .string ?? ""
    let devices = [try TestDevice(), try TestDevice()]
    let joined = try await devices[0].run("init", "--yes", "--unencrypted", "--join", link)
    try #require(joined.status == 0, "\(joined.error)")
    let pairing = try await devices[0].json("device", "pair")["code"]?.string ?? ""
    let paired = try await devices[1].run(
      "init", "--yes", "--unencrypted", "--device", "phone", "--join", pairing, "--remote",
      "home=\(first.url)")
    try #require(paired.status == 0, "\(paired.error)")
    var codes: [String: String] = [:]
    func edit(_ code: String) async throws {
      for (device, letter) in zip(devices, ["X", "Y"]) {
        let iata = code + letter
        let added = try await device.run("airports", "add", iata, "K\(iata)")
        #expect(added.status == 0, "\(added.error)")
        codes[iata] = "K\(iata)"
      }
    }
    func settle() async throws {
      for device in devices + devices {
        let sync = try await device.run("sync")
        #expect(sync.status == 0, "\(sync.error)")
      }
      for device in devices {
        let found = try await device.codes()
        #expect(found == codes)
      }
    }
    try await edit("AA")
    try await settle()

    let migrate = ["server", "migrate", store, "--data", machine.path("server"), "--json"]
    let early = try await machine.run(migrate + ["--yes"])
    expectFailure(early, 75, "store.busy")
    #expect(try await first.end() == 0)
    expectFailure(try await machine.run(migrate), 64, "usage")
    let moved = try await machine.run(migrate + ["--yes"])
    #expect(moved.status == 0, "\(moved.error)")
    #expect(moved.document["accounts"] == 1)
    // Devices edit while no server is there.
    try await edit("BB")
    let closed = try await machine.run(
      "serve", "--listen", "127.0.0.1:0", "--data", machine.path("server"), "--json")
    expectFailure(closed, 78, "server.moved")
    let address = ["--listen", "127.0.0.1:\(first.port)"]
    let second = try await ServerProcess.start(machine, store: store, address)
    try await settle()
    let list = try await machine.json("token", "list", "--store", store)
    #expect(list["tokens"]?.array?.count == 2)

    #expect(try await second.end() == 0)
    try await edit("CC")
    let back = try await machine.run(
      "server", "migrate", machine.path("new"), "--store", store, "--yes")
    #expect(back.status == 0 && back.error.contains("moved 1 account"), "\(back.error)")
    let third = try await ServerProcess.start(machine, data: "new", address)
    try await settle()
    #expect(try await third.end() == 0)
    let check = try await machine.run("server", "check", "--data", machine.path("new"))
    #expect(check.status == 0, "\(check.error)")

    // The first folder comes back as it was; the devices bring what it lacks.
    let opened = try await machine.run(
      "server", "migrate", "--cancel", "--yes", "--data", machine.path("server"))
    #expect(opened.status == 0, "\(opened.error)")
    let fourth = try await ServerProcess.start(machine, address)
    try await edit("DD")
    try await settle()
    #expect(try await fourth.end() == 0)
  }
}
