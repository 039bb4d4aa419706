import SyncKitFormats
import Testing

/// Devices that join an encrypted vault by a passphrase, with the real program.
struct VaultPassphraseTests {
  private let base: TestDevice
  private let laptop: TestDevice
  private let phone: TestDevice
  private let recovery: String
  private let place: String

  init() async throws {
    base = try TestDevice()
    laptop = try TestDevice(in: base.home, name: "laptop")
    phone = try TestDevice(in: base.home, name: "phone")
    place = "box=file:\(base.path("shared"))"
    let made = try await laptop.json("init", "--yes", "--device", "laptop", "--remote", place)
    recovery = try #require(made["recovery"]?.string)
    try Files.write(Array("lamp orbit canoe\n".utf8), to: base.path("right"))
    try Files.write(Array("lamp orbit kayak\n".utf8), to: base.path("wrong"))
    try await laptop.run("airports", "add", "QQA", "EQQA")
    try await sync(laptop)
  }

  private func sync(_ device: TestDevice) async throws {
    let run = try await device.run("sync")
    try #require(run.status == 0, "\(run.error)")
  }

  private func setPassphrase() async throws {
    let set = try await laptop.json(
      "vault", "passphrase", "--passphrase-file", base.path("right"))
    #expect(set["isSet"] == true && set["remotes"] == ["box"])
  }

  private func join(_ device: TestDevice, _ file: String) async throws -> CommandRunner.Outcome {
    try await device.run(
      "init", "--yes", "--remote", place, "--passphrase-file", base.path(file), "--json")
  }

  @Test func `a device joins by the passphrase, and not by another one`() async throws {
    let early = try await join(phone, "right")
    #expect(early.status == 77 && early.failure["code"] == "crypto.wrong-code", "\(early.error)")
    try await setPassphrase()
    let wrong = try await join(phone, "wrong")
    #expect(wrong.status == 77 && wrong.failure["code"] == "crypto.wrong-code", "\(wrong.error)")
    let joined = try await join(phone, "right")
    #expect(joined.status == 0, "\(joined.error)")
    try await sync(phone)
    #expect(try await phone.codes() == ["QQA": "EQQA"])
    // It opens the data, and lets no device go.
    let none = try await phone.run("device", "revoke", "laptop", "--json")
    #expect(none.status == 64)
    #expect(try await laptop.run("vault", "passphrase", "--remove").status == 0)
    let attic = try TestDevice(in: base.home, name: "attic")
    #expect(try await join(attic, "right").status == 77)
    #expect(try Files.find(["lamp orbit"], under: base.path("shared")) == [])
  }

  @Test func `a device that is set up by its configuration alone joins by itself`() async throws {
    try await setPassphrase()
    try Files.makeFolder(phone.path(".config"))
    try Files.makeFolder(phone.path(".config/cloudsync"))
    let config = """
      version: 1
      remotes:
        box: { type: file, path: \(base.path("shared")), encrypted: true }
      domains:
        airports: { remotes: [box] }
      vault:
        passphrase: { command: [cat, "\(base.path("right"))"] }

      """
    try Files.write(Array(config.utf8), to: phone.path(".config/cloudsync/config.yaml"))
    try await sync(phone)
    #expect(try await phone.codes() == ["QQA": "EQQA"])
    try await phone.run("airports", "add", "QQB", "EQQB")
    try await sync(phone)
    try await sync(laptop)
    #expect(try await laptop.codes() == ["QQA": "EQQA", "QQB": "EQQB"])
  }

  @Test func `a new key ends the passphrase where it is not at hand`() async throws {
    try await setPassphrase()
    let rotated = try await laptop.run("vault", "rotate", "--recovery-code", recovery)
    #expect(rotated.status == 0 && rotated.error.contains("vault passphrase"), "\(rotated.error)")
    #expect(try await join(phone, "right").status == 77)
    try await setPassphrase()
    try await laptop.run("config", "set", "vault.passphrase.file", base.path("right"))
    let again = try await laptop.run("vault", "rotate", "--recovery-code", recovery)
    #expect(again.status == 0 && !again.error.contains("vault passphrase"), "\(again.error)")
    #expect(try await join(phone, "right").status == 0)
    try await sync(phone)
    #expect(try await phone.codes() == ["QQA": "EQQA"])
  }

  @Test func `a short passphrase is refused`() async throws {
    try Files.write(Array("short\n".utf8), to: base.path("short"))
    let short = try await laptop.run(
      "vault", "passphrase", "--passphrase-file", base.path("short"), "--json")
    #expect(short.status == 64)
    let none = try await laptop.run("vault", "passphrase", "--json")
    #expect(none.status == 64)
  }
}
