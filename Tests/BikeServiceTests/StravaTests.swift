import SyncKitFormats
import SyncKit
import SyncKitTesting
import Synchronization
import Testing

@testable import BikeService

/// A stand-in for Strava: pages of activities, bikes, tokens that rotate, limits.
final class FakeStrava: Sendable {
  struct State: Sendable {
    var activities: [String] = []
    var bikes: [String] = [#"{"id":"b1","name":"Trail","distance":1000.5,"resource_state":2}"#]
    var gear: [String: String] = [:]
    var access = "first"
    var refresh = "refresh-1"
    var renewals = 0
    var pageLength = 2
    var usage = "1,1"
    var failAfter = Int.max
    var requests = 0
    /// Whether activities are in the order of time and those before `after` left out, as at Strava.
    var isOrdered = false
    var more: [(name: String, value: String)] = []
  }

  private static func start(of activity: String) -> Int64 {
    (try? JSON(parsing: ExactIntegers.quoted(Array(activity.utf8))))?["start_date"]?.string
      .flatMap(Timestamp.parse) ?? 0
  }

  let state = Mutex(State())

  func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

  func answer(_ request: WebRequest) -> WebResponse {
    state.withLock { state in
      state.requests += 1
      let path = String(request.url.dropFirst("https://strava.test".count))
      let headers = [
        (name: "x-ratelimit-limit", value: "100,1000"),
        (name: "X-Ratelimit-Usage", value: state.usage),
      ]
      if path == "/api/v3/oauth/token" {
        let form = URLForm.decode(String(decoding: request.body, as: UTF8.self))
        guard form["client_secret"] == "secret", form["client_id"] == "42",
          form["refresh_token"] == state.refresh || form["code"] == "the-code"
        else {
          return .json(
            #"{"message":"Bad Request","errors":[{"resource":"RefreshToken","field":"code","code":"invalid"}]}"#,
            400)
        }
        state.renewals += 1
        state.access = "access-\(state.renewals)"
        state.refresh = "refresh-\(state.renewals + 1)"
        return .json(
          #"{"token_type":"Bearer","access_token":"\#(state.access)","refresh_token":"\#(state.refresh)","expires_at":1717221600,"expires_in":21600,"athlete":{"id":7,"firstname":"Ada"}}"#,
          headers: headers)
      }
      guard state.requests <= state.failAfter else {
        return .json(
          #"{"message":"Rate Limit Exceeded","errors":[]}"#, 429,
          headers: state.more.isEmpty ? headers : state.more)
      }
      guard request.headers.contains(where: { $0 == ("Authorization", "Bearer \(state.access)") })
      else { return .json(#"{"message":"Authorization Error","errors":[]}"#, 401) }
      if path == "/api/v3/athlete" {
        return .json(
          #"{"id":987654321234567891234,"firstname":"Ada","bikes":[\#(state.bikes.joined(separator: ","))],"shoes":[{"id":"g5","name":"Shoes"}]}"#,
          headers: headers)
      }
      if path.hasPrefix("/api/v3/gear/") {
        let id = String(path.dropFirst("/api/v3/gear/".count))
        guard let gear = state.gear[id] else {
          return .json(#"{"message":"Record Not Found","errors":[]}"#, 404, headers: headers)
        }
        return .json(gear, headers: headers)
      }
      let query = URLForm.decode(path.split(separator: "?").last ?? "")
      let page = Int(query["page"] ?? "") ?? 1
      let after = (Int64(query["after"] ?? "") ?? 0) * 1000
      let found =
        state.isOrdered
        ? state.activities.map { ($0, Self.start(of: $0)) }.filter { $0.1 > after }
          .sorted { $0.1 < $1.1 }.map(\.0) : state.activities
      let rows = found.dropFirst((page - 1) * state.pageLength).prefix(state.pageLength)
      return .json("[\(rows.joined(separator: ","))]", headers: headers)
    }
  }

  static func activity(
    _ id: String, day: Int, gear: String? = "b1", sport: String = "Ride", moving: Int = 3600,
    more: String = ""
  ) -> String {
    let date = Timestamp.format(milliseconds: Rider.start + Int64(day) * Rider.day)
    let gear = gear.map { "\"\($0)\"" } ?? "null"
    return
      #"{"id":\#(id),"name":"A","distance":20000.5,"moving_time":\#(moving),"elapsed_time":3700,"type":"Ride","sport_type":"\#(sport)","start_date":"\#(date)","gear_id":\#(gear)\#(more)}"#
  }

  /// A client with a token that is valid for another five hours.
  func client(
    expires: Int64 = Rider.start + 18_000_000, access: String = "first",
    saved: @escaping @Sendable (StravaToken) -> Void = { _ in }
  ) -> StravaClient {
    StravaClient(
      StravaAccess(url: "https://strava.test/", clientID: "42"), secret: "secret",
      token: StravaToken(access: access, refresh: "refresh-1", expires: expires),
      fetcher: ScriptedWeb { self.answer($0) }, now: { Rider.start }, save: { saved($0) })
  }

  func pull(_ rider: Rider, _ options: StravaPull.Options = .init()) async throws -> StravaPull {
    let pull = try await StravaPull(
      client(), rides: rider.rides, bikes: rider.bikes, options: options)
    _ = try rider.rides.write(pull)
    try rider.bikes.write { for draft in pull.bikes { try $0.save(draft) } }
    return pull
  }
}

/// Fetching from Strava.
struct StravaTests {
  private let strava = FakeStrava()

  @Test func `a ride is there once, however often it is fetched`() async throws {
    let rider = try Rider("a")
    strava.change { $0.activities = (1...5).map { FakeStrava.activity("\($0)", day: -$0) } }
    _ = try await strava.pull(rider)
    #expect(try rider.rides.records("activity").count == 5)
    let before = try rider.rides.verify().map(\.digest)
    let again = try await strava.pull(rider)
    #expect(again.removed.isEmpty && again.warnings.isEmpty)
    #expect(try rider.rides.verify().map(\.digest) == before)
    #expect(try rider.bikes.record("bike", "b1")?["name"] == "Trail")
  }

  @Test func `what its rider has corrected stays, whatever Strava says again`() async throws {
    let rider = try Rider("a")
    strava.change { $0.activities = [FakeStrava.activity("1", day: -1)] }
    _ = try await strava.pull(rider)
    let ride = try #require(try rider.rides.record("activity", "1"))
    try rider.rides.write {
      try $0.edit(
        ride.key,
        ["gearId": "b2", "corrected": RideCorrections.mark(["gearId"], of: ride)])
    }
    strava.change { $0.activities = [FakeStrava.activity("1", day: -1, moving: 7_200)] }
    _ = try await strava.pull(rider)
    let after = try #require(try rider.rides.record("activity", "1"))
    #expect(after["gearId"] == "b2" && after["movingTime"] == 7_200)
    let more = RideCorrections.mark(["distance"], of: after)
    #expect(more == .list(["distance", "gearId"]))
  }

  @Test func `a bike that an interval names is fetched, though no list has it`() async throws {
    let rider = try Rider("a")
    try rider.interval("Chain", bike: "b900", ["intervalTime": 5])
    #expect(try rider.only().bike.standing == .missing)
    strava.change { $0.gear["b900"] = #"{"id":"b900","name":"Gravel","frame_type":5}"# }
    let pull = try await strava.pull(rider)
    #expect(pull.warnings.isEmpty)
    let bike = try rider.only().bike
    #expect(bike.standing == .here && bike.name == "Gravel" && bike.kind == .gravel)
  }

  @Test func `a bike that Strava does not know stays missing, and the interval stays`() async throws
  {
    let rider = try Rider("a")
    try rider.interval("Chain", bike: "b901", ["intervalTime": 5])
    let pull = try await strava.pull(rider)
    #expect(pull.warnings.contains { $0.contains("b901") })
    #expect(try rider.only().bike.shown == "bike b901, not here")
  }

  @Test func `a token is renewed once when Strava refuses it`() async throws {
    let saved = Mutex<[StravaToken]>([])
    let client = strava.client(access: "revoked") { token in saved.withLock { $0.append(token) } }
    let name = try await client.athlete()["firstname"]?.string
    #expect(name == "Ada")
    #expect(saved.withLock { $0.map(\.refresh) } == ["refresh-2"])
  }

  @Test func `a refresh token that is no longer valid asks for a login`() async throws {
    strava.change { $0.refresh = "another" }
    let client = strava.client(access: "revoked")
    let error = await #expect(throws: SyncError.self) { try await client.athlete() }
    #expect(error?.code == .stravaDenied)
    #expect(error?.message.contains("Bad Request: RefreshToken code invalid") == true)
    #expect(error?.hint?.contains("login") == true)
  }

  @Test func `a code is exchanged for a token`() async throws {
    let saved = Mutex<[StravaToken]>([])
    let client = StravaClient(
      StravaAccess(url: "https://strava.test", clientID: "42"), secret: "secret", token: nil,
      fetcher: ScriptedWeb { [strava] in strava.answer($0) }, now: { Rider.start },
      save: { token in saved.withLock { $0.append(token) } })
    let denied = await #expect(throws: SyncError.self) { try await client.athlete() }
    #expect(denied?.code == .stravaDenied)
    #expect(try await client.logIn(code: "the-code", scope: "read") == "Ada")
    #expect(saved.withLock { $0.first?.expires } == 1_717_221_600_000)
    #expect(saved.withLock { $0.first?.scope } == "read")
  }

  @Test func `no request is sent once the requests are used up, and what was fetched is kept`()
    async throws
  {
    let rider = try Rider("a")
    strava.change {
      $0.activities = (1...6).map { FakeStrava.activity("\($0)", day: $0 - 10) }
      $0.failAfter = 3
      $0.usage = "99,500"
    }
    let pull = try await strava.pull(rider)
    #expect(pull.interruption?.code == .stravaLimit)
    #expect(pull.interruption?.hint?.contains("2024-06-01T00:15:00.000Z") == true)
    #expect(try rider.rides.records("activity").count == 4)
    strava.change { $0.failAfter = .max }
    #expect(try await strava.pull(rider).interruption == nil)
    #expect(try rider.rides.records("activity").count == 6)

    strava.change { $0.usage = "100,1000" }
    let client = strava.client()
    _ = try await client.athlete()
    let before = strava.state.withLock { $0.requests }
    let error = await #expect(throws: SyncError.self) { try await client.athlete() }
    #expect(error?.code == .stravaLimit && error?.code.exit == 75)
    #expect(error?.hint?.contains("2024-06-02T00:00:00.000Z") == true)
    #expect(strava.state.withLock { $0.requests } == before)
  }

  @Test(arguments: [
    (500, "strava.unavailable"), (503, "strava.unavailable"), (403, "strava.denied"),
    (418, "strava.answer"), (429, "strava.rate-limited"), (200, "strava.answer"),
  ])
  func `each fault has a code of its own`(status: Int, code: String) async throws {
    let client = StravaClient(
      StravaAccess(clientID: "42"), secret: "secret",
      token: StravaToken(access: "a", refresh: "r", expires: .max),
      fetcher: ScriptedWeb { _ in .json(status == 200 ? "<html>" : "{}", status) },
      now: { Rider.start }, save: { _ in })
    let error = await #expect(throws: SyncError.self) { try await client.athlete() }
    #expect(error?.code.name == code)
  }

  @Test func `a service that cannot be reached is reported as such`() async throws {
    struct Unplugged: Error {}
    let client = StravaClient(
      StravaAccess(clientID: "42"), secret: "secret",
      token: StravaToken(access: "a", refresh: "r", expires: .max),
      fetcher: ScriptedWeb { _ in throw Unplugged() }, now: { Rider.start }, save: { _ in })
    let error = await #expect(throws: SyncError.self) { try await client.athlete() }
    #expect(error?.code == .stravaUnavailable && error?.code.isRetryable == true)
  }

  @Test func `the browser's answer has to bring back our own state`() throws {
    let good = "/strava?state=abc&code=xyz%201&scope=read,activity:read_all"
    let found = try StravaAccess.code(in: good, state: "abc")
    #expect(found.code == "xyz 1" && found.scope == "read,activity:read_all")
    for bad in [
      "/strava?state=abd&code=x", "/strava?code=x", "/strava", "/strava?state=abc",
      "/strava?state=abc&error=access_denied",
    ] {
      let error = #expect(throws: SyncError.self) { try StravaAccess.code(in: bad, state: "abc") }
      #expect(error?.code == .stravaDenied)
    }
  }

  @Test func `the page asks for private rides, and escapes what it must`() {
    let page = StravaAccess(clientID: "4 2").authorizationPage(
      redirect: "http://127.0.0.1:1/strava", state: "a&b")
    #expect(
      page.hasPrefix("https://www.strava.com/oauth/authorize?client_id=4%202&redirect_uri=http%3A"))
    #expect(page.contains("scope=read%2Cprofile%3Aread_all%2Cactivity%3Aread_all&state=a%26b"))
  }

  @Test func `a token is never shown and comes back from its file`() throws {
    let token = StravaToken(access: "geheim", refresh: "auch", expires: 5_000, scope: "read")
    #expect(!"\(token) \(String(reflecting: token))".contains("geheim"))
    #expect(StravaToken(parsing: token.serialized) == token)
    for text in ["", "{}", #"{"accessToken":"a","refreshToken":"b","expiresAt":-1}"#] {
      #expect(StravaToken(parsing: Array(text.utf8)) == nil)
    }
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func `any activity is read or reported, and nothing traps`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let pieces = [
      "null", "-1", "1e308", "9223372036854775808", "\"x\"", "[]", "{}", "true", "3.5", "\"\"",
      "\"2024-01-01T00:00:00Z\"", "-9223372036854775809",
    ]
    for _ in 0..<200 {
      let keys = [
        "id", "start_date", "sport_type", "moving_time", "distance", "gear_id", "upload_id",
      ]
      let text = keys.map { "\"\($0)\":\(pieces[Int(random.next() % UInt64(pieces.count))])" }
      let json = try JSON(
        parsing: ExactIntegers.quoted(Array("{\(text.joined(separator: ","))}".utf8)))
      if case .ride(var draft, _)? = try? StravaJSON.activity(json) {
        try StravaDomain().normalize(&draft)
      }
      _ = StravaJSON.gear(json)
    }
  }
}
