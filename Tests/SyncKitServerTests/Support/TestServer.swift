import AsyncHTTPClient
import SyncKitFormats
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import RealPlaces
import SyncKit
import SyncKitTesting
import SyncWire
import Synchronization

@testable import SyncKitServer

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// A server on a port of its own with a folder of its own, for one test.
final class TestServer: Sendable {
  let folder: String
  let clock: VirtualClock
  let environment: SyncEnvironment
  let state: ServerState
  let administration: ServerAdministration
  let client: HTTPClient
  let base: String

  /// Runs a server for as long as `body` takes.
  static func run(
    rates: RequestRates = .none, policy: ServerPolicy = ServerPolicy(),
    bodies: BodyBudget = BodyBudget(), bucket: TestBucket? = nil,
    over database: PostgreSQLAddress? = nil,
    _ body: @Sendable (TestServer) async throws -> Void
  ) async throws {
    let folder = try temporaryFolder()
    defer { removeFolder(folder) }
    let clock = VirtualClock()
    let environment = SyncEnvironment(
      now: { clock.now }, random: { UInt64.random(in: .min ... .max) })
    let address = try database ?? (TestDatabase.isChosen ? TestDatabase.address() : nil)
    let storage =
      if let address {
        try ServerDatabase(address, environment: environment, policy: policy)
      } else {
        try ServerDatabase(folder, environment: environment, policy: policy)
      }
    var logger = Logger(label: "test")
    logger.logLevel = .error
    let state = ServerState(
      storage: storage, environment: environment, rates: rates, bodies: bodies, logger: logger)
    let administration =
      if let address {
        try ServerAdministration(address, environment: environment, policy: policy)
      } else {
        try ServerAdministration(folder, environment: environment, policy: policy)
      }
    let bucket = try bucket ?? TestBucket.chosen.map { try TestBucket($0) }
    if let bucket {
      try await storage.keepLargeBodies(in: bucket.blobs())
      try await administration.reachLargeBodies(in: bucket.blobs())
    }
    let (ports, source) = AsyncStream.makeStream(of: Int.self)
    let application = Application(
      router: ServerRoutes.router(state),
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in
        source.yield(channel.localAddress?.port ?? 0)
        source.finish()
      }, logger: logger)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        defer { source.finish() }
        try? await application.runService(gracefulShutdownSignals: [])
      }
      guard let port = await ports.first(where: { _ in true }) else {
        throw TestFailure("the server did not start")
      }
      let client = HTTPClient(configuration: .init(redirectConfiguration: .disallow))
      let server = TestServer(
        folder: folder, clock: clock, environment: environment, state: state,
        administration: administration, client: client, base: "http://127.0.0.1:\(port)")
      let result: Result<Void, any Error>
      do { result = .success(try await body(server)) } catch { result = .failure(error) }
      try await client.shutdown()
      state.news.close()
      group.cancelAll()
      try await group.waitForAll()
      try await administration.close()
      try await state.close()
      try result.get()
    }
  }

  private init(
    folder: String, clock: VirtualClock, environment: SyncEnvironment, state: ServerState,
    administration: ServerAdministration, client: HTTPClient, base: String
  ) {
    self.folder = folder
    self.clock = clock
    self.environment = environment
    self.state = state
    self.administration = administration
    self.client = client
    self.base = base
  }

  // MARK: Asking

  /// What came back.
  struct Answer: Sendable {
    var status: Int
    var headers: [String: String]
    var bytes: [UInt8]

    var json: JSON { (try? JSON(parsing: bytes)) ?? .null }
    var error: String? { json["error"]?["code"]?.string }
    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  func send(
    _ method: String, _ path: String, token: String? = nil, json: JSON? = nil,
    body: [UInt8]? = nil, type: String? = nil, headers: [(String, String)] = []
  ) async throws -> Answer {
    var request = HTTPClientRequest(url: base + path)
    request.method = .RAW(value: method)
    if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
    if let json {
      request.headers.add(name: "Content-Type", value: WireProtocol.json)
      request.body = .bytes(json.serialized())
    }
    if let body {
      if let type { request.headers.add(name: "Content-Type", value: type) }
      request.body = .bytes(body)
    }
    for (name, value) in headers { request.headers.add(name: name, value: value) }
    let response = try await client.execute(request, timeout: .seconds(60))
    var found: [String: String] = [:]
    for header in response.headers { found[header.name.lowercased()] = header.value }
    let bytes = try await response.body.collect(upTo: 128 << 20)
    return Answer(
      status: Int(response.status.code), headers: found, bytes: Array(bytes.readableBytesView))
  }

  /// Sends a request and reads nothing but the head of the answer.
  func head(_ path: String, token: String?) async throws -> Answer {
    var request = HTTPClientRequest(url: base + path)
    if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
    let response = try await client.execute(request, timeout: .seconds(60))
    var found: [String: String] = [:]
    for header in response.headers { found[header.name.lowercased()] = header.value }
    guard response.status.code >= 300 else {
      return Answer(status: Int(response.status.code), headers: found, bytes: [])
    }
    let bytes = try await response.body.collect(upTo: 1 << 20)
    return Answer(
      status: Int(response.status.code), headers: found, bytes: Array(bytes.readableBytesView))
  }

  func get(_ path: String, _ token: String?) async throws -> Answer {
    do {
      return try await send("GET", path, token: token)
    } catch ChannelError.ioOnClosedChannel {
      // The server had just closed the connection that the client kept.
      return try await send("GET", path, token: token)
    } catch let error as HTTPClientError where error == .remoteConnectionClosed {
      // It closed it while the request was on its way.
      return try await send("GET", path, token: token)
    }
  }

  /// Sends what has to succeed.
  func ask(
    _ method: String, _ path: String, _ token: String?, _ json: JSON? = nil
  ) async throws -> JSON {
    let answer = try await send(method, path, token: token, json: json)
    guard (200..<300).contains(answer.status) else {
      throw TestFailure("\(method) \(path) gave \(answer.status): \(answer.text)")
    }
    return answer.json
  }

  // MARK: People

  /// A person with one device.
  struct Person: Sendable {
    var account: WireName
    var device: String
    /// The token of the device; it may do everything.
    var token: String
  }

  func person(_ name: String) async throws -> Person {
    let account = try await administration.makeAccount(name)
    let code = try await administration.invite(to: account.id)
    return try await join(code.code, account.id + "-1")
  }

  func join(_ code: String, _ device: String) async throws -> Person {
    let request = JoinRequest(code: code, device: WireName(id: device, name: "A device"))
    let joined = try Joined(json: try await ask("POST", "/v1/join", nil, request.json))
    return Person(account: joined.account, device: device, token: joined.token)
  }

  /// A token of another scope.
  func token(_ scope: TokenScope, of person: Person) async throws -> String {
    let made = try await ask(
      "POST", "/v1/tokens", person.token,
      ["name": "Test", "scope": .string(scope.rawValue)])
    return made["token"]?.string ?? ""
  }

  // MARK: Segments

  func push(
    _ segments: [Segment], _ token: String, domain: String = TestSegments.domain
  ) async throws -> [StoreResult] {
    var bytes: [UInt8] = []
    for segment in segments { SegmentFrames.append(segment.bytes, to: &bytes) }
    let answer = try await send(
      "POST", "/v1/domains/\(domain)/segments", token: token, body: bytes,
      type: WireProtocol.segments)
    guard answer.status == 200, let results = answer.json["results"]?.array else {
      throw TestFailure("a push gave \(answer.status): \(answer.text)")
    }
    return try results.map { try StoreResult(json: $0) }
  }

  func feed(
    _ token: String, epoch: String? = nil, after: UInt64 = 0, inside: String? = nil,
    limit: Int? = nil, domain: String = TestSegments.domain
  ) async throws -> FeedPage {
    var path = "/v1/domains/\(domain)/feed?after=\(after)"
    if let epoch { path += "&epoch=\(epoch)" }
    if let inside { path += "&inside=\(inside)" }
    if let limit { path += "&limit=\(limit)" }
    return try FeedPage(json: try await ask("GET", path, token))
  }

  func fetch(
    _ cursors: [UInt64], _ token: String, domain: String = TestSegments.domain
  ) async throws -> [[UInt8]?] {
    let answer = try await send(
      "POST", "/v1/domains/\(domain)/segments/fetch", token: token,
      json: ["cursors": .array(cursors.map { .int(Int64($0)) })])
    guard answer.status == 200 else {
      throw TestFailure("a fetch gave \(answer.status): \(answer.text)")
    }
    return try SegmentFrames.split(answer.bytes)
  }

  /// Shares a zone with a guest and lets it accept.
  @discardableResult
  func share(
    _ zone: ZoneID, of owner: Person, with guest: Person, as role: ZoneAccess.Role,
    domain: String = TestSegments.domain
  ) async throws -> (share: String, participant: String) {
    let request = ShareRequest(domain: domain, zone: zone, title: "A record")
    let share = try await ask("POST", "/v1/shares", owner.token, request.json)
    let id = share["id"]?.string ?? ""
    let invitation = try Invitation(
      json: try await ask(
        "POST", "/v1/shares/\(id)/invitations", owner.token,
        InvitationRequest(role: role, name: "A guest").json))
    _ = try await ask(
      "POST", "/v1/invitations/accept", guest.token, ["secret": .string(invitation.secret)])
    return (id, invitation.participant.id)
  }
}

extension RequestRates {
  /// As many requests as a test likes.
  static var none: RequestRates {
    var rates = RequestRates()
    let much = Rate(perMinute: 1e9, burst: 1e9)
    (rates.token, rates.address, rates.failures, rates.joins) = (much, much, much, much)
    return rates
  }
}

func temporaryFolder() throws -> String {
  let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  var template = Array("\(base)/cloudsync-server-XXXXXX".utf8CString)
  guard mkdtemp(&template) != nil else { throw TestFailure("no temporary folder") }
  return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// Removes a folder of files.
func removeFolder(_ folder: String) {
  if let listing = opendir(folder) {
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { unlink("\(folder)/\(name)") }
    }
    closedir(listing)
  }
  rmdir(folder)
}
