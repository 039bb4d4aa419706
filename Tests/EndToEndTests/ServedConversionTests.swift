import RealPlaces
import SyncKitFormats
import Testing

/// A remote on a real service that is in use and becomes encrypted, with the real program.
struct ServedConversionTests {
  private let meeting: MeetingPlace
  /// Must not appear anywhere on the place once it is encrypted.
  ///
  /// Each has four letters at least, since sealed bytes have any three by chance.
  private let canaries = [
    "canary", "EQQA", "EQQB", "EQQC", "EQQD", "airports", "settings", "laptop", "phone",
  ]

  init() throws { meeting = try MeetingPlace() }

  private var laptop: TestDevice { meeting.laptop }
  private var phone: TestDevice { meeting.phone }

  private func must(_ device: TestDevice, _ words: String...) async throws {
    let outcome = try await device.run(words)
    try #require(outcome.status == 0, "\(words): \(outcome.error)")
  }

  /// Two devices that share a place in plain; the phone has edits that it has not sent.
  private func setUp(_ place: ServedPlace) async throws {
    for (device, name) in [(laptop, "laptop"), (phone, "phone")] {
      _ = try await device.json(
        ["init", "--yes", "--unencrypted", "--device", name, "--remote", "cloud=\(place.url)"]
          + place.options)
    }
    try await must(laptop, "airports", "add", "QQA", "EQQA")
    try await must(laptop, "settings", "put", "canary-1", "canary-dark", "--namespace", "canary")
    try await TestDevice.sync(laptop, phone)
    try await must(phone, "airports", "add", "QQB", "EQQB")
    try await TestDevice.sync(phone, laptop)
    #expect(try Files.find(canaries, under: place.folder).contains("airports"))
    try await must(phone, "airports", "add", "QQC", "EQQC")
    try await must(phone, "airports", "rm", "QQA")
    try await must(phone, "settings", "put", "canary-2", "canary-blue", "--namespace", "canary")
  }

  /// Joins the phone to what the laptop has encrypted, syncs both, and checks that they have everything.
  private func expectAllMeets(_ codes: [String: String]) async throws {
    let key = try await laptop.json("device", "pair")["key"]?.string ?? ""
    try await must(phone, "vault", "encrypt", "cloud", "--code", key)
    try await TestDevice.sync(phone, laptop)
    try await TestDevice.sync(phone)
    for device in [laptop, phone] {
      #expect(try await device.codes() == codes)
      let settings = try await device.run("settings", "list").output
      #expect(settings.contains("canary-dark") && settings.contains("canary-blue"), "\(settings)")
      let verified = try await device.run("verify", "--remotes")
      #expect(verified.status == 0, "\(verified.error)")
    }
    #expect(try await laptop.digest() == phone.digest())
  }

  @Test(arguments: [
    ServedPlace.Kind.apache, .wsgidav, .rcloneWebDAV, .rcloneS3, .openSSH, .plainOpenSSH,
  ])
  func `a service in use is encrypted while a device is away with edits of its own`(
    kind: ServedPlace.Kind
  ) async throws {
    let place = try ServedPlace(kind, for: meeting)
    defer { place.stop() }
    try await setUp(place)
    let made = try await laptop.json("vault", "encrypt", "cloud")
    #expect(made["recovery"]?.string != nil)
    for domain in made["domains"]?.array ?? [] { #expect(domain["left"] == 0) }
    #expect(try Files.find(canaries, under: place.folder) == [])
    let refused = try await phone.run("sync", "--json")
    #expect(refused.status == 77, "\(refused.error)")
    #expect(refused.error.contains("cloudsync vault encrypt cloud --code"), "\(refused.error)")
    try await must(laptop, "airports", "add", "QQD", "EQQD")
    try await TestDevice.sync(laptop)
    #expect(try Files.find(canaries, under: place.folder) == [])
    let codes = ["QQB": "EQQB", "QQC": "EQQC", "QQD": "EQQD"]
    try await expectAllMeets(codes)
    // Again, there is nothing to do.
    let again = try await laptop.json("vault", "encrypt", "cloud")
    #expect(again["recovery"] == .null)
    for domain in again["domains"]?.array ?? [] { #expect(domain["removed"] == 0) }
    let key = try await phone.json("device", "pair")["key"]?.string ?? ""
    let tablet = try TestDevice(in: meeting.base.home, name: "tablet")
    _ = try await tablet.json(
      ["init", "--yes", "--device", "tablet", "--remote", "cloud=\(place.url)", "--code", key]
        + place.options)
    try await TestDevice.sync(tablet)
    #expect(try await tablet.codes() == codes)
    #expect(try Files.find(canaries, under: place.folder) == [])
  }

  @Test(arguments: [ServedPlace.Kind.wsgidav, .rcloneS3, .openSSH])
  func `a device that syncs while a service is encrypted loses nothing`(
    kind: ServedPlace.Kind
  ) async throws {
    let place = try ServedPlace(kind, for: meeting)
    defer { place.stop() }
    try await setUp(place)
    async let encrypting = laptop.run("vault", "encrypt", "cloud", "--json")
    async let syncing = phone.run("sync", "--json")
    let (made, synced) = try await (encrypting, syncing)
    #expect(made.status == 0, "\(made.error)")
    // It came in time, or was refused.
    #expect([0, 77].contains(synced.status), "\(synced.error)")
    // What it sent in plain at the last moment is taken in and removed.
    _ = try await laptop.json("vault", "encrypt", "cloud", "--yes")
    #expect(try Files.find(canaries, under: place.folder) == [])
    try await expectAllMeets(["QQB": "EQQB", "QQC": "EQQC"])
    #expect(try Files.find(canaries, under: place.folder) == [])
  }

  @Test(arguments: [ServedPlace.Kind.apache, .wsgidav, .rcloneS3, .openSSH, .plainOpenSSH])
  func `an encrypted service is encrypted again, and then moved to plain`(
    kind: ServedPlace.Kind
  ) async throws {
    let place = try ServedPlace(kind, for: meeting)
    defer { place.stop() }
    try await setUp(place)
    let made = try await laptop.json("vault", "encrypt", "cloud")
    let recovery = try #require(made["recovery"]?.string)
    let key = try await laptop.json("device", "pair")["key"]?.string ?? ""
    try await must(phone, "vault", "encrypt", "cloud", "--code", key)
    try await TestDevice.sync(phone, laptop)
    let again = try await laptop.json(
      "vault", "rotate", "--reencrypt", "--recovery-code", recovery)
    let done = again["reencrypted"]?[0]
    #expect(done?["segments"]?.int ?? 0 >= 2 && done?["left"] == 0 && done?["refused"] == 0)
    try await TestDevice.sync(phone, laptop)
    try await must(phone, "airports", "add", "QQD", "EQQD")
    let left = try await laptop.json(
      "vault", "decrypt", "cloud", "--unencrypted", "--yes", "--recovery-code", recovery)
    for domain in left["domains"]?.array ?? [] { #expect(domain["left"] == 0) }
    #expect(try Files.find(canaries, under: place.folder).contains("airports"))
    let refused = try await phone.run("sync", "--json")
    #expect(refused.status == 77 && refused.failure["code"] == "crypto.closed")
    try await must(phone, "vault", "decrypt", "cloud", "--unencrypted", "--yes")
    try await TestDevice.sync(phone, laptop, phone)
    for device in [laptop, phone] {
      #expect(try await device.codes() == ["QQB": "EQQB", "QQC": "EQQC", "QQD": "EQQD"])
      let verified = try await device.run("verify", "--remotes")
      #expect(verified.status == 0, "\(verified.error)")
    }
    #expect(try await laptop.digest() == phone.digest())
  }
}
