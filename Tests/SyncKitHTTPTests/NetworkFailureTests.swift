import SyncKitFormats
import SyncKitHTTP
import LoopbackServer
import SyncKit
import SyncWire
import Testing

/// What a transport makes of a network that does not carry, and of one that carries something else.
@Suite(.overEveryNetwork) struct NetworkFailureTests {
  @Test func `a port without a listener is unavailable after three tries`() async throws {
    let server = try StandIn { _, _ in .hangUp }
    let url = server.url
    server.stop()
    // Until its thread has let go of the port, the connection is refused or hung up on; both count.
    let waits = Waits()
    let transport = try HTTPTransport(.test(url, waits: waits))
    let error = await failure { _ = try await transport.inventory(of: "books") }
    #expect(error?.code == .remoteUnavailable, "It was \(String(describing: error)).")
    #expect(error?.code.exit == 69)
    #expect(waits.durations.count == 2)
  }

  @Test func `a name that nothing bears is unavailable`() async throws {
    let transport = try HTTPTransport(.test("https://nowhere.invalid"))
    let error = await failure { _ = try await transport.inventory(of: "books") }
    #expect(error?.code == .remoteUnavailable, "It was \(String(describing: error)).")
  }

  @Test func `a server that hangs up is asked three times`() async throws {
    let server = try StandIn { _, _ in .hangUp }
    defer { server.stop() }
    let error = await failure {
      _ = try await HTTPTransport(.test(server.url)).inventory(of: "books")
    }
    #expect(error?.code == .remoteUnavailable, "It was \(String(describing: error)).")
    #expect(server.requests.count == 3)
  }

  @Test func `a server that says nothing is not waited for without end`() async throws {
    let server = try StandIn { _, _ in .silence }
    defer { server.stop() }
    let error = await failure {
      _ = try await HTTPTransport(
        .test(server.url, patience: .milliseconds(200))
      ).inventory(of: "books")
    }
    #expect(error?.code == .remoteUnavailable, "It was \(String(describing: error)).")
    #expect(server.requests.count == 3)
  }

  @Test func `an answer that breaks off is asked for again`() async throws {
    let whole = StandIn.Reply.json(emptyFeed)
    let server = try StandIn { _, number in
      number == 0 ? StandIn.Reply(bytes: whole.bytes.dropLast(5)) : whole
    }
    defer { server.stop() }
    let inventory = try await HTTPTransport(.test(server.url)).inventory(of: "books")
    #expect(inventory.position?.epoch == "e")
    #expect(server.requests.count == 2)
  }

  @Test func `an answer that hangs half way is asked for again`() async throws {
    let whole = StandIn.Reply.json(emptyFeed)
    let server = try StandIn { _, number in
      number == 0 ? StandIn.Reply(bytes: whole.bytes.dropLast(5), holds: true) : whole
    }
    defer { server.stop() }
    let inventory = try await HTTPTransport(
      .test(server.url, patience: .milliseconds(500))
    ).inventory(of: "books")
    #expect(inventory.position?.epoch == "e")
  }

  /// What something that is no server of ours may say.
  static let foreign: [(String, StandIn.Reply)] = [
    ("a captive portal", .text(200, "text/html", "<h1>Welcome to the hotel</h1>", ours: false)),
    ("JSON of another service", .text(200, "application/json", "{\"segments\":[]}", ours: false)),
    ("a redirect to a sign-in", .answer(302, ["Location": "http://portal.example/"], ours: false)),
    ("another service that wants a password", .text(401, "text/plain", "no", ours: false)),
    ("a page that is not there", .text(404, "text/html", "no such page", ours: false)),
    ("a greeting of SSH", StandIn.Reply(bytes: Array("SSH-2.0-OpenSSH_9.2\r\n".utf8))),
  ]

  @Test(arguments: foreign)
  func `something else on the port is never an empty remote`(
    _ name: String, _ reply: StandIn.Reply
  ) async throws {
    let server = try StandIn { _, _ in reply }
    defer { server.stop() }
    let transport = try HTTPTransport(.test(server.url))
    for ask in [
      { _ = try await transport.inventory(of: "books") },
      {
        _ = try await transport.attach(
          RemoteIdentity(vault: [], isKnown: true, newVault: ""), domain: "books")
      },
    ] {
      let error = await failure(ask)
      #expect(error?.code == .remoteForeign, "\(name): \(String(describing: error))")
      #expect(error?.code.exit == 76)
    }
    #expect(server.requests.count == 2)
  }

  @Test(arguments: [502, 503, 504])
  func `a proxy whose server is down is a server that is down`(_ status: Int) async throws {
    let server = try StandIn { _, _ in .text(status, "text/html", "<h1>Oops</h1>", ours: false) }
    defer { server.stop() }
    let error = await failure {
      _ = try await HTTPTransport(.test(server.url)).inventory(of: "books")
    }
    #expect(error?.code == .remoteUnavailable, "It was \(String(describing: error)).")
    #expect(server.requests.count == 3)
  }

  @Test func `a redirect of our own server is not followed either`() async throws {
    let other = try StandIn { _, _ in .json(emptyFeed) }
    let url = other.url
    let server = try StandIn { _, _ in .answer(307, ["Location": "\(url)/v1/x"]) }
    defer {
      server.stop()
      other.stop()
    }
    let error = await failure {
      _ = try await HTTPTransport(.test(server.url)).inventory(of: "books")
    }
    #expect(error?.code == .remoteProtocol, "It was \(String(describing: error)).")
    #expect(other.requests.count == 0)
  }

  @Test func `a newer protocol is reported as one, and nothing of it is read`() async throws {
    let server = try StandIn { _, _ in
      .answer(
        200, ["Content-Type": WireProtocol.json, WireProtocol.header: "2"], emptyFeed.serialized())
    }
    defer { server.stop() }
    let error = await failure {
      _ = try await HTTPTransport(.test(server.url)).inventory(of: "books")
    }
    #expect(error?.code == .formatNewer && error?.code.exit == 76)
  }
}
