import SyncKitFormats
import SyncKitHTTP
import LoopbackServer
import SyncKit
import SyncKitTesting
import SyncWire
import Testing

/// What a transport makes of every refusal.
@Suite(.overEveryNetwork) struct RefusalTests {
  /// A refusal, and what comes of it: the code, the exit status, how often it is asked in all.
  struct Case: Sendable, CustomTestStringConvertible {
    var code: WireError.Code
    var expected: SyncError.Code
    var exit: Int32
    var tries: Int
    var testDescription: String { code.rawValue }
  }

  static let cases: [Case] = [
    Case(code: .badRequest, expected: .remoteProtocol, exit: 76, tries: 1),
    Case(code: .unauthenticated, expected: .remoteSignedOut, exit: 77, tries: 1),
    Case(code: .forbidden, expected: .remoteDenied, exit: 77, tries: 1),
    Case(code: .locked, expected: .remoteLocked, exit: 77, tries: 1),
    Case(code: .notFound, expected: .notFound, exit: 66, tries: 1),
    Case(code: .methodNotAllowed, expected: .remoteProtocol, exit: 76, tries: 1),
    Case(code: .timeout, expected: .remoteUnavailable, exit: 69, tries: 3),
    Case(code: .conflict, expected: .inputInvalid, exit: 65, tries: 1),
    Case(code: .zoneTaken, expected: .inputInvalid, exit: 65, tries: 1),
    Case(code: .gone, expected: .codeSpent, exit: 77, tries: 1),
    Case(code: .tooLarge, expected: .remoteTooLarge, exit: 73, tries: 1),
    Case(code: .unsupportedMedia, expected: .remoteProtocol, exit: 76, tries: 1),
    Case(code: .invalid, expected: .inputInvalid, exit: 65, tries: 1),
    Case(code: .tooMany, expected: .remoteQuota, exit: 73, tries: 1),
    Case(code: .tooManyParticipants, expected: .shareFull, exit: 73, tries: 1),
    Case(code: .newer, expected: .formatNewer, exit: 76, tries: 1),
    Case(code: .rateLimited, expected: .remoteRateLimited, exit: 75, tries: 3),
    Case(code: .failure, expected: .remoteUnavailable, exit: 69, tries: 3),
    Case(code: .unavailable, expected: .remoteUnavailable, exit: 69, tries: 3),
    Case(code: .quota, expected: .remoteQuota, exit: 73, tries: 1),
  ]

  @Test func `every refusal of the protocol has a row here`() {
    #expect(Set(Self.cases.map(\.code)) == Set(WireError.Code.allCases))
  }

  @Test(arguments: cases)
  func `a refusal becomes one error, tried again only where that helps`(
    _ case: Case
  ) async throws {
    let server = try StandIn { _, _ in .refusal(`case`.code) }
    defer { server.stop() }
    let transport = try HTTPTransport(.test(server.url))
    let error = await failure { _ = try await transport.inventory(of: "books") }
    #expect(error?.code == `case`.expected, "It was \(String(describing: error)).")
    #expect(error?.code.exit == `case`.exit)
    #expect(server.requests.count == `case`.tries)
  }

  @Test func `a wait that the server asks for is kept, and a little longer`() async throws {
    let waits = Waits()
    let server = try StandIn { _, number in
      number == 0 ? .refusal(.rateLimited, retryAfter: 7) : .json(emptyFeed)
    }
    defer { server.stop() }
    let transport = try HTTPTransport(.test(server.url, waits: waits))
    let inventory = try await transport.inventory(of: "books")
    #expect(inventory.segments.count == 0)
    #expect(waits.durations.count == 1)
    let wait = try #require(waits.durations.first)
    #expect(wait >= .seconds(7) && wait <= .seconds(8.75), "It waited \(wait).")
  }

  @Test func `a wait that is too long is left to the next run`() async throws {
    let waits = Waits()
    let server = try StandIn { _, _ in .refusal(.rateLimited, retryAfter: 3_600) }
    defer { server.stop() }
    let transport = try HTTPTransport(.test(server.url, waits: waits))
    let error = await failure { _ = try await transport.inventory(of: "books") }
    #expect(error?.code == .remoteRateLimited)
    #expect(error?.message.contains("3600 s") == true, "It says \(String(describing: error)).")
    #expect(server.requests.count == 1 && waits.durations == [])
  }

  @Test func `pauses between tries grow`() async throws {
    let waits = Waits()
    let server = try StandIn { _, _ in .refusal(.failure) }
    defer { server.stop() }
    let transport = try HTTPTransport(.test(server.url, waits: waits))
    _ = await failure { _ = try await transport.inventory(of: "books") }
    let (first, second) = (waits.durations.first ?? .zero, waits.durations.last ?? .zero)
    #expect(waits.durations.count == 2)
    #expect(first >= .milliseconds(250) && first <= .milliseconds(500), "First \(first).")
    #expect(second >= .seconds(1) && second <= .seconds(2), "Then \(second).")
  }

  @Test func `a token that the server does not know is read again the next time`() async throws {
    let server = try StandIn { request, _ in
      request.headers["authorization"]?.hasSuffix(goodToken) == true
        ? .json(emptyFeed) : .refusal(.unauthenticated)
    }
    defer { server.stop() }
    let old = TokenText(.token, from: .seeded(99)).text
    let asked = Counter()
    var settings = try ServerAccess.test(server.url)
    settings.token = { asked.next() == 0 ? old : goodToken }
    let transport = try HTTPTransport(settings)
    let error = await failure { _ = try await transport.inventory(of: "books") }
    #expect(error?.code == .remoteSignedOut)
    _ = try await transport.inventory(of: "books")
    _ = try await transport.inventory(of: "books")
    #expect(asked.count == 2)
  }

  @Test func `half of a token is never sent`() async throws {
    let server = try StandIn { _, _ in .json(emptyFeed) }
    defer { server.stop() }
    for token in ["", "secret", String(goodToken.dropLast())] {
      let transport = try HTTPTransport(.test(server.url, token: token))
      let error = await failure { _ = try await transport.inventory(of: "books") }
      #expect(error?.code == .remoteSignedOut)
      #expect(error.map { "\($0)".contains("secret") } == false)
    }
    #expect(server.requests.count == 0)
  }

  @Test func `without a token only a server on this machine is asked`() async throws {
    let server = try StandIn { _, _ in .json(emptyFeed) }
    defer { server.stop() }
    _ = try await HTTPTransport(.test(server.url, token: nil)).inventory(of: "books")
    #expect(server.requests.map { $0.headers["authorization"] } == [nil])
    let error = await failure {
      _ = try await HTTPTransport(.test("https://sync.invalid", token: nil)).inventory(of: "books")
    }
    #expect(error?.code == .remoteSignedOut)
  }
}

/// A feed with nothing in it.
let emptyFeed =
  FeedPage(
    epoch: "e", cursor: 0, isContinuation: false, hasMore: false, segments: [], erased: [:],
    access: [:]
  ).json
