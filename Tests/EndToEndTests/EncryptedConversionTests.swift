import SyncKitFormats
import Testing

/// A remote that is in use and becomes encrypted, with the real program.
struct EncryptedConversionTests {
  private let base: TestDevice
  private let laptop: TestDevice
  private let phone: TestDevice
  /// Must not appear anywhere on the place once it is encrypted.
  ///
  /// Each has four letters at least: sealed bytes are random, and three stand somewhere in a few hundred thousand.
  private let canaries = [
    "canary", "EQQA", "EQQB", "airports", "settings", "laptop", "phone",
  ]

  init() throws {
    base = try TestDevice()
    laptop = try TestDevice(in: base.home, name: "laptop")
    phone = try TestDevice(in: base.home, name: "phone")
  }

  private func setUp(_ place: String) async throws {
    for (device, name) in [(laptop, "laptop"), (phone, "phone")] {
      let made = try await device.run(
        "init", "--yes", "--device", name, "--unencrypted", "--remote", "box=\(place)")
      try #require(made.status == 0, "\(made.error)")
    }
    try await add("QQA", on: laptop)
    try await laptop.run(
      "settings", "put", "canary-setting", "canary-dark", "--namespace", "canary-app")
    try await TestDevice.sync(laptop, phone)
    try await add("QQB", on: phone)
    try await TestDevice.sync(phone, laptop)
  }

  private func add(_ code: String, on device: TestDevice) async throws {
    let added = try await device.run("airports", "add", code, "E\(code)")
    try #require(added.status == 0, "\(added.error)")
  }

  /// Joins the phone to what the laptop has encrypted.
  private func join() async throws {
    let key = try await laptop.json("device", "pair")["key"]?.string ?? ""
    let joined = try await phone.run("vault", "encrypt", "box", "--code", key)
    try #require(joined.status == 0, "\(joined.error)")
  }

  private func found(_ words: [String]) throws -> [String] {
    try Files.find(words, under: base.home, leavingOut: ["laptop", "phone", "late", "early"])
  }

  private func expectNothingPlain(_ place: SourceLocation = #_sourceLocation) throws {
    let plain = try found(canaries)
    #expect(plain == [], sourceLocation: place)
  }

  @Test(arguments: ["file:SHARED", "sqlite:SHARED.sqlite"])
  func `a place in use is encrypted, and nothing stays in plain`(_ place: String) async throws {
    try await setUp(place.replacing("SHARED", with: base.path("shared")))
    #expect(try found(canaries).contains("airports"))
    // An edit that the phone has not sent yet.
    try await add("QQC", on: phone)
    let look = try await laptop.json("vault", "encrypt", "--dry-run")
    let made = try await laptop.json("vault", "encrypt", "box")
    #expect(made["recovery"]?.string != nil && made["remote"] == "box" && look["recovery"] == .null)
    #expect(look["dryRun"] == true && look["domains"] == made["domains"])
    for domain in made["domains"]?.array ?? [] {
      #expect(domain["left"] == 0)
      if domain["domain"] == "airports" { #expect(domain["removed"]?.int ?? 0 >= 2) }
    }
    try expectNothingPlain()
    let refused = try await phone.run("sync", "--json")
    #expect(refused.status == 77, "\(refused.error)")
    #expect(refused.error.contains("cloudsync vault encrypt box --code"), "\(refused.error)")
    try expectNothingPlain()
    try await join()
    try await TestDevice.sync(phone, laptop)
    let codes = ["QQA": "EQQA", "QQB": "EQQB", "QQC": "EQQC"]
    #expect(try await laptop.codes() == codes)
    #expect(try await phone.codes() == codes)
    #expect(try await laptop.digest() == phone.digest())
    for device in [phone, laptop] {
      for job in try await device.json("sync")["jobs"]?.array ?? [] {
        #expect(job["pushed"] == 0 && job["pulled"] == 0)
      }
      let doctor = try await device.run("doctor")
      #expect(doctor.status == 0 && doctor.output.contains("writable and encrypted"))
    }
    // Again, there is nothing to do.
    let again = try await laptop.json("vault", "encrypt", "box")
    #expect(again["recovery"] == .null)
    for domain in again["domains"]?.array ?? [] { #expect(domain["removed"] == 0) }
    try expectNothingPlain()
  }

  @Test func `what a drive brings in plain afterwards is taken in and removed`() async throws {
    let (shared, late) = (base.path("shared"), base.path("late"))
    try await setUp("file:\(shared)")
    // The phone's copy of the folder is behind.
    try Files.merge(shared, into: late)
    let moved = try await phone.run("config", "set", "remotes.box.path", late)
    try #require(moved.status == 0, "\(moved.error)")
    _ = try await laptop.json("vault", "encrypt", "box")
    try await add("QQC", on: phone)
    try await TestDevice.sync(phone)
    try Files.merge(late, into: shared)
    #expect(try found(["airports"]) == ["airports"])
    // A sync goes on and does not touch it.
    try await TestDevice.sync(laptop)
    #expect(try await laptop.codes().count == 2)
    let doctor = try await laptop.run("doctor")
    #expect(doctor.output.contains("there in plain too"), "\(doctor.output)")
    // Somebody else may have put them there.
    let asked = try await laptop.run("vault", "encrypt", "box", "--json")
    #expect(asked.status == 64 && asked.error.contains("--yes"), "\(asked.error)")
    #expect(try found(["airports"]) == ["airports"])
    #expect(try await laptop.codes().count == 2)
    let again = try await laptop.json("vault", "encrypt", "box", "--yes")
    let airports = again["domains"]?.array?.first { $0["domain"] == "airports" }
    #expect(airports?["removed"]?.int ?? 0 > 0)
    try expectNothingPlain()
    #expect(try await laptop.codes() == ["QQA": "EQQA", "QQB": "EQQB", "QQC": "EQQC"])
    try await phone.run("config", "set", "remotes.box.path", shared)
    try await join()
    try await TestDevice.sync(phone, laptop)
    #expect(try await laptop.digest() == phone.digest())
  }

  @Test func `what cannot be read here keeps a place from being encrypted`() async throws {
    let shared = base.path("shared")
    try await setUp("file:\(shared)")
    try await add("QQC", on: phone)
    try await TestDevice.sync(phone)
    // The drive has brought half of the phone's file.
    let folder = "\(shared)/airports"
    let series = Files.names(in: folder).flatMap { zone in
      Files.names(in: "\(folder)/\(zone)").map { "\(folder)/\(zone)/\($0)" }
    }
    let newest = series.flatMap { path in Files.names(in: path).map { "\(path)/\($0)" } }
    let before = try await laptop.json("airports", "list")
    for path in newest {
      let bytes = try Files.read(path)
      try Files.write(Array(bytes.prefix(bytes.count / 2)), to: path)
    }
    let refused = try await laptop.run("vault", "encrypt", "box", "--json")
    #expect(refused.status != 0, "\(refused.output)")
    #expect(try await laptop.json("airports", "list") == before)
    #expect(try await laptop.json("remote", "list")["remotes"]?[0]?["encrypted"] == false)
    #expect(!Files.names(in: shared).contains("vault-keys"))
  }

  @Test func `a place that this device does not sync all of is left as it is`() async throws {
    let place = "file:\(base.path("shared"))"
    try await setUp(place)
    let tablet = try TestDevice(in: base.home, name: "tablet")
    try await tablet.run(
      "init", "--yes", "--unencrypted", "--remote", "box=\(place)", "--domains", "settings")
    try await TestDevice.sync(tablet)
    let refused = try await tablet.run("vault", "encrypt", "box", "--json")
    #expect(refused.status == 64, "\(refused.error)")
    #expect(refused.error.contains("airports"))
    let none = try await tablet.run("vault", "encrypt", "attic", "--json")
    #expect(none.status == 64)
    try await TestDevice.sync(tablet, laptop)
    #expect(try await laptop.json("remote", "list")["remotes"]?[0]?["encrypted"] == false)
  }

  @Test func `the other remote of a device stays as it is`() async throws {
    try await setUp("file:\(base.path("shared"))")
    let second = "file:\(base.path("early"))"
    let added = try await laptop.run(
      "remote", "add", "usb", second, "--unencrypted", "--domains", "all")
    try #require(added.status == 0, "\(added.error)")
    try await TestDevice.sync(laptop)
    let which = try await laptop.run("vault", "encrypt", "--json")
    #expect(which.status == 64 && which.error.contains("box, usb"), "\(which.error)")
    _ = try await laptop.json("vault", "encrypt", "box")
    try await add("QQC", on: laptop)
    try await TestDevice.sync(laptop)
    try expectNothingPlain()
    #expect(try Files.find(["airports"], under: base.path("early")) == ["airports"])
    try await join()
    try await TestDevice.sync(phone)
    #expect(try await phone.codes().count == 3)
    // Its keys are there already: the second one takes no other code.
    let next = try await laptop.json("vault", "encrypt")
    #expect(next["remote"] == "usb" && next["recovery"] == .null)
    #expect(try Files.find(canaries, under: base.path("early")) == [])
  }

  @Test func `encryption that is turned on by hand sends everything again`() async throws {
    try await setUp("sqlite:\(base.path("shared.sqlite"))")
    let keys = try await laptop.run(
      "remote", "add", "usb", "file:\(base.path("early"))", "--domains", "all")
    try #require(keys.status == 0, "\(keys.error)")
    try await TestDevice.sync(laptop)
    try await laptop.run("config", "set", "remotes.box.encrypted", "true")
    let jobs = try await laptop.json("sync")["jobs"]?.array ?? []
    let job = jobs.first { $0["remote"] == "box" && $0["domain"] == "airports" }
    #expect(job?["pushed"] == 2)
    #expect(try await laptop.run("doctor").output.contains("there in plain too"))
    // Until now this device trusted what lies there.
    _ = try await laptop.json("vault", "encrypt", "box")
    try expectNothingPlain()
  }

  @Test func `what is local here is left to the device that syncs it`() async throws {
    try await setUp("file:\(base.path("shared"))")
    try await laptop.run("settings", "put", "mine", "here", "--namespace", "both")
    let scope = try await laptop.run("settings", "scope", "namespace/both", "local")
    try #require(scope.status == 0, "\(scope.error)")
    try await phone.run("settings", "put", "theirs", "canary-phone", "--namespace", "both")
    try await TestDevice.sync(phone, laptop)
    let made = try await laptop.run("vault", "encrypt", "box")
    #expect(made.status == 0, "\(made.error)")
    #expect(made.error.contains("settings: left 1 segment in plain on box"), "\(made.error)")
    let again = try await laptop.json("vault", "encrypt", "box")
    let settings = again["domains"]?.array?.first { $0["domain"] == "settings" }
    #expect(settings?["left"] == 1 && settings?["removed"] == 0)
    #expect(try found(["airports", "settings"]) == ["settings"])
    try await join()
    try expectNothingPlain()
    let tablet = try TestDevice(in: base.home, name: "tablet")
    let key = try await laptop.json("device", "pair")["key"]?.string ?? ""
    try await tablet.run(
      "init", "--yes", "--remote", "box=file:\(base.path("shared"))", "--code", key)
    try await TestDevice.sync(phone, tablet)
    #expect(try await tablet.run("settings", "list").output.contains("canary-phone"))
  }
}
