import SyncKitFormats
import LoopbackServer
import Synchronization
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Fetching from a stand-in for Strava, through the real program.
struct BikeStravaTests {
  /// The stand-in's data and behaviour.
  private struct State: Sendable {
    var activities: [(id: Int, day: Int)] = [(1, 5), (2, 4), (3, 3)]
    var usage = "1,1"
    var tokens = 0
    var lifetime: Int64 = 21_600
    var isBroken = false
  }

  private struct Answer {
    var status = 200
    var headers: [String: String] = [:]
    var body: String
  }

  private final class Service: Sendable {
    let state = Mutex(State())
    private let start = BikeStravaTests.now
    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    func answer(_ request: LoopbackRequest) -> LoopbackReply {
      let answer = self.outcome(of: request)
      return .http(answer.status, answer.headers, Array(answer.body.utf8))
    }

    private func outcome(of request: LoopbackRequest) -> Answer {
      state.withLock { state in
        let now = start
        var answer = Answer(
          headers: ["X-RateLimit-Limit": "200,2000", "x-ratelimit-usage": state.usage],
          body: #"{"message":"Record Not Found","errors":[]}"#)
        func ok(_ body: String) { answer.body = body }
        if state.isBroken {
          answer.status = 500
        } else if request.target == "/api/v3/oauth/token" {
          guard request.text.contains("client_secret=top-secret"),
            request.text.contains("code=good")
              || request.text.contains("refresh_token=r\(state.tokens)")
          else {
            answer.status = 400
            return answer
          }
          state.tokens += 1
          ok(
            #"{"access_token":"a\#(state.tokens)","refresh_token":"r\#(state.tokens)","expires_at":\#(now / 1000 + state.lifetime),"athlete":{"id":7,"firstname":"Ada"}}"#
          )
        } else if request.headers["authorization"] != "Bearer a\(state.tokens)" {
          answer.status = 401
        } else if request.target == "/api/v3/athlete" {
          ok(#"{"id":7,"firstname":"Ada","bikes":[{"id":"b7","name":"Trail","distance":1.5}]}"#)
        } else if request.target.hasPrefix("/api/v3/athlete/activities?") {
          let rows = request.target.contains("page=1&") ? state.activities : []
          let texts = rows.map { id, day in
            let date = Timestamp.format(milliseconds: now - Int64(day) * 86_400_000)
            return
              #"{"id":\#(id),"sport_type":"Ride","start_date":"\#(date)","moving_time":3600,"distance":20000.0,"gear_id":"b7","upload_id":987654321234567891234}"#
          }
          ok("[\(texts.joined(separator: ","))]")
        } else if request.target == "/oauth/deauthorize" {
          ok("{}")
        } else {
          answer.status = 404
        }
        return answer
      }
    }
  }

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000
  }

  private let service = Service()
  private let standIn: LoopbackServer
  private let device: TestDevice

  init() throws {
    standIn = try LoopbackServer { [service] request, _ in service.answer(request) }
    device = try TestDevice()
    try Files.makeFolder(device.path(".config"))
    try Files.makeFolder(device.path(".config/cloudsync"))
    let text = """
      version: 1
      domains:
        bike:
          strava: { client-id: "42", client-secret: { env: SECRET }, url: "\(standIn.url)" }
      """
    try Files.write(Array(text.utf8), to: device.path(".config/cloudsync/config.yaml"))
  }

  @discardableResult
  private func strava(_ words: String...) async throws -> CommandRunner.Outcome {
    try await device.run(
      ["bike", "strava"] + words + ["--json"], variables: ["SECRET": "top-secret"])
  }

  private var tokenFile: String { device.path(".local/state/cloudsync/strava-token.json") }

  @Test func `rides are fetched, once, and deletions are noticed`() async throws {
    defer { standIn.stop() }
    expectFailure(try await strava("pull"), 77, "strava.denied")
    let login = try await strava("login", "--answer", "good")
    try #require(login.status == 0, "\(login.error)")
    #expect(login.document["athlete"]?.string == "Ada")
    #expect(Files.mode(tokenFile) == 0o600)
    #expect(!login.output.contains("a1") && !login.error.contains("a1"))
    #expect(try await strava("pull").document["added"]?.int == 5)
    #expect(try await strava("pull").document["batch"] == .null)
    service.change { $0.activities.removeLast() }
    #expect(try await strava("pull").document["deleted"]?.int == 1)
    let rides = try await device.json("bike", "ride", "list")["records"]?.array ?? []
    #expect(rides.map { $0["id"]?.string } == ["1", "2"])
    #expect(rides.first?["fields"]?["uploadId"]?.string == "987654321234567891234")
    #expect(try await device.json("bike", "show", "b7")["fields"]?["name"]?.string == "Trail")

    // The token is in its file and in no store.
    for name in Files.names(in: device.path(".local/share/cloudsync")) {
      let bytes = try Files.read(device.path(".local/share/cloudsync/\(name)"))
      #expect(!String(decoding: bytes, as: UTF8.self).contains("refreshToken"), "\(name)")
    }
    #expect(try await strava("logout").document["loggedOut"]?.bool == true)
    #expect(Files.mode(tokenFile) == 0)
    #expect(try await device.json("bike", "ride", "list")["records"]?.array?.count == 2)
  }

  @Test func `a token that ends soon is renewed and kept`() async throws {
    defer { standIn.stop() }
    service.change { $0.lifetime = 60 }
    try await strava("login", "--answer", "good")
    service.change { $0.lifetime = 21_600 }
    #expect(try await strava("pull").status == 0)
    #expect(try Files.text(tokenFile).contains("\"r2\""))
    // The old one is no longer valid; the kept one is.
    #expect(try await strava("pull").status == 0)
    #expect(standIn.requests.filter { $0.target.hasSuffix("/oauth/token") }.count == 2)
  }

  @Test func `a used-up request limit ends with 75, and says when it resets`() async throws {
    defer { standIn.stop() }
    try await strava("login", "--answer", "good")
    service.change { $0.usage = "200,300" }
    let outcome = try await strava("pull")
    expectFailure(outcome, 75, "strava.rate-limited")
    #expect(outcome.failure["retryable"]?.bool == true)
    #expect(outcome.failure["hint"]?.string?.contains(":00.000Z") == true)
  }

  @Test func `a service that is unavailable is reported as such`() async throws {
    try await strava("login", "--answer", "good")
    service.change { $0.isBroken = true }
    expectFailure(try await strava("pull"), 69, "strava.unavailable")
    standIn.stop()
    try await Task.sleep(for: .milliseconds(50))
    expectFailure(try await strava("pull"), 69, "strava.unavailable")
  }

  @Test func `the login waits for the browser's answer on this machine, which has to be ours`()
    async throws
  {
    defer { standIn.stop() }
    async let outcome = strava("login", "--wait", "60s")
    let page = try await page()
    let redirect = try #require(Self.value("redirect_uri", in: page))
    let state = try #require(Self.value("state", in: page))
    #expect(redirect.hasPrefix("http://127.0.0.1:"))
    #expect(LoopbackServer.status(of: "\(redirect)x?code=good") != 200)
    #expect(
      LoopbackServer.status(of: "\(redirect)?state=\(state)&code=good&scope=read,activity:read_all")
        == 200)
    let result = try await outcome
    #expect(result.status == 0, "\(result.error)")
    #expect(result.document["scope"]?.string == "read,activity:read_all")
  }

  @Test func `an answer with another state is refused`() async throws {
    defer { standIn.stop() }
    async let outcome = strava("login", "--wait", "60s")
    let redirect = try #require(Self.value("redirect_uri", in: try await page()))
    #expect(LoopbackServer.status(of: "\(redirect)?state=forged&code=good") == 200)
    let result = try await outcome
    #expect(result.status == 77)
    #expect(Files.mode(tokenFile) == 0)
  }

  @Test func `a browser that never answers ends the waiting`() async throws {
    defer { standIn.stop() }
    let outcome = try await strava("login", "--wait", "50ms")
    #expect(outcome.status == 77 && outcome.error.contains("did not answer"))
  }

  /// The address that a running login prints.
  private func page() async throws -> String {
    for _ in 0..<1_000 {
      for name in Files.names(in: device.home) where name.hasSuffix(".err") {
        let lines = ((try? Files.text(device.path(name))) ?? "").split(separator: "\n")
        if lines.count > 1, let line = lines.first(where: { $0.contains("/oauth/authorize?") }) {
          return String(line.drop { $0 == " " })
        }
      }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw CommandRunner.Failure(what: "no page was printed")
  }

  private static func value(_ name: String, in page: String) -> String? {
    let parts = page.split(whereSeparator: { $0 == "?" || $0 == "&" })
    guard let part = parts.first(where: { $0.hasPrefix("\(name)=") }) else { return nil }
    let text = String(part.dropFirst(name.count + 1))
    return text.replacing("%3A", with: ":").replacing("%2F", with: "/")
  }
}
