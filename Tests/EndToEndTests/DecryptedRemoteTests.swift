import SyncKitFormats
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// An encrypted remote that is in use and becomes plain, with the real program.
struct DecryptedRemoteTests {
  private let base: TestDevice
  private let laptop: TestDevice
  private let phone: TestDevice
  private let tablet: TestDevice

  init() throws {
    base = try TestDevice()
    laptop = try TestDevice(in: base.home, name: "laptop")
    phone = try TestDevice(in: base.home, name: "phone")
    tablet = try TestDevice(in: base.home, name: "tablet")
  }

  /// Three devices of a vault; the phone and the tablet have edits that they have not sent.
  ///
  /// - Returns: The recovery code.
  private func setUp(_ place: String) async throws -> String {
    let made = try await laptop.json(
      "init", "--yes", "--encrypted", "--device", "laptop", "--remote", "box=\(place)")
    for (device, name) in [(phone, "phone"), (tablet, "tablet")] {
      let key = try await laptop.json("device", "pair")["key"]?.string ?? ""
      let joined = try await device.run(
        "init", "--yes", "--device", name, "--remote", "box=\(place)", "--code", key)
      try #require(joined.status == 0, "\(joined.error)")
    }
    try await add("QQA", on: laptop)
    try await laptop.run("settings", "put", "dark-mode", "on", "--namespace", "app")
    try await TestDevice.sync(laptop, phone, tablet, laptop)
    try await add("QQB", on: phone)
    try await add("QQC", on: tablet)
    return try #require(made["recovery"]?.string)
  }

  private func add(_ code: String, on device: TestDevice) async throws {
    let added = try await device.run("airports", "add", code, "E\(code)")
    try #require(added.status == 0, "\(added.error)")
  }

  private func leave(_ device: TestDevice) async throws -> JSON {
    try await device.json("vault", "decrypt", "box", "--unencrypted", "--yes")
  }

  private func found(_ words: [String], _ place: String) throws -> [String] {
    try Files.find(
      words, under: base.home, leavingOut: ["laptop", "phone", "tablet", "late", "early", "new"])
  }

  /// What lies in a folder, by its names and lengths.
  private func listing(_ folder: String) -> [String] {
    Files.names(in: folder).flatMap { name -> [String] in
      let path = "\(folder)/\(name)"
      let below = listing(path)
      return below.isEmpty ? [path] : below
    }
  }

  @Test(arguments: ["file:SHARED", "sqlite:SHARED.sqlite"])
  func `a place is moved to plain, and each device goes along when its person agrees`(
    _ place: String
  ) async throws {
    let place = place.replacing("SHARED", with: base.path("shared"))
    let recovery = try await setUp(place)
    #expect(try found(["airports", "EQQA"], place) == [])
    let look = try await laptop.json("vault", "decrypt", "--dry-run")
    #expect(look["dryRun"] == true && look["remote"] == "box")
    // Neither without the flag, nor without a yes, nor without the owner's code.
    for (arguments, status, word): ([String], Int32, String) in [
      ([], 64, "--unencrypted"), (["--unencrypted"], 64, "--yes"),
      (["--unencrypted", "--yes"], 64, "--recovery-code"),
      (
        ["--unencrypted", "--yes", "--recovery-code", "aaaa-aaaa-aaaa-aaaa-aaaa-aaaa-aag3"], 0, ""
      ),
    ] {
      let refused = try await laptop.run(["vault", "decrypt", "box", "--json"] + arguments)
      #expect(refused.status == status || status == 0, "\(refused.error)")
      #expect(refused.status != 0 && refused.error.contains(word), "\(refused.error)")
    }
    try await TestDevice.sync(laptop)
    let made = try await laptop.json(
      "vault", "decrypt", "box", "--unencrypted", "--yes", "--recovery-code", recovery)
    for domain in made["domains"]?.array ?? [] {
      #expect(domain["left"] == 0 && domain["removed"]?.int ?? 0 >= 1, "\(domain)")
    }
    #expect(made["domains"] == look["domains"])
    #expect(try Set(found(["airports", "EQQA", "dark-mode"], place)).contains("airports"))
    #expect(try await laptop.json("remote", "list")["remotes"]?[0]?["encrypted"] == false)
    try await TestDevice.sync(laptop)
    // The others store nothing there, neither encrypted nor in plain.
    let before = listing(base.path("shared"))
    for device in [phone, tablet] {
      let refused = try await device.run("sync", "--json")
      #expect(refused.status == 77 && refused.failure["code"] == "crypto.closed")
      #expect(refused.error.contains("cloudsync vault decrypt box --unencrypted"))
      let doctor = try await device.run("doctor")
      #expect(doctor.status != 0 && doctor.output.contains("vault decrypt box"), "\(doctor.output)")
      let asked = try await device.run("vault", "decrypt", "box", "--unencrypted", "--json")
      #expect(asked.status == 64 && asked.error.contains("--yes"), "\(asked.error)")
    }
    #expect(listing(base.path("shared")) == before)
    #expect(try await laptop.codes() == ["QQA": "EQQA"])
    // What the phone has not sent goes along.
    _ = try await leave(phone)
    try await TestDevice.sync(phone, laptop)
    #expect(try await laptop.codes() == ["QQA": "EQQA", "QQB": "EQQB"])
    // A device without keys joins, and the tablet comes at last.
    let new = try TestDevice(in: base.home, name: "new")
    let joined = try await new.run("init", "--yes", "--unencrypted", "--remote", "box=\(place)")
    #expect(joined.status == 0, "\(joined.error)")
    try await TestDevice.sync(new)
    _ = try await leave(tablet)
    try await TestDevice.sync(tablet, laptop, phone, new)
    let codes = ["QQA": "EQQA", "QQB": "EQQB", "QQC": "EQQC"]
    for device in [laptop, phone, tablet, new] {
      #expect(try await device.codes() == codes)
      #expect(try await device.digest() == laptop.digest())
      let verified = try await device.run("verify", "--remotes")
      #expect(verified.status == 0, "\(verified.error)")
      for job in try await device.json("sync")["jobs"]?.array ?? [] {
        #expect(job["pushed"] == 0 && job["pulled"] == 0)
      }
      let doctor = try await device.run("doctor")
      #expect(doctor.status == 0 && doctor.output.contains("not encrypted"), "\(doctor.output)")
    }
    // Again, there is nothing to do; and the way back is another place.
    for domain in try await leave(laptop)["domains"]?.array ?? [] {
      #expect(domain["removed"] == 0 && domain["left"] == 0)
    }
    let back = try await laptop.run("vault", "encrypt", "box", "--json")
    #expect(back.status == 77 && back.failure["code"] == "crypto.closed", "\(back.error)")
    try await TestDevice.sync(laptop, phone, new)
  }

  @Test func `what a drive brings encrypted afterwards is taken in and removed`() async throws {
    let (shared, late) = (base.path("shared"), base.path("late"))
    let recovery = try await setUp("file:\(shared)")
    // The tablet's copy of the folder is behind.
    try Files.merge(shared, into: late)
    try await tablet.run("config", "set", "remotes.box.path", late)
    let copied = listing(late)
    _ = try await laptop.json(
      "vault", "decrypt", "box", "--unencrypted", "--yes", "--recovery-code", recovery)
    try await TestDevice.sync(tablet)
    // A drive brings what the tablet has stored since, and not again what went.
    for path in copied { Files.remove(path) }
    #expect(!listing(late).isEmpty)
    try Files.merge(late, into: shared)
    try await TestDevice.sync(laptop)
    #expect(try await laptop.codes() == ["QQA": "EQQA"])
    let doctor = try await laptop.run("doctor")
    #expect(doctor.output.contains("there encrypted too"), "\(doctor.output)")
    let again = try await laptop.json("vault", "decrypt", "box")
    #expect(again["domains"]?.array?.contains { $0["removed"]?.int ?? 0 > 0 } == true)
    #expect(try await laptop.codes() == ["QQA": "EQQA", "QQC": "EQQC"])
    try await tablet.run("config", "set", "remotes.box.path", shared)
    let refused = try await tablet.run("sync", "--json")
    #expect(refused.status == 77 && refused.failure["code"] == "crypto.closed")
    _ = try await leave(tablet)
    try await TestDevice.sync(tablet, laptop)
    #expect(try await laptop.digest() == tablet.digest())
  }

  @Test func `a place that pretends to be plain gets nothing in plain`() async throws {
    let shared = base.path("shared")
    let recovery = try await setUp("file:\(shared)")
    let marks = Files.names(in: shared).filter { $0.hasPrefix("root-") }
    let sealed = try #require(marks.first { Array($0.utf8)[19] == UInt8(ascii: "8") })
    Files.remove("\(shared)/\(sealed)")
    let refused = try await phone.run("sync", "--json")
    #expect(refused.status == 77 && refused.failure["code"] == "remote.marker", "\(refused.error)")
    // Nor does a person's yes do it without the owner's word.
    let asked = try await phone.run(
      "vault", "decrypt", "box", "--unencrypted", "--yes", "--json")
    #expect(asked.status == 64 && asked.error.contains("recovery"), "\(asked.error)")
    #expect(try found(["airports", "EQQ"], shared) == [])
    // What it says of another remote of the vault is about that one.
    let usb = base.path("early")
    try await laptop.run("remote", "add", "usb", "file:\(usb)", "--domains", "all", "--encrypted")
    let put = try await laptop.run("vault", "encrypt", "box", "--yes")
    #expect(put.status == 0, "\(put.error)")
    try await TestDevice.sync(laptop, phone)
    _ = try await laptop.json(
      "vault", "decrypt", "usb", "--unencrypted", "--yes", "--recovery-code", recovery)
    try await TestDevice.sync(laptop, phone)
    try Files.merge("\(usb)/vault-keys", into: "\(shared)/vault-keys")
    let before = listing(shared)
    for arguments in [["sync"], ["vault", "decrypt", "box", "--unencrypted", "--yes"]] {
      let fooled = try await phone.run(arguments + ["--json"])
      #expect(fooled.status == 77 && fooled.failure["code"] == "crypto.closed")
      #expect(fooled.error.contains("--closed-as usb"), "\(fooled.error)")
    }
    #expect(listing(shared) == before)
    #expect(try found(["airports", "EQQ"], shared) == [])
  }

  @Test func `a move that is killed at any moment is finished by the next run`() async throws {
    let shared = base.path("shared")
    let recovery = try await setUp("file:\(shared)")
    for number in 0..<60 {
      // One object each, so that there is something to do at every moment.
      try await laptop.run(
        "settings", "put", "key-\(number)", "v\(number)", "--namespace", "n\(number)")
      if number % 12 == 11 { try await TestDevice.sync(laptop) }
    }
    let count = try await laptop.run("settings", "list").output
    var kills = 0
    for wait in 1...40 {
      let run = try RunningCommand(
        "vault", "decrypt", "box", "--unencrypted", "--yes", "--recovery-code", recovery,
        on: laptop)
      try await Task.sleep(for: .milliseconds(15 * wait))
      if try await run.stop(SIGKILL) == 0 { break }
      kills += 1
      // Whatever it has left, a sync of any device says so or works, and loses nothing.
      for device in [laptop, phone] {
        let sync = try await device.run("sync", "--json")
        #expect([0, 77].contains(sync.status), "\(sync.error)")
        if sync.status == 77 { #expect(sync.error.contains("vault decrypt box")) }
      }
    }
    #expect(kills > 0)
    let end = try await laptop.run(
      "vault", "decrypt", "box", "--unencrypted", "--yes", "--recovery-code", recovery)
    #expect(end.status == 0, "\(end.error)")
    for device in [phone, tablet] { _ = try await leave(device) }
    try await TestDevice.sync(phone, tablet, laptop)
    let new = try TestDevice(in: base.home, name: "new")
    try await new.run("init", "--yes", "--unencrypted", "--remote", "box=file:\(shared)")
    try await TestDevice.sync(new)
    #expect(try await new.codes() == ["QQA": "EQQA", "QQB": "EQQB", "QQC": "EQQC"])
    #expect(try await new.run("settings", "list").output == count)
    // Nothing encrypted is left but what says that the place is plain.
    let folders = Files.names(in: shared).filter { $0.utf8.count == 26 && !$0.contains("-") }
    #expect(folders == [])
    #expect(listing("\(shared)/vault-keys/slots").filter { $0.hasSuffix(".seg") } == [])
  }

  @Test func `a place that is gone in the middle changes nothing, and a server is refused by name`()
    async throws
  {
    let shared = base.path("shared")
    let recovery = try await setUp("file:\(shared)")
    try Files.move(shared, to: base.path("away"))
    let gone = try await laptop.run(
      "vault", "decrypt", "box", "--unencrypted", "--yes", "--recovery-code", recovery, "--json")
    #expect(gone.status == 69, "\(gone.error)")
    try Files.move(base.path("away"), to: shared)
    try await TestDevice.sync(laptop, phone, tablet)
    let none = try await laptop.run("vault", "decrypt", "attic", "--json")
    #expect(none.status == 64)
    let set = try await laptop.run(
      "config", "set", "remotes.home", "{ type: http, url: 'https://sync.example.org' }")
    #expect(set.status == 0, "\(set.error)")
    let server = try await laptop.run("vault", "decrypt", "home", "--unencrypted", "--json")
    #expect(server.status != 0 && server.error.contains("server"), "\(server.error)")
  }
}
