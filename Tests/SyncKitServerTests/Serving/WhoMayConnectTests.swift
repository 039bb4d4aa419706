import SyncKitFormats
import Testing

@testable import SyncKitServer

/// The clients that get in, and their names.
struct WhoMayConnectTests {
  private func ask(
    _ server: ShellServer, host: String = "localhost", path: String = "/who",
    fields: String = ""
  ) async throws -> RawClient.Reading {
    try await RawClient.exchange(
      "GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\(fields)Connection: close\r\n\r\n",
      port: server.port)
  }

  @Test func `a server of this machine answers to its own names alone`() async throws {
    try await ShellServer.run { server in
      for host in ["localhost", "LOCALHOST:1", "127.0.0.1:\(server.port)", "[::1]:80", "127.1.2.3"]
      {
        let answer1 = try await ask(server, host: host)
        #expect(answer1.status == 200, "\(host)")
      }
      for host in [
        "evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1.evil.example",
        "0.0.0.0", "192.168.0.1", "[::2]", "127.0.0.256", "",
      ] {
        let answer2 = try await ask(server, host: host)
        #expect(answer2.status == 400, "'\(host)'")
      }
    }
  }

  @Test func `behind a proxy every name is right`() async throws {
    try await ShellServer.run(ShellServer.settings { $0.proxy = .everybody }) { server in
      let answer3 = try await ask(server, host: "sync.example.org")
      #expect(answer3.status == 200)
    }
  }

  @Test func `only a proxy names the client`() async throws {
    let field = "X-Forwarded-For: 203.0.113.7, 198.51.100.2\r\n"
    try await ShellServer.run { server in
      let answer4 = try await ask(server, fields: field)
      #expect(answer4.body == "127.0.0.1")
    }
    for proxy in [
      ServerSettings.TrustedProxy.everybody, .addresses(["10.0.0.1", "127.0.0.1"]),
    ] {
      try await ShellServer.run(ShellServer.settings { $0.proxy = proxy }) { server in
        let answer5 = try await ask(server, fields: field)
        #expect(answer5.body == "198.51.100.2")
        let twice = try await ask(server, fields: field + "X-Forwarded-For: 192.0.2.9\r\n")
        #expect(twice.body == "192.0.2.9")
        let answer6 = try await ask(server)
        #expect(answer6.body == "127.0.0.1")
      }
    }
    let other = ShellServer.settings { $0.proxy = .addresses(["10.0.0.1"]) }
    try await ShellServer.run(other) { server in
      let answer7 = try await ask(server, fields: field)
      #expect(answer7.body == "127.0.0.1")
    }
  }

  @Test func `there are no more connections than allowed`() async throws {
    try await ShellServer.run(ShellServer.settings { $0.limits.connections = 3 }) { server in
      var inside: [RawClient] = []
      for _ in 0..<3 {
        let client = try RawClient(port: server.port)
        await client.send("GET /name/a HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = await client.read(until: "\r\n\r\na")
        inside.append(client)
      }
      let turnedAway = try await ask(server)
      #expect(turnedAway.isClosed && turnedAway.bytes.isEmpty, "\(turnedAway.text)")
      inside.removeLast()
      var status = 0
      while status != 200 { status = try await ask(server).status }
    }
  }

  @Test func `each address has its share, and leaving gives it back`() {
    var limits = ConnectionLimits()
    limits.connections = 5
    limits.connectionsPerAddress = 2
    let census = ConnectionCensus(limits)
    #expect(census.admit("a") && census.admit("a"))
    #expect(!census.admit("a"))
    #expect(census.admit("b") && census.admit(nil) && census.admit(nil))
    #expect(!census.admit("c"))
    #expect(census.total == 5 && census.turnedAway == 2)
    census.leave("a")
    #expect(census.admit("a"))
    census.leave(nil)
    #expect(!census.admit("a") && census.admit("c"))
  }

  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2"),
    ("2001:db8::1", "2001:db8:0:0"), ("::ffff:192.0.2.1", "::ffff:192.0.2.1"),
    ("2001:db8:1:2::", "2001:db8:1:2"), ("fe80::1", "fe80:0:0:0"),
  ])
  func `a household counts as one`(address: String, network: String) {
    #expect(ConnectionCensus.network(of: address) == network)
  }
}
