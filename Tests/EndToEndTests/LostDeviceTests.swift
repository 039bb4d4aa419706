import SyncKitFormats
import Testing

/// Devices of an encrypted vault that are lost, let go and found again, with the real program over a folder.
struct LostDeviceTests {
  private let base: TestDevice
  private let laptop: TestDevice
  private let phone: TestDevice
  private let tablet: TestDevice
  private let recovery: String

  init() async throws {
    base = try TestDevice()
    laptop = try TestDevice(in: base.home, name: "laptop")
    phone = try TestDevice(in: base.home, name: "phone")
    tablet = try TestDevice(in: base.home, name: "tablet")
    let place = "box=file:\(base.path("shared"))"
    let made = try await laptop.json("init", "--yes", "--device", "laptop", "--remote", place)
    recovery = try #require(made["recovery"]?.string)
    for (device, name) in [(phone, "phone"), (tablet, "tablet")] {
      let key = try await laptop.json("device", "pair")["key"]?.string ?? ""
      let joined = try await device.run(
        "init", "--yes", "--device", name, "--remote", place, "--code", key)
      try #require(joined.status == 0, "\(joined.error)")
    }
    try await laptop.run("airports", "add", "QQA", "EQQA")
    for device in [laptop, phone, tablet, laptop] { try await sync(device) }
  }

  private func sync(_ device: TestDevice, status: Int32 = 0) async throws {
    let run = try await device.run("sync")
    #expect(run.status == status, "\(run.error)")
  }

  private func names(_ device: TestDevice) async throws -> [String] {
    try await device.json("vault")["devices"]?.array?.compactMap { $0["name"]?.string } ?? []
  }

  /// Does something while the folder has not brought what devices have stated, or someone withholds it.
  private func withholdingStatements(_ body: () async throws -> Void) async throws {
    let place = base.path("shared/vault-keys/statements")
    try Files.move(place, to: base.path("withheld"))
    try await body()
    try Files.merge(base.path("withheld"), into: place)
    Files.remove(base.path("withheld"))
  }

  private func letPhoneGo() async throws {
    let gone = try await laptop.json("device", "revoke", "phone", "--recovery-code", recovery)
    #expect(gone["revoked"] == true && gone["name"] == "phone")
  }

  @Test func `a phone that is let go gets nothing new`() async throws {
    #expect(try await names(laptop) == ["laptop", "phone", "tablet"])
    try await letPhoneGo()
    #expect(try await names(laptop) == ["laptop", "tablet"])
    let listed = try await laptop.json("device", "list")["devices"]?.array ?? []
    #expect(listed.filter { $0["letGo"] == true }.map { $0["name"] } == ["phone"])
    try await laptop.run("airports", "add", "QQB", "EQQB")
    try await sync(laptop)
    try await sync(tablet)
    #expect(try await tablet.codes() == ["QQA": "EQQA", "QQB": "EQQB"])
    // It says so before it has synced, and lets nobody in.
    let pairing = try await phone.run("device", "pair", "--json")
    #expect(pairing.status == 77 && pairing.failure["code"] == "crypto.revoked")
    let doctor = try await phone.run("doctor")
    #expect(doctor.status != 0 && doctor.output.contains("let go"), "\(doctor.output)")
    let refused = try await phone.run("sync", "--json")
    #expect(refused.status == 77 && refused.failure["code"] == "crypto.revoked")
    #expect(try await phone.codes() == ["QQA": "EQQA"])
    // Nor with a program that takes no notice of it.
    try await withholdingStatements { try await sync(phone, status: 77) }
    #expect(try await phone.codes() == ["QQA": "EQQA"])
  }

  @Test func `what a phone stores after it was let go is left out until it is paired again`()
    async throws
  {
    try await letPhoneGo()
    try await sync(tablet)
    // It does not know yet, and its edit reaches the folder.
    try await withholdingStatements {
      try await phone.run("airports", "add", "QQP", "EQQP")
      try await sync(phone)
    }
    for device in [laptop, tablet] {
      let run = try await device.run("sync")
      #expect(run.status == 0 && run.error.contains("let go"), "\(run.error)")
      #expect(try await device.codes() == ["QQA": "EQQA"])
    }
    let key = try await laptop.json("device", "pair")["key"]?.string ?? ""
    let back = try await phone.run("init", "--code", key)
    #expect(back.status == 0, "\(back.error)")
    try await phone.run("airports", "add", "QQR", "EQQR")
    for device in [phone, laptop, tablet] { try await sync(device) }
    for device in [laptop, tablet, phone] {
      #expect(try await device.codes() == ["QQA": "EQQA", "QQP": "EQQP", "QQR": "EQQR"])
    }
    #expect(try await names(tablet) == ["laptop", "phone", "tablet"])
    #expect(try await laptop.digest() == phone.digest())
  }

  @Test func `what one device had taken in of the phone before it knew comes to all`() async throws
  {
    // The laptop lets the phone go while the tablet has already got its last edit.
    try await phone.run("airports", "add", "QQP", "EQQP")
    let shared = base.path("shared")
    try Files.merge(shared, into: base.path("before"))
    try await sync(phone)
    try await sync(tablet)
    try Files.move(shared, to: base.path("after"))
    try Files.move(base.path("before"), to: shared)
    try await letPhoneGo()
    // The drive brings both together.
    try Files.merge(base.path("after"), into: shared)
    try await sync(laptop)
    #expect(try await laptop.codes() == ["QQA": "EQQA"])
    try await sync(tablet)
    try await sync(laptop)
    #expect(try await laptop.codes() == ["QQA": "EQQA", "QQP": "EQQP"])
    #expect(try await laptop.digest() == tablet.digest())
  }

  @Test func `only the owner's code lets a device go`() async throws {
    let none = try await phone.run("device", "revoke", "laptop", "--json")
    #expect(none.status == 64 && none.failure["code"] == "usage")
    let other = "aaaa-aaaa-aaaa-aaaa-aaaa-aaaa-aag3"
    let wrong = try await phone.run(
      "device", "revoke", "laptop", "--recovery-code", other, "--json")
    #expect(wrong.status == 64 || wrong.failure["code"] == "crypto.wrong-code", "\(wrong.error)")
    // A code that was made without the one before opens the data, and lets nobody go.
    let lost = try await phone.json("vault", "recovery", "new", "--lost")["recovery"]?.string ?? ""
    #expect(try await laptop.run("vault", "recovery", "test", lost).status == 0)
    let powerless = try await phone.run(
      "device", "revoke", "laptop", "--recovery-code", lost, "--json")
    #expect(powerless.status == 77 && powerless.failure["code"] == "crypto.wrong-code")
    #expect(try await names(laptop) == ["laptop", "phone", "tablet"])
    let own = try await laptop.run(
      "device", "revoke", "laptop", "--recovery-code", recovery, "--json")
    #expect(own.status == 64)
    let nobody = try await laptop.run("device", "revoke", "watch", "--json")
    #expect(nobody.status == 66 || nobody.status == 64, "\(nobody.error)")
    for device in [laptop, phone, tablet] { try await sync(device) }
    // It stays the one that opens, on whichever device's word.
    #expect(try await tablet.run("vault", "recovery", "test", lost).status == 0)
    #expect(try await tablet.run("vault", "recovery", "test", recovery).status == 77)
  }

  @Test func `a new key comes to every device and every remote, and the code stays`() async throws {
    let copy = base.path("copy.sqlite")
    try await laptop.run("remote", "add", "copy", "sqlite:\(copy)", "--encrypted")
    try await sync(laptop)
    let rotated = try await laptop.json("vault", "rotate", "--recovery-code", recovery)
    #expect(rotated["epoch"] == 2 && rotated["remotes"] == ["box", "copy"])
    try await laptop.run("airports", "add", "QQB", "EQQB")
    for device in [laptop, tablet, phone] { try await sync(device) }
    #expect(try await phone.codes() == ["QQA": "EQQA", "QQB": "EQQB"])
    #expect(try await tablet.json("vault")["epoch"] == 2)
    #expect(try await laptop.run("verify", "--remotes").status == 0)
    for (name, place) in [("attic", "file:\(base.path("shared"))"), ("cellar", "sqlite:\(copy)")] {
      let device = try TestDevice(in: base.home, name: name)
      let joined = try await device.run(
        "init", "--yes", "--device", name, "--remote", "box=\(place)", "--code", recovery)
      try #require(joined.status == 0, "\(joined.error)")
      try await sync(device)
      #expect(try await device.codes() == ["QQA": "EQQA", "QQB": "EQQB"])
    }
  }

  @Test func `a new recovery code takes the place of the one before`() async throws {
    let next =
      try await laptop.json(
        "vault", "recovery", "new", "--recovery-code", recovery)["recovery"]?.string ?? ""
    let old = try await laptop.run("vault", "recovery", "test", recovery, "--json")
    #expect(old.status == 77 && old.failure["code"] == "crypto.wrong-code")
    try await laptop.run("airports", "add", "QQB", "EQQB")
    for device in [laptop, phone] { try await sync(device) }
    // A remote that comes later, on another device, has the new one too.
    try await phone.run(
      "remote", "add", "copy", "sqlite:\(base.path("copy.sqlite"))", "--encrypted")
    try await sync(phone)
    let attic = try TestDevice(in: base.home, name: "attic")
    let joined = try await attic.run(
      "init", "--yes", "--remote", "box=sqlite:\(base.path("copy.sqlite"))", "--code", next)
    #expect(joined.status == 0, "\(joined.error)")
    try await sync(attic)
    #expect(try await attic.codes() == ["QQA": "EQQA", "QQB": "EQQB"])
  }

  @Test func `two new keys at once are named, and the next one ends it`() async throws {
    let (shared, late) = (base.path("shared"), base.path("late"))
    #expect(try await laptop.run("doctor").output.contains("has the keys of its vault"))
    // The tablet's copy of the folder lacks what the laptop does.
    try Files.merge(shared, into: late)
    try await tablet.run("config", "set", "remotes.box.path", late)
    try await letPhoneGo()
    let rotated = try await tablet.run("vault", "rotate", "--recovery-code", recovery)
    try #require(rotated.status == 0, "\(rotated.error)")
    try Files.merge(late, into: shared)
    try await tablet.run("config", "set", "remotes.box.path", shared)
    for device in [laptop, tablet] {
      try await sync(device)
      let doctor = try await device.run("doctor")
      #expect(doctor.output.contains("two devices have begun a new epoch at once"))
      #expect(try await device.run("vault").error.contains("'cloudsync vault rotate' ends that"))
    }
    try await laptop.run("vault", "rotate", "--recovery-code", recovery)
    try await sync(tablet)
    let ended = try await tablet.run("doctor")
    #expect(!ended.output.contains("at once"))
    try await sync(phone, status: 77)
  }
}
