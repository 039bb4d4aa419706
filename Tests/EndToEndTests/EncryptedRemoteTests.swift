import SyncKitFormats
import Testing

/// Homes whose remotes are encrypted, with the real program.
struct EncryptedRemoteTests {
  private let base: TestDevice
  private let laptop: TestDevice
  private let phone: TestDevice

  init() throws {
    base = try TestDevice()
    laptop = try TestDevice(in: base.home, name: "laptop")
    phone = try TestDevice(in: base.home, name: "phone")
  }

  @Test func `the guide does what it says`() async throws {
    try await GuideRunner("encryption").check()
  }

  /// Sets up both devices on a folder or a file, the phone by a code of the laptop.
  ///
  /// - Returns: The recovery code.
  @discardableResult
  private func setUp(_ place: String) async throws -> String {
    let made = try await laptop.json(
      "init", "--yes", "--device", "laptop", "--encrypted", "--remote", "box=\(place)")
    let recovery = try #require(made["recovery"]?.string)
    let pairing = try await laptop.json("device", "pair")
    let joined = try await phone.json(
      "init", "--yes", "--device", "phone", "--remote", "box=\(place)", "--code",
      pairing["key"]?.string ?? "")
    #expect(joined["recovery"] == .null)
    return recovery
  }

  /// Adds a mapping on the laptop, another one for each number below 27.
  private func add(_ number: UInt8) async throws {
    let letter = Character(UnicodeScalar(64 + number))
    let added = try await laptop.run("airports", "add", "QQ\(letter)", "EQQ\(letter)")
    try #require(added.status == 0, "\(added.error)")
  }

  @Test(arguments: ["file:SHARED", "sqlite:SHARED.sqlite"])
  func `two homes sync over a place that learns nothing`(_ place: String) async throws {
    let shared = base.path("shared")
    try await setUp(place.replacing("SHARED", with: shared))
    try await laptop.run("airports", "add", "QQX", "EQXX")
    try await laptop.run(
      "settings", "put", "canary-setting", "canary-dark", "--namespace", "canary-app")
    try await TestDevice.sync(laptop, phone)
    #expect(try await phone.codes() == ["QQX": "EQXX"])
    try await phone.run("airports", "add", "QQY", "EQYY")
    try await phone.run("airports", "rm", "QQX")
    try await TestDevice.sync(phone, laptop)
    #expect(try await laptop.codes() == ["QQY": "EQYY"])
    #expect(try await laptop.digest() == phone.digest())
    // A quiet run moves nothing.
    for job in try await phone.json("sync")["jobs"]?.array ?? [] {
      #expect(job["pushed"] == 0 && job["pulled"] == 0)
    }
    let words = [
      "canary", "QQX", "EQXX", "airports", "settings", "laptop", "phone", "icao", "mapping",
      try await laptop.json("status")["device"]?["id"]?.string ?? "no id",
    ]
    #expect(try Files.find(words, under: base.home, leavingOut: ["laptop", "phone"]) == [])
  }

  @Test func `removal, verification and compaction work without reading`() async throws {
    try await setUp("file:\(base.path("shared"))")
    for number: UInt8 in 1...12 {
      try await add(number)
      try await TestDevice.sync(laptop)
    }
    try await TestDevice.sync(phone)
    #expect(try await laptop.run("compact").status == 0)
    try await TestDevice.sync(laptop, phone)
    let verified = try await phone.run("verify", "--remotes")
    #expect(verified.status == 0, "\(verified.error)")
    #expect(try await laptop.digest() == phone.digest())
    // A device that comes later gets all of it.
    let tablet = try TestDevice(in: base.home, name: "tablet")
    let key = try await phone.json("device", "pair")["key"]?.string ?? ""
    try await tablet.run(
      "init", "--yes", "--remote", "box=file:\(base.path("shared"))", "--code", key)
    try await TestDevice.sync(tablet, phone)
    #expect(try await tablet.codes().count == 12)
    #expect(try await tablet.digest() == phone.digest())
    let doctor = try await tablet.run("doctor")
    #expect(doctor.status == 0 && doctor.output.contains("writable and encrypted"))
  }

  @Test func `a code opens the vault once, and the recovery code always`() async throws {
    let place = "box=file:\(base.path("shared"))"
    let recovery = try await setUp("file:\(base.path("shared"))")
    try await laptop.run("airports", "add", "JFK", "KJFK")
    try await TestDevice.sync(laptop)
    let used = try await laptop.json("device", "pair")["key"]?.string ?? ""
    let tablet = try TestDevice(in: base.home, name: "tablet")
    #expect(try await tablet.run("init", "--yes", "--remote", place, "--code", used).status == 0)
    let attic = try TestDevice(in: base.home, name: "attic")
    let again = try await attic.run("init", "--yes", "--remote", place, "--code", used, "--json")
    #expect(again.status == 77 && again.failure["code"] == "crypto.wrong-code")
    let slip = try await attic.run(
      "init", "--yes", "--remote", place, "--code", String(recovery.dropLast()) + "7", "--json")
    #expect(slip.status == 64)
    // Without a code it is not set up, neither encrypted nor plain.
    let none = try await attic.run("init", "--yes", "--remote", place, "--json")
    #expect(none.status == 77 && none.failure["code"] == "crypto.no-keys")
    #expect(
      try await attic.json("init", "--yes", "--remote", place, "--code", recovery)["recovery"]
        == .null)
    try await TestDevice.sync(attic)
    #expect(try await attic.codes() == ["JFK": "KJFK"])
  }

  @Test func `one recovery code opens every remote`() async throws {
    let recovery = try await setUp("file:\(base.path("shared"))")
    let added = try await laptop.json(
      "remote", "add", "copy", "sqlite:\(base.path("copy.sqlite"))", "--encrypted")
    #expect(added["recovery"] == .null)
    try await laptop.run("airports", "add", "JFK", "KJFK")
    try await TestDevice.sync(laptop)
    let attic = try TestDevice(in: base.home, name: "attic")
    let joined = try await attic.run(
      "init", "--yes", "--remote", "copy=sqlite:\(base.path("copy.sqlite"))", "--code", recovery)
    #expect(joined.status == 0, "\(joined.error)")
    try await TestDevice.sync(attic)
    #expect(try await attic.codes() == ["JFK": "KJFK"])
    let remotes = try await laptop.json("remote", "list")["remotes"]?.array ?? []
    #expect(remotes.map { $0["encrypted"] } == [true, true])
  }

  @Test func `two homes pair and sync over a server that has no keys`() async throws {
    let host = try await ServerHost()
    let link = try await host.invite("anna")
    let made = try await laptop.json(
      "init", "--yes", "--device", "laptop", "--encrypted", "--join", link)
    #expect(made["recovery"]?.string != nil)
    let pairing = try await laptop.json("device", "pair")
    #expect(pairing["link"]?.string?.hasSuffix("&key=\(pairing["key"]?.string ?? "")") == true)
    let joined = try await phone.run(
      "init", "--yes", "--device", "phone", "--join", pairing["link"]?.string ?? "")
    #expect(joined.status == 0, "\(joined.error)")
    try await laptop.run("bike", "add", "canary-bike", "name=Canary")
    for number: UInt8 in 1...9 {
      try await add(number)
      try await TestDevice.sync(laptop)
    }
    try await TestDevice.sync(phone)
    try await phone.run("bike", "rm", "canary-bike")
    try await TestDevice.sync(phone, laptop)
    #expect(try await laptop.digest() == phone.digest())
    #expect(try await laptop.run("compact").status == 0)
    try await TestDevice.sync(laptop, phone)
    #expect(try await laptop.digest() == phone.digest())
    #expect(try await phone.run("verify", "--remotes").status == 0)
    #expect(try await host.process.stop() == 0)
    #expect(
      try Files.find(["canary", "Canary", "EQQA", "airports"], under: host.machine.home) == [])
  }

  @Test func `a document is not encrypted, and is refused`() async throws {
    try await setUp("file:\(base.path("shared"))")
    let converted = try await laptop.run("media", "convert-layout", "document", "--json")
    #expect(converted.status == 78 && converted.failure["code"] == "remote.layout")
    try await TestDevice.sync(laptop, phone)
  }

  @Test func `a device with keys puts nothing plain beside a vault`() async throws {
    try await setUp("file:\(base.path("shared"))")
    try await laptop.run("airports", "add", "QQX", "EQXX")
    try await TestDevice.sync(laptop)
    // Someone takes the word out of the configuration; what is there stays what it is.
    try await laptop.run("config", "set", "remotes.box.encrypted", "false")
    let plain = try await laptop.run("sync", "--json")
    #expect(plain.status == 77 && plain.failure["code"] == "crypto.turned-off")
    #expect(try Files.find(["EQXX", "airports"], under: base.path("shared")) == [])
  }
}
