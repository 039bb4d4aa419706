import SyncKitFormats
import HTTPTypes
import SyncKit
import SyncWire
import Testing

@testable import SyncKitServer

/// Every route, asked by every role about what is its own, shared with it, foreign and absent.
@Suite struct AuthorizationMatrixTests {
  @Test func `every route has a row and every row a route`() {
    let routes = ServerRoutes.table.map { "\($0.method.rawValue) \($0.path)" }
    #expect(routes.sorted() == AuthorizationRow.all.keys.sorted())
    #expect(Set(routes).count == routes.count)
  }

  @Test(arguments: AuthorizationRole.allCases)
  func `every route answers a role as its row says`(role: AuthorizationRole) async throws {
    try await TestServer.run { server in
      for target in AuthorizationTarget.allCases {
        for route in ServerRoutes.table {
          try await check(route, role, target, server)
        }
      }
    }
  }

  private func check(
    _ route: ServerRoute, _ role: AuthorizationRole, _ target: AuthorizationTarget,
    _ server: TestServer
  ) async throws {
    let name = "\(route.method.rawValue) \(route.path)"
    guard let row = AuthorizationRow.all[name] else { return }
    let relation = AuthorizationRow.relation(role, target)
    let wanted: Int
    if let scope = route.scope {
      wanted =
        !role.hasToken
        ? 401 : !role.scope.includes(scope) ? 403 : row.status(relation, role, target)
    } else {
      wanted = row.status(relation, role, target)
    }
    let world = try await AuthorizationWorld.make(server, role, target)
    let answer = try await send(route, row, world, server)
    let cell = "\(name) · \(role.rawValue) · \(target.rawValue)"
    #expect(answer.status == wanted, "\(cell): \(answer.text)")
    #expect(answer.headers["cloudsync-protocol"] == "1", "\(cell)")
    #expect(answer.headers["cache-control"] == "no-store", "\(cell)")
    switch answer.status {
    case 401: #expect(answer.json == Refusal.unauthenticated.json, "\(cell)")
    case 404: #expect(answer.bytes == Refusal.notFound.json.serialized(), "\(cell)")
    default: break
    }
    try await checkContent(route, relation, world, answer, cell)
    if !role.hasToken || relation != .owner {
      try await checkUnharmed(relation, role, world, server, cell)
    }
  }

  private func send(
    _ route: ServerRoute, _ row: AuthorizationRow, _ world: AuthorizationWorld,
    _ server: TestServer
  ) async throws -> TestServer.Answer {
    let path = route.path
      .replacing("{device}", with: world.device).replacing("{token}", with: world.otherToken)
      .replacing("{root}", with: "0f0e0d0c-0b0a-4908-8706-050403020100")
      .replacing("{domain}", with: TestSegments.domain)
      .replacing("{zone}", with: world.zone.text)
      .replacing("{cursor}", with: "\(world.cursor)").replacing("{share}", with: world.share)
      .replacing("{participant}", with: world.participant)
    let method = route.method.rawValue
    if route.path == "/v1/events" { return try await server.head(path, token: world.token) }
    switch try row.body(world) {
    case .none: return try await server.send(method, path, token: world.token)
    case .json(let json):
      return try await server.send(method, path, token: world.token, json: json)
    case .segments(let bytes):
      return try await server.send(
        method, path, token: world.token, body: bytes, type: WireProtocol.segments)
    }
  }

  /// What a good answer may and may not tell.
  private func checkContent(
    _ route: ServerRoute, _ relation: AuthorizationRow.Relation, _ world: AuthorizationWorld,
    _ answer: TestServer.Answer, _ cell: String
  ) async throws {
    guard answer.status == 200 else { return }
    let mayRead = relation == .owner || relation == .reader || relation == .writer
    switch route.path {
    case "/v1/domains/{domain}/feed":
      let page = try FeedPage(json: answer.json)
      #expect(page.segments.contains { $0.zone == world.zone } == mayRead, "\(cell)")
    case "/v1/domains/{domain}/segments/fetch":
      let frames = try SegmentFrames.split(answer.bytes)
      #expect(frames.count == 1, "\(cell)")
      #expect((frames.first.map { $0 != nil } ?? false) == mayRead, "\(cell)")
    case "/v1/domains/{domain}/segments":
      let status = answer.json["results"]?[0]?["status"]?.string
      let isRefused = relation == .reader || relation == .removed || relation == .left
      #expect(status == (isRefused ? "refused" : "stored"), "\(cell)")
    case "/v1/shares" where route.method == .get:
      let isTold = mayRead || relation == .removed
      #expect(answer.text.contains(world.share) == isTold, "\(cell)")
    case "/v1/devices": #expect(answer.text.contains(world.device) == (relation == .owner))
    case "/v1/tokens" where route.method == .get:
      #expect(answer.text.contains(world.otherToken) == (relation == .owner), "\(cell)")
    default: break
    }
  }

  /// Whatever a stranger asked, the owner's things stand as before; a writer may have added.
  private func checkUnharmed(
    _ relation: AuthorizationRow.Relation, _ role: AuthorizationRole, _ world: AuthorizationWorld,
    _ server: TestServer, _ cell: String
  ) async throws {
    guard let token = world.ownerToken else { return }
    let page = try await server.feed(token)
    let segments = page.segments.filter { $0.zone == world.zone }
    let wanted = relation == .writer && role.hasToken ? 1...2 : 1...1
    #expect(wanted.contains(segments.count), "\(cell): \(segments.count) segments")
    #expect(page.erased[world.zone] == nil, "\(cell): the zone was erased")
    let devices = try await server.get("/v1/devices", token)
    #expect(devices.text.contains(world.device), "\(cell): the device is gone")
    let tokens = try await server.get("/v1/tokens", token)
    #expect(tokens.text.contains(world.otherToken), "\(cell): the token is gone")
    let shares = try await server.get("/v1/shares", token)
    #expect(shares.text.contains(world.share), "\(cell): the share is gone")
  }
}
