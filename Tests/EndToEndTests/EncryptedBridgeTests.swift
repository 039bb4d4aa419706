import SyncKitFormats
import Testing

/// A box with two encrypted remotes carries everything from one to the other, statements too.
struct EncryptedBridgeTests {
  private let base: TestDevice
  private let laptop: TestDevice
  private let box: TestDevice
  private let phone: TestDevice
  private let recovery: String

  init() async throws {
    base = try TestDevice()
    laptop = try TestDevice(in: base.home, name: "laptop")
    box = try TestDevice(in: base.home, name: "box")
    phone = try TestDevice(in: base.home, name: "phone")
    let made = try await laptop.json(
      "init", "--yes", "--device", "laptop", "--remote", "folder=file:\(base.path("shared"))")
    recovery = try #require(made["recovery"]?.string)
    try await join(box, "box", "folder=file:\(base.path("shared"))")
    let added = try await box.run(
      "remote", "add", "file", "sqlite:\(base.path("shared.sqlite"))", "--encrypted")
    try #require(added.status == 0, "\(added.error)")
    try await sync(box)
    try await join(phone, "phone", "file=sqlite:\(base.path("shared.sqlite"))")
  }

  private func join(_ device: TestDevice, _ name: String, _ place: String) async throws {
    let joined = try await device.run(
      "init", "--yes", "--device", name, "--remote", place, "--code", recovery)
    try #require(joined.status == 0, "\(joined.error)")
  }

  private func sync(_ devices: TestDevice...) async throws {
    for device in devices {
      let run = try await device.run("sync")
      try #require(run.status == 0, "\(run.error)")
    }
  }

  @Test func `edits go over both remotes in both directions`() async throws {
    try await laptop.run("airports", "add", "QQA", "EQQA")
    try await sync(laptop, box, phone)
    #expect(try await phone.codes() == ["QQA": "EQQA"])
    try await phone.run("airports", "add", "QQB", "EQQB")
    try await sync(phone, box, laptop)
    #expect(try await laptop.codes() == ["QQA": "EQQA", "QQB": "EQQB"])
    #expect(try await laptop.digest() == phone.digest())
    #expect(
      try Files.find(["EQQA", "airports", "phone"], under: base.path("shared")) == [])
  }

  @Test func `who was let go on one remote is let go on the other`() async throws {
    let tablet = try TestDevice(in: base.home, name: "tablet")
    try await join(tablet, "tablet", "file=sqlite:\(base.path("shared.sqlite"))")
    try await laptop.run("airports", "add", "QQA", "EQQA")
    try await sync(phone, tablet, box, laptop)
    // The laptop has never met the remote of the tablet.
    let gone = try await laptop.json(
      "device", "revoke", "tablet", "--recovery-code", recovery)
    #expect(gone["name"] == "tablet")
    try await laptop.run("airports", "add", "QQB", "EQQB")
    try await sync(laptop, box, phone)
    #expect(try await phone.codes() == ["QQA": "EQQA", "QQB": "EQQB"])
    let refused = try await tablet.run("sync", "--json")
    #expect(refused.status == 77 && refused.failure["code"] == "crypto.revoked")
    #expect(try await tablet.codes() == [:])
    // The code opens both remotes, with the key that they have now.
    for (name, place) in [
      ("attic", "file:\(base.path("shared"))"), ("cellar", "sqlite:\(base.path("shared.sqlite"))"),
    ] {
      let device = try TestDevice(in: base.home, name: name)
      try await join(device, name, "place=\(place)")
      try await sync(device)
      #expect(try await device.codes() == ["QQA": "EQQA", "QQB": "EQQB"])
    }
  }

  @Test func `a plain remote beside it takes a word of consent`() async throws {
    try await laptop.run("airports", "add", "QQA", "EQQA")
    let plain = base.path("plain")
    let quiet = try await laptop.json("remote", "add", "other", "file:\(plain)")
    try await sync(laptop)
    #expect(quiet["recovery"] == .null)
    #expect(try Files.find(["EQQA", "airports"], under: plain) == [])
    try await laptop.run("remote", "rm", "other")
    let open = base.path("open")
    let consent = try await laptop.run("remote", "add", "other", "file:\(open)", "--unencrypted")
    #expect(consent.status == 0 && consent.error.contains("not encrypted"), "\(consent.error)")
    let listed = try await laptop.json("remote", "list")["remotes"]?.array ?? []
    #expect(listed.map { $0["encrypted"] } == [true, false])
    try await sync(laptop)
    #expect(try Files.find(["airports"], under: open) == ["airports"])
    #expect(try Files.find(["airports"], under: base.path("shared")) == [])
  }
}
