import SyncKitFormats
import SyncKitHTTP
import LoopbackServer
import SyncKit
import SyncWire
import Testing

/// What a person does with an account, over the wire.
@Suite(.overEveryNetwork) struct ClientTests {
  private static let device = Device(id: "device-1", name: "laptop")

  @Test func `joining sends no token, and is not tried again when its answer is lost`() async throws
  {
    let server = try StandIn { _, _ in .hangUp }
    defer { server.stop() }
    let client = try SyncServerClient(.test(server.url))
    let error = await failure { _ = try await client.join(code: "4F7K-92QD", as: Self.device) }
    #expect(error?.code == .remoteUnavailable)
    #expect(server.requests.count == 1)
    #expect(server.requests.first?.headers["authorization"] == nil)
  }

  @Test func `what must not be done twice is sent once, even over a kept connection that is gone`()
    async throws
  {
    let server = try StandIn { request, _ in
      guard request.method == "GET" else { return .hangUp }
      var reply = StandIn.Reply.answer(
        200, ["Content-Type": WireProtocol.json, "Connection": ""],
        Array("{\"devices\":[]}".utf8))
      reply.keeps = true
      return reply
    }
    defer { server.stop() }
    let client = try SyncServerClient(.test(server.url))
    #expect(try await client.devices().isEmpty)
    let error = await failure { _ = try await client.join(code: "4F7K-92QD", as: Self.device) }
    #expect(error?.code == .remoteUnavailable)
    #expect(server.requests.map(\.method) == ["GET", "POST"])
  }

  @Test func `a server that is busy is asked again for a code`() async throws {
    let code = PairingCode(code: "4F7K-92QD", expires: 5)
    let server = try StandIn { _, number in
      number == 0 ? .refusal(.unavailable) : .json(code.json, status: 201)
    }
    defer { server.stop() }
    let made = try await SyncServerClient(.test(server.url)).makePairingCode()
    #expect(made.code == code.code && server.requests.count == 2)
  }

  @Test func `a removal whose answer was lost has been done`() async throws {
    let server = try StandIn { _, number in number == 0 ? .hangUp : .refusal(.notFound) }
    defer { server.stop() }
    try await SyncServerClient(.test(server.url)).revoke(device: "x")
    #expect(server.requests.count == 2)
  }

  @Test func `removing what does not exist is reported`() async throws {
    let server = try StandIn { _, _ in .refusal(.notFound) }
    defer { server.stop() }
    let error = await failure { try await SyncServerClient(.test(server.url)).revoke(device: "x") }
    #expect(error?.code == .notFound)
  }

  @Test func `ids cannot lead elsewhere`() async throws {
    let server = try StandIn { _, _ in .answer(204) }
    defer { server.stop() }
    let client = try SyncServerClient(.test(server.url))
    try await client.revoke(device: "../tokens/x?y#z")
    try await client.stopSharing("..")
    #expect(
      server.requests.map(\.path) == [
        "/v1/devices/..%2Ftokens%2Fx%3Fy%23z",
        "/v1/shares/%2E%2E",
      ])
  }

  @Test func `shares and their people are read`() async throws {
    let share = WireShare(
      id: "s1", domain: "health", zone: "subject-1", title: "Anna", role: .owner,
      owner: WireName(id: "a", name: "Me"),
      participants: [WireParticipant(id: "p", name: "Ben", role: .reader, state: .accepted)])
    let server = try StandIn { request, _ in
      request.path == "/v1/shares" && request.method == "GET"
        ? .json(["shares": [share.json]]) : .json(share.json)
    }
    defer { server.stop() }
    let client = try SyncServerClient(.test(server.url))
    let shares = try await client.shares()
    #expect(shares.map(\.title) == ["Anna"] && shares.first?.participants == share.participants)
    let made = try await client.share("subject-1", of: "health", title: "Anna")
    #expect(made.id == "s1")
    #expect(server.requests.last?.json?["zone"] == "subject-1")
  }
}
