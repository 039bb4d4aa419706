import SyncKitFormats
import Testing

/// The servers that a device trusts with its data.
struct ServerTrustTests {
  /// A machine that hosts a server with a certificate of its own.
  private struct Host {
    let machine: TestDevice
    let certificates: TestCertificates
    let pair: TestCertificates.Pair
    let process: RunningCommand
    let url: String

    init(selfSigned: Bool = false) async throws {
      machine = try TestDevice()
      certificates = try await TestCertificates(machine)
      pair =
        try await selfSigned
        ? certificates.selfSigned("server") : certificates.signed("server")
      process = try RunningCommand(
        "serve", "--listen", "127.0.0.1:0", "--tls-cert", pair.certificate, "--tls-key", pair.key,
        on: machine)
      let line = try await process.firstLine()
      url = "https://localhost:\(line.split(separator: ":").last ?? "")"
    }

    func invite(_ name: String) async throws -> String {
      try await machine.json("server", "invite", name, "--url", url)["link"]?.string ?? ""
    }
  }

  /// Writes on one device and checks that the other one gets it.
  private func expectExchange(_ first: TestDevice, _ second: TestDevice) async throws {
    try await first.run("airports", "add", "ZRH", "LSZH")
    for device in [first, second] {
      let sync = try await device.run("sync")
      #expect(sync.status == 0, "\(sync.error)")
    }
    #expect(try await second.codes() == ["ZRH": "LSZH"])
  }

  @Test func `a private authority is trusted if init names its file`() async throws {
    let host = try await Host()
    let link = try await host.invite("anna")
    let device = try TestDevice()
    let refused = try await device.run("init", "--yes", "--unencrypted", "--join", link, "--json")
    #expect(refused.status == 76 && refused.failure["code"] == "remote.tls", "\(refused.error)")

    // The code was not sent, so it is still valid.
    let file = host.certificates.authority.certificate
    let joined = try await device.run(
      "init", "--yes", "--unencrypted", "--join", link, "--ca-file", file)
    try #require(joined.status == 0, "\(joined.error)")
    #expect(try await device.run("config", "get", "remotes.home.ca-file").output == "\(file)\n")
    let again = try await device.run(
      "init", "--yes", "--unencrypted", "--join", link, "--ca-file", file, "--json")
    #expect(again.status == 0 && again.document["created"] == false, "\(again.error)")

    // The other device learns that it needs the file too.
    let pairing = try await device.run("device", "pair")
    #expect(pairing.output.contains("--ca-file FILE"), "\(pairing.output)")
    let code = try await device.json("device", "pair")["code"]?.string ?? ""
    let phone = try TestDevice()
    #expect(try await phone.run("init", "--yes", "--unencrypted", "--device", "phone").status == 0)
    let added = try await phone.run(
      "remote", "add", "--unencrypted", "home", host.url, "--join", code, "--ca-file", file)
    #expect(added.status == 0, "\(added.error)")
    try await expectExchange(device, phone)
    try await host.process.stop()
  }

  @Test func `a fingerprint replaces an authority, and travels in the link`() async throws {
    let host = try await Host(selfSigned: true)
    let fingerprint = try await host.certificates.fingerprint(host.pair)
    let link = try await host.invite("anna")
    let device = try TestDevice()
    let joined = try await device.run(
      "init", "--yes", "--unencrypted", "--join", link, "--fingerprint", fingerprint)
    try #require(joined.status == 0, "\(joined.error)")

    let shared = try await device.json("device", "pair")["link"]?.string ?? ""
    #expect(shared.contains("&sha256="), "\(shared)")
    let phone = try TestDevice()
    let paired = try await phone.run(
      "init", "--yes", "--unencrypted", "--device", "phone", "--join", shared)
    #expect(paired.status == 0, "\(paired.error)")
    try await expectExchange(device, phone)

    // Another certificate than the named one is refused, whoever signed it.
    let other = try TestDevice()
    let wrong = "00:" + fingerprint.dropFirst(3)
    let code = try await device.json("device", "pair")["code"]?.string ?? ""
    let refused = try await other.run(
      "init", "--yes", "--unencrypted", "--join", code, "--remote", "home=\(host.url)",
      "--fingerprint", wrong)
    #expect(refused.status == 76, "\(refused.error)")
    #expect(refused.error.contains("not the expected one"), "\(refused.error)")
    #expect(refused.error.contains(fingerprint), "\(refused.error)")
    TrustSentenceTests.expectOwnWords(refused)
    let doubled = try await other.run(
      "init", "--yes", "--unencrypted", "--join", shared, "--fingerprint", wrong)
    #expect(doubled.status == 64, "\(doubled.error)")
    try await host.process.stop()
  }

  @Test func `with a certificate file, a fingerprint is a further condition`() async throws {
    let host = try await Host()
    let fingerprint = try await host.certificates.fingerprint(host.pair)
    let file = host.certificates.authority.certificate
    let link = try await host.invite("anna")
    let other = try await host.certificates.selfSigned("elsewhere")
    for (authority, print, status) in [
      (other.certificate, fingerprint, 76), (file, "00:" + fingerprint.dropFirst(3), 76),
      (file, fingerprint, 0),
    ] as [(String, String, Int32)] {
      let device = try TestDevice()
      let joined = try await device.run(
        "init", "--yes", "--unencrypted", "--join", link, "--ca-file", authority, "--fingerprint",
        print)
      #expect(joined.status == status, "\(joined.error)")
    }
    try await host.process.stop()
  }

  @Test func `a host's invitation carries the fingerprint of a self-signed certificate`()
    async throws
  {
    let host = try await Host(selfSigned: true)
    for (key, value) in [
      ("server.tls-cert", host.pair.certificate), ("server.tls-key", host.pair.key),
      ("server.url", host.url),
    ] {
      let set = try await host.machine.run("config", "set", key, value)
      #expect(set.status == 0, "\(set.error)")
    }
    let link = try await host.machine.json("server", "invite", "anna")["link"]?.string ?? ""
    let device = try TestDevice()
    let joined = try await device.run("init", "--yes", "--unencrypted", "--join", link)
    #expect(joined.status == 0, "\(joined.error)")
    #expect(try await device.run("sync").status == 0)
    try await host.process.stop()
  }

  @Test func `SSL_CERT_FILE names the authorities as well`() async throws {
    let host = try await Host()
    let link = try await host.invite("anna")
    let device = try TestDevice()
    let variables = ["SSL_CERT_FILE": host.certificates.authority.certificate]
    let joined = try await device.run(
      ["init", "--yes", "--unencrypted", "--join", link], variables: variables)
    #expect(joined.status == 0, "\(joined.error)")
    #expect(try await device.run(["sync"], variables: variables).status == 0)
    #expect(try await device.run("sync").status == 76)
    let missing = try await device.run(["sync"], variables: ["SSL_CERT_FILE": "/nowhere.pem"])
    #expect(missing.status == 78 && missing.error.contains("/nowhere.pem"), "\(missing.error)")
    TrustSentenceTests.expectOwnWords(missing)
    try await host.process.stop()
  }

  @Test func `a server can be configured completely with config set`()
    async throws
  {
    let host = try await Host()
    let file = host.certificates.authority.certificate
    let device = try TestDevice()
    let lonely = try await device.run("config", "set", "remotes.home.ca-file", file)
    #expect(lonely.status == 78)
    #expect(lonely.error.contains("config set remotes.home '{type: http"), "\(lonely.error)")
    let whole = try await device.run(
      "config", "set", "remotes.home", "{type: http, url: '\(host.url)'}")
    #expect(whole.status == 0, "\(whole.error)")
    let named = try await device.run("config", "set", "remotes.home.ca-file", file)
    #expect(named.status == 0, "\(named.error)")
    let print = try await host.certificates.fingerprint(host.pair)
    let pinned = try await device.run("config", "set", "remotes.home.fingerprint", print)
    #expect(pinned.status == 0, "\(pinned.error)")
    let wrong = try await device.run("config", "set", "remotes.home.fingerprint", "AB:CD")
    #expect(wrong.status == 78 && wrong.error.contains("64 hexadecimal digits"), "\(wrong.error)")
    let link = try await host.invite("anna")
    let joined = try await device.run(
      "remote", "add", "--unencrypted", "home", host.url, "--join", link)
    #expect(joined.status == 0, "\(joined.error)")
    try await host.process.stop()
  }

  @Test(arguments: [
    ["--ca-file", "/nowhere.pem", "--remote", "home=https://sync.example.org"],
    ["--fingerprint", "AB:CD", "--remote", "home=https://sync.example.org"],
    [
      "--fingerprint", String(repeating: "ab", count: 32), "--remote", "home=http://127.0.0.1:1",
    ], ["--fingerprint", String(repeating: "ab", count: 32), "--remote", "folder=file:shared"],
  ])
  func `an unusable trust setting is refused before anything is written`(
    words: [String]
  ) async throws {
    let device = try TestDevice()
    let outcome = try await device.run(["init", "--yes", "--unencrypted"] + words)
    #expect([64, 66].contains(outcome.status), "\(outcome.error)")
    #expect(Files.names(in: device.path(".config/cloudsync")).isEmpty)
  }
}
