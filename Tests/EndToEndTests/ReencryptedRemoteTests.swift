import SyncKitFormats
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// `vault rotate --reencrypt` with the real program: what is there gets the new key while others go on.
struct ReencryptedRemoteTests {
  private let base: TestDevice
  private let laptop: TestDevice
  private let phone: TestDevice

  init() throws {
    base = try TestDevice()
    laptop = try TestDevice(in: base.home, name: "laptop")
    phone = try TestDevice(in: base.home, name: "phone")
  }

  private func setUp(_ place: String) async throws -> String {
    let made = try await laptop.json(
      "init", "--yes", "--encrypted", "--device", "laptop", "--remote", "box=\(place)")
    let key = try await laptop.json("device", "pair")["key"]?.string ?? ""
    let joined = try await phone.run(
      "init", "--yes", "--device", "phone", "--remote", "box=\(place)", "--code", key)
    try #require(joined.status == 0, "\(joined.error)")
    try await laptop.run("airports", "add", "QQA", "EQQA")
    try await TestDevice.sync(laptop, phone)
    return try #require(made["recovery"]?.string)
  }

  /// The objects of records in a folder, with their bytes.
  private func objects(_ folder: String) throws -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    for name in Files.names(in: folder) where name != "vault-keys" {
      let path = "\(folder)/\(name)"
      if name.hasSuffix(".seg") { found[path] = try Files.read(path) }
      found.merge(try objects(path)) { $1 }
    }
    return found
  }

  @Test(arguments: ["file:SHARED", "sqlite:SHARED.sqlite"])
  func `all that is there gets the new key, and the others notice nothing`(
    _ place: String
  )
    async throws
  {
    let (shared, place) = (
      base.path("shared"), place.replacing("SHARED", with: base.path("shared"))
    )
    let recovery = try await setUp(place)
    try await phone.run("airports", "add", "QQB", "EQQB")
    try await TestDevice.sync(phone)
    try await phone.run("airports", "add", "QQC", "EQQC")
    let before = try objects(shared)
    let done = try await laptop.json("vault", "rotate", "--reencrypt", "--recovery-code", recovery)
    #expect(done["epoch"] == 2)
    let box = try #require(done["reencrypted"]?[0])
    #expect(box["remote"] == "box" && box["left"] == 0 && box["refused"] == 0)
    #expect(box["segments"]?.int ?? 0 >= 2 && box["bytes"]?.int ?? 0 > 8_000)
    if place.hasPrefix("file:") {
      let after = try objects(shared)
      #expect(after.keys == before.keys && after.count == Int(box["segments"]?.int ?? 0))
      for (name, bytes) in after { #expect(bytes != before[name]) }
    }
    // The phone has an edit of its own, and goes on; the laptop gets it.
    try await TestDevice.sync(phone, laptop)
    for device in [laptop, phone] {
      #expect(try await device.codes() == ["QQA": "EQQA", "QQB": "EQQB", "QQC": "EQQC"])
      #expect(try await device.run("verify", "--remotes").status == 0)
    }
    // A new device reads all of it.
    let attic = try TestDevice(in: base.home, name: "attic")
    let joined = try await attic.run(
      "init", "--yes", "--remote", "box=\(place)", "--code", recovery)
    #expect(joined.status == 0, "\(joined.error)")
    try await TestDevice.sync(attic, laptop)
    #expect(try await attic.digest() == laptop.digest())
    // It was told what it did, and nothing is left to be done.
    let again = try await laptop.run("vault", "rotate", "--reencrypt", "--recovery-code", recovery)
    #expect(again.status == 0 && again.error.contains("encrypted"), "\(again.error)")
    #expect(try await laptop.run("doctor").output.contains("has the keys of its vault"))
  }

  /// A device that has the phone's keys and nothing else of it, at a place that hides who was let go.
  private func thief(_ name: String) async throws -> TestDevice {
    let thief = try TestDevice(in: base.home, name: name)
    for folder in [".config", ".local", ".local/share", ".local/share/cloudsync"] {
      try Files.makeFolder(thief.path(folder))
    }
    try Files.merge(phone.path(".config"), into: thief.path(".config"))
    let keys = ".local/share/cloudsync/vault-keys.json"
    try Files.write(Files.read(phone.path(keys)), to: thief.path(keys))
    let place = base.path("shared/vault-keys/statements")
    try Files.move(place, to: base.path("withheld"))
    _ = try await thief.run("sync")
    Files.remove(place)
    try Files.move(base.path("withheld"), to: place)
    return thief
  }

  @Test func `what a lost phone knows opens nothing of what was encrypted again`() async throws {
    let recovery = try await setUp("file:\(base.path("shared"))")
    let gone = try await laptop.run("device", "revoke", "phone", "--recovery-code", recovery)
    try #require(gone.status == 0, "\(gone.error)")
    #expect(try await thief("thief").codes() == ["QQA": "EQQA"])
    _ = try await laptop.json("vault", "rotate", "--reencrypt", "--recovery-code", recovery)
    #expect(try await thief("late-thief").codes() == [:])
    let refused = try await phone.run("sync", "--json")
    #expect(refused.status == 77 && refused.failure["code"] == "crypto.revoked")
    try await TestDevice.sync(laptop)
    #expect(try await laptop.codes() == ["QQA": "EQQA"])
  }

  @Test func `one that is killed goes on without a code, and others read meanwhile`() async throws {
    let shared = base.path("shared")
    let recovery = try await setUp("file:\(shared)")
    for number in 0..<40 {
      try await laptop.run("settings", "put", "k", "v\(number)", "--namespace", "n\(number)")
    }
    try await TestDevice.sync(laptop, phone)
    let settings = try await laptop.run("settings", "list").output
    let before = try objects(shared)
    var kills = 0
    var first = true
    for wait in 1...60 {
      let run = try RunningCommand(
        ["vault", "rotate", "--reencrypt"] + (first ? ["--recovery-code", recovery] : []),
        on: laptop)
      try await Task.sleep(for: .milliseconds(6 * wait))
      let status = try await run.stop(SIGKILL)
      let isBegun = try await laptop.json("vault")["epoch"] != 1
      // The one before may have been killed when all was done: then another key takes the code.
      if status == 0 || (status == 64 && !first) { break }
      #expect(status == 128 + SIGKILL || (status == 64 && !isBegun), "\(run.error)")
      if isBegun { first = false }
      kills += 1
      try await TestDevice.sync(phone)
      #expect(try await phone.run("settings", "list").output == settings)
    }
    #expect(kills > 0)
    #expect(try await laptop.json("vault")["epoch"] == 2)
    // What was done before a kill stays, and the rest was done after it.
    let after = try objects(shared)
    for (name, bytes) in before { #expect(after[name] != bytes, "\(name)") }
    let attic = try TestDevice(in: base.home, name: "attic")
    try await attic.run(
      "init", "--yes", "--remote", "box=file:\(shared)", "--code", recovery)
    try await TestDevice.sync(attic, phone, laptop)
    #expect(try await attic.run("settings", "list").output == settings)
    #expect(try await attic.digest() == laptop.digest())
  }
}
