import SyncKitFormats
import LoopbackServer
import Synchronization
import Testing

/// The reactions of a device to refusals by the server, or by a gateway in front of it.
struct ServerTroubleTests {
  /// The answers that a gateway gives by itself.
  private final class Rules: Sendable {
    private let answer = Mutex<(@Sendable (LoopbackRequest) -> LoopbackReply?)?>(nil)
    private let count = Mutex(0)

    /// The number of its own answers since the rule was set.
    var refusals: Int { count.withLock { $0 } }

    func set(_ body: (@Sendable (LoopbackRequest) -> LoopbackReply?)?) {
      count.withLock { $0 = 0 }
      answer.withLock { $0 = body }
    }

    func reply(_ request: LoopbackRequest) -> LoopbackReply? {
      guard let reply = answer.withLock({ $0 })?(request) else { return nil }
      count.withLock { $0 += 1 }
      return reply
    }
  }

  /// A server behind a gateway that answers some requests by itself.
  private final class Gateway: Sendable {
    let host: ServerHost
    private let front: LoopbackServer
    private let rules = Rules()

    init() async throws {
      host = try await ServerHost()
      let port = UInt16(host.url.split(separator: ":").last ?? "") ?? 0
      front = try LoopbackServer { [rules] request, _ in
        rules.reply(request) ?? .forward(request, to: port)
      }
    }

    var refusals: Int { rules.refusals }

    /// From now on answers every request for which the body returns an answer.
    func answers(_ body: (@Sendable (LoopbackRequest) -> LoopbackReply?)?) { rules.set(body) }

    /// A device of a new account that reaches the server through the gateway.
    func device() async throws -> TestDevice {
      let made = try await host.machine.json("server", "invite", "anna", "--url", front.url)
      let device = try TestDevice()
      let outcome = try await device.run(
        "init", "--yes", "--unencrypted", "--join", made["link"]?.string ?? "")
      try #require(outcome.status == 0, "\(outcome.error)")
      return device
    }
  }

  /// A refusal in the form of the server.
  private static func refusal(
    _ status: Int, _ code: String, retryAfter: Int? = nil
  ) -> LoopbackReply {
    var body: JSONObject = ["code": .string(code), "message": "no"]
    var headers = ["Content-Type": "application/json", "Cloudsync-Protocol": "1"]
    if let retryAfter {
      body["retryAfter"] = .int(Int64(retryAfter))
      headers["Retry-After"] = "\(retryAfter)"
    }
    return .http(status, headers, JSON.object(["error": .object(body)]).serialized())
  }

  @Test func `a server that asks for a pause gets it, and then everything that is due`()
    async throws
  {
    let gateway = try await Gateway()
    let device = try await gateway.device()
    try await device.run("airports", "add", "JFK", "KJFK")
    // Once by a proxy that only sends the status, once by the server.
    let replies = Mutex<[LoopbackReply]>([
      .http(429, ["Retry-After": "2"]), Self.refusal(429, "rate-limited", retryAfter: 2),
    ])
    gateway.answers { _ in replies.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    let clock = ContinuousClock()
    var outcome: CommandRunner.Outcome?
    let time = try await clock.measure { outcome = try await device.run("sync", "--json") }
    #expect(outcome?.status == 0, "\(outcome?.error ?? "")")
    #expect(gateway.refusals == 2)
    // A pause is never cut short.
    #expect(time >= .seconds(4), "It took \(time).")
    #expect(try await device.json("status")["domains"]?[0]?["pending"] == 0)
  }

  @Test func `a server that asks for a longer pause gets it, and nothing is lost`()
    async throws
  {
    let gateway = try await Gateway()
    let device = try await gateway.device()
    try await device.run("airports", "add", "JFK", "KJFK")
    gateway.answers { _ in Self.refusal(429, "rate-limited", retryAfter: 3_600) }
    let refused = try await device.run("sync", "--domain", "airports", "--json")
    expectFailure(refused, 75, "remote.rate-limited")
    #expect(refused.failure["retryable"] == true)
    #expect(gateway.refusals == 1, "It asked \(gateway.refusals) times.")
    gateway.answers(nil)
    #expect(try await device.run("sync").status == 0)
    #expect(try await device.json("status")["domains"]?[0]?["pending"] == 0)
  }

  @Test func `a full account loses nothing, and sync continues once there is space`()
    async throws
  {
    let gateway = try await Gateway()
    let device = try await gateway.device()
    try await device.run("airports", "add", "JFK", "KJFK")
    gateway.answers { request in
      request.method == "POST" && request.target.hasSuffix("/segments")
        || request.method == "PUT" && request.target.contains("/segments")
        ? Self.refusal(507, "quota") : nil
    }
    let full = try await device.run("sync", "--domain", "airports", "--json")
    expectFailure(full, 73, "remote.quota")
    #expect(gateway.refusals >= 1)
    #expect(try await device.codes() == ["JFK": "KJFK"])
    let status = try await device.json("status", "airports")["domains"]?[0]
    #expect(status?["pending"] == 1 && status?["state"] == "error")
    gateway.answers(nil)
    #expect(try await device.run("sync").status == 0)
    #expect(try await device.json("status", "airports")["domains"]?[0]?["pending"] == 0)
  }

  @Test(arguments: [
    LoopbackReply.http(
      200, ["Content-Type": "text/html"], Array("<html>Sign in to the hotel</html>".utf8)),
    LoopbackReply.http(302, ["Location": "http://portal.example/sign-in"]),
  ])
  func `a captive portal is never taken for an empty account`(portal: LoopbackReply) async throws {
    let gateway = try await Gateway()
    let device = try await gateway.device()
    try await device.run("airports", "add", "JFK", "KJFK")
    try await device.run("sync")
    try await device.run("airports", "add", "ZRH", "LSZH")
    gateway.answers { _ in portal }
    let refused = try await device.run("sync", "--domain", "airports", "--json")
    expectFailure(refused, 76, "remote.foreign")
    #expect(try await device.codes() == ["JFK": "KJFK", "ZRH": "LSZH"])
    // The token went to the configured address, which cannot be avoided, and no further.
    gateway.answers(nil)
    #expect(try await device.run("sync").status == 0)
    #expect(try await device.json("status", "airports")["domains"]?[0]?["pending"] == 0)
  }

  @Test func `a server behind a proxy is reached through it, encrypted end to end`()
    async throws
  {
    let machine = try TestDevice()
    let name = "sync.example.test"
    let made = try await CommandRunner.run(
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-keyout", machine.path("key.pem"), "-out", machine.path("cert.pem"), "-days", "2",
        "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:\(name)",
      ], program: "/usr/bin/openssl", environment: machine.environment, folder: machine.home)
    try #require(made.status == 0, "\(made.error)")
    try await ServerProcess.run(
      machine,
      ["--tls-cert", machine.path("cert.pem"), "--tls-key", machine.path("key.pem")]
    ) { server in
      // The name does not exist: only the proxy knows its address.
      let port = UInt16(server.port)
      let proxy = try LoopbackServer { request, _ in
        request.method == "CONNECT" && request.target == "\(name):443"
          ? .tunnel(to: port) : .http(403)
      }
      let url = "https://\(name)"
      let link =
        try await machine.json(
          "server", "invite", "anna", "--url", url, "--data", machine.path("server"))["link"]?
        .string ?? ""
      let device = try TestDevice()
      let config = device.path("config.yaml")
      try Files.write(
        Array(
          """
          version: 1
          remotes:
            home: { type: http, url: "\(url)", ca-file: "\(machine.path("cert.pem"))" }
          domains: { airports: { remote: home } }
          """.utf8), to: config)
      let way = ["https_proxy": "http://ann:pass@127.0.0.1:\(proxy.port)"]
      let joined = try await device.run(
        ["remote", "add", "--unencrypted", "home", url, "--join", link, "--config", config],
        variables: way)
      try #require(joined.status == 0, "\(joined.error)")
      try await device.run(["airports", "add", "JFK", "KJFK", "--config", config])
      let sync = try await device.run(["sync", "--config", config], variables: way)
      #expect(sync.status == 0, "\(sync.error)")
      #expect(proxy.requests.allSatisfy { $0.headers["proxy-authorization"] != nil })
      // The proxy saw the name, and nothing of the token.
      #expect(!proxy.requests.contains { $0.headers["authorization"] != nil })
      // Live, through the same proxy.
      let watcher = try RunningCommand(
        ["watch", "--jsonl", "--config", config], on: device, variables: way)
      try await watcher.wait(for: "the connection") { watcher in
        watcher.documents.contains { $0["event"] == "connected" }
      }
      #expect(try await watcher.stop() == 143)
      // Without it the server cannot be reached, and nothing is lost.
      let direct = try await device.run(
        ["sync", "--config", config, "--json"], variables: ["no_proxy": "*"])
      #expect(direct.status == 69, "\(direct.error)")
    }
  }

  @Test(arguments: [(Int32(2), Int32(130)), (15, 143)])
  func `a sync that waits for a server ends on a signal, and needs no repair`(
    signal: Int32, status: Int32
  ) async throws {
    let gateway = try await Gateway()
    let device = try await gateway.device()
    try await device.run("airports", "add", "JFK", "KJFK")
    gateway.answers { _ in .silence }
    let sync = try RunningCommand("sync", on: device)
    try await sync.wait(for: "the request") { _ in gateway.refusals > 0 }
    // Local work does not wait for it.
    #expect(try await device.run("airports", "add", "ZRH", "LSZH").status == 0)
    let busy = try await device.run("sync", "--domain", "airports", "--json")
    expectFailure(busy, 75, "store.busy")
    #expect(try await sync.stop(signal) == status)
    gateway.answers(nil)
    #expect(try await device.run("verify").status == 0)
    #expect(try await device.run("sync").status == 0)
    #expect(try await device.json("status", "airports")["domains"]?[0]?["pending"] == 0)
  }
}
