import SyncKitFormats
import Testing

/// Records that people share from encrypted accounts, with the real program on all sides: two devices each of Anna and
/// Ben, one of Carl.
struct EncryptedSharingTests {
  private let host: ServerHost
  private let base: TestDevice
  private let annas: [TestDevice]
  private let bens: [TestDevice]
  private let carl: TestDevice
  /// The recovery codes of Anna and Ben.
  private let codes: [String]

  init() async throws {
    host = try await ServerHost()
    base = try TestDevice()
    var codes: [String] = []
    (annas, codes) = try await Self.person("anna", on: host, in: base, codes)
    (bens, codes) = try await Self.person("ben", on: host, in: base, codes)
    self.codes = codes
    carl = try TestDevice(in: base.home, name: "carl")
    try await carl.run("init", "--yes", "--join", host.invite("carl"))
  }

  /// Two devices with one encrypted account.
  private static func person(
    _ name: String, on host: ServerHost, in base: TestDevice, _ codes: [String]
  ) async throws -> (devices: [TestDevice], codes: [String]) {
    let first = try TestDevice(in: base.home, name: "\(name)-laptop")
    let made = try await first.json(
      "init", "--yes", "--device", "laptop", "--join", host.invite(name))
    let second = try TestDevice(in: base.home, name: "\(name)-phone")
    let pairing = try await first.json("device", "pair")
    let joined = try await second.run(
      "init", "--yes", "--device", "phone", "--join", pairing["link"]?.string ?? "")
    try #require(joined.status == 0, "\(joined.error)")
    return ([first, second], codes + [made["recovery"]?.string ?? ""])
  }

  private func sync(_ devices: TestDevice...) async throws {
    for device in devices {
      let outcome = try await device.run("sync")
      #expect(outcome.status == 0, "\(device.home): \(outcome.error)")
    }
  }

  private func syncAll() async throws {
    try await sync(bens[0], bens[1], annas[0], annas[1], carl)
    try await sync(bens[0], bens[1], annas[0], annas[1], carl)
  }

  /// Shares the bike and has a guest accept.
  private func share(with name: String, _ role: String, _ guest: TestDevice) async throws {
    let made = try await annas[0].json(
      "bike", "share", "canary-bike", "--with", name, "--role", role, "--yes")
    let link = made["invitations"]?[0]?["link"]?.string ?? ""
    #expect(link.contains("&key="))
    let accepted = try await guest.run("share", "accept", link)
    #expect(accepted.status == 0, "\(accepted.error)")
  }

  private func addBike() async throws {
    try await annas[0].run("bike", "add", "canary-bike", "name=Canary 0")
    let shared = try await annas[0].run("bike", "scope", "canary-bike", "synced", "--yes")
    #expect(shared.status == 0, "\(shared.error)")
    try await sync(annas[0], annas[1])
  }

  private func set(_ name: String, on device: TestDevice) async throws {
    let outcome = try await device.run("bike", "set", "canary-bike", "name=\(name)")
    #expect(outcome.status == 0, "\(outcome.error)")
  }

  /// What the bike is called on a device; nil where there is none.
  private func name(_ device: TestDevice) async throws -> String? {
    try await device.json("bike", "list")["records"]?.array?
      .first { $0["id"] == "canary-bike" }?["fields"]?["name"]?.string
  }

  private func expect(
    _ name: String?, on devices: [TestDevice], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    for device in devices {
      let found = try await self.name(device)
      #expect(found == name, "\(device.home)", sourceLocation: sourceLocation)
    }
  }

  private func summary(_ device: TestDevice) async throws -> String {
    try await device.json("share", "list")["shares"]?[0]?["summary"]?.string ?? ""
  }

  @Test func `all read what all write, and the server learns nothing`() async throws {
    try await addBike()
    try await share(with: "Ben", "writer", bens[0])
    try await expect("Canary 0", on: [bens[0]])
    // Ben's other device needs nothing more; what it writes counts before Anna's devices have seen Ben.
    try await sync(bens[1])
    try await set("Canary 1", on: bens[1])
    try await share(with: "Carl", "reader", carl)
    try await syncAll()
    try await expect("Canary 1", on: annas + bens + [carl])
    for (number, device) in (annas + bens).enumerated() {
      try await set("Canary \(number + 2)", on: device)
      try await sync(device)
      try await syncAll()
      try await expect("Canary \(number + 2)", on: annas + bens + [carl])
    }
    let refused = try await carl.run("bike", "set", "canary-bike", "name=x", "--json")
    #expect(refused.status == 77 && refused.failure["code"] == "share.read-only")

    // Both compare words; all devices of a person remember it.
    #expect(try await summary(annas[1]).contains("Ben (writer, unverified)"))
    for (device, person) in [(annas[0], ["Ben"]), (bens[1], [])] {
      let outcome = try await device.run(["share", "verify", "Canary 0"] + person + ["--yes"])
      #expect(outcome.status == 0, "\(outcome.error)")
    }
    try await syncAll()
    #expect(try await summary(annas[1]).contains("Ben (writer), Carl (reader, unverified)"))
    #expect(try await summary(bens[0]) == "Shared by anna (writer)")
    let shares = try await annas[0].json("share", "list")["shares"]?[0]
    let others = try await bens[0].json("share", "list")["shares"]?[0]
    #expect(
      shares?["encrypted"] == true && others?["words"]?.string?.split(separator: " ").count == 6)
    for device in [annas[0], bens[0], carl] {
      let checked = try await device.run("verify", "--remotes")
      #expect(checked.status == 0, "\(checked.error)")
    }

    #expect(try await host.process.stop() == 0)
    let canaries = ["canary", "Canary", "bike", "Ben"]
    #expect(try Files.find(canaries, under: host.machine.home) == [])
  }

  @Test func `keys change on both sides, and sharing goes on`() async throws {
    try await addBike()
    try await share(with: "Ben", "writer", bens[0])
    try await syncAll()
    try await annas[1].run("vault", "rotate", "--recovery-code", codes[0])
    try await set("Canary 1", on: annas[1])
    try await syncAll()
    try await expect("Canary 1", on: annas + bens)
    // Ben lets the phone go; the laptop shows Anna a new card.
    let gone = try await bens[0].run("device", "revoke", "phone", "--recovery-code", codes[1])
    #expect(gone.status == 0, "\(gone.error)")
    try await set("Canary 2", on: bens[0])
    try await sync(bens[0], annas[0], annas[1], bens[0])
    try await expect("Canary 2", on: annas + [bens[0]])
    try await set("Canary 3", on: annas[0])
    try await sync(annas[0], bens[0], annas[1])
    try await expect("Canary 3", on: annas + [bens[0]])
    #expect(try await bens[1].run("sync").status == 77)
    try await expect("Canary 1", on: [bens[1]])
  }

  @Test func `a guest is made a reader, removed, and invited once more`() async throws {
    try await addBike()
    try await share(with: "Ben", "writer", bens[0])
    try await syncAll()
    // What was written before Anna's device heard of it counts; what was not sent stays with Ben.
    try await set("Canary 1", on: bens[0])
    try await sync(bens[0])
    #expect(try await annas[0].run("share", "role", "Canary 0", "Ben", "reader").status == 0)
    try await syncAll()
    try await expect("Canary 1", on: annas + bens)
    #expect(try await bens[1].run("bike", "set", "canary-bike", "name=x").status == 77)
    #expect(try await annas[1].run("share", "role", "Canary 0", "Ben", "writer").status == 0)
    try await syncAll()
    try await set("Canary 2", on: bens[1])
    try await sync(bens[1])

    let removed = try await annas[1].run("share", "remove", "Canary 0", "Ben")
    #expect(removed.status == 0, "\(removed.error)")
    try await set("Canary 3", on: annas[0])
    try await syncAll()
    try await expect("Canary 3", on: annas)
    try await expect("Canary 2", on: [bens[1]])

    try await share(with: "Ben", "writer", bens[0])
    try await expect("Canary 3", on: [bens[0]])
    try await set("Canary 4", on: bens[0])
    try await syncAll()
    try await expect("Canary 4", on: annas + bens)
    #expect(try await bens[0].run("share", "leave", "Canary 3", "--yes").status == 0)
    try await syncAll()
    try await expect(nil, on: bens)
    #expect(try await summary(annas[1]) == "Only you")
  }

  @Test func `a record that is withdrawn goes from all guests`() async throws {
    try await addBike()
    try await share(with: "Ben", "writer", bens[0])
    try await share(with: "Carl", "reader", carl)
    try await syncAll()
    try await expect("Canary 0", on: annas + bens + [carl])
    #expect(try await annas[0].run("bike", "scope", "canary-bike", "local", "--yes").status == 0)
    try await sync(annas[0])
    try await syncAll()
    try await expect("Canary 0", on: [annas[0]])
    try await expect(nil, on: [annas[1], carl] + bens)
  }

  @Test func `a record of one's own is not mixed with a shared one of its name`() async throws {
    try await addBike()
    try await bens[0].run("bike", "add", "canary-bike", "name=Own")
    try await bens[0].run("bike", "scope", "canary-bike", "synced", "--yes")
    try await sync(bens[0], bens[1])
    let made = try await annas[0].json("bike", "share", "canary-bike", "--with", "Ben", "--yes")
    let link = made["invitations"]?[0]?["link"]?.string ?? ""
    let refused = try await bens[0].run("share", "accept", link, "--json")
    #expect(refused.status == 77 && refused.failure["code"] == "share.id-collision")
    try await set("Own 2", on: bens[0])
    try await syncAll()
    try await expect("Own 2", on: bens)
    try await expect("Canary 0", on: annas)
  }

  @Test func `an account that is not encrypted cannot take part, nor the other way round`()
    async throws
  {
    let plain = try await host.device(of: "plain")
    try await addBike()
    let made = try await annas[0].json("bike", "share", "canary-bike", "--with", "Dan", "--yes")
    let link = made["invitations"]?[0]?["link"]?.string ?? ""
    let refused = try await plain.run("share", "accept", link, "--json")
    #expect(refused.status == 78 && refused.failure["code"] == "share.encrypted")
    try await plain.run("bike", "add", "b1", "name=Plain")
    let other = try await plain.json("bike", "share", "b1", "--with", "Ben", "--yes")
    let turned = try await bens[0].run(
      "share", "accept", other["invitations"]?[0]?["link"]?.string ?? "", "--json")
    #expect(turned.status == 78 && turned.failure["code"] == "share.encrypted")
    // A link that was not copied whole.
    let cut = try await bens[0].run("share", "accept", String(link.dropLast(4)), "--json")
    #expect(cut.status == 64)
    let wrong = link.replacing(#/key=.*/#, with: "key=c73w-lxrx-5iag-p7zj-wguj-rbkr-baxv")
    let unopened = try await bens[0].run("share", "accept", wrong, "--json")
    #expect(unopened.status == 76 && unopened.failure["code"] == "share.no-invitation")
    #expect(try await bens[0].run("share", "accept", link).status == 0)
    #expect(try await bens[0].run("share", "accept", link).status == 0)
  }
}
