import SyncKitFormats
import SyncKitHTTP
import LoopbackServer
import SyncKit
import SyncWire
import Testing

/// Answers of a server that is broken or hostile.
@Suite(.overEveryNetwork) struct HostileAnswerTests {
  static let answers: [(String, StandIn.Reply)] = [
    ("no JSON", .text(200, WireProtocol.json, "<feed/>")),
    ("the wrong type", .text(200, "text/html", emptyFeed.text())),
    ("no type", .answer(200, [:], emptyFeed.serialized())),
    ("an empty body", .answer(200, ["Content-Type": WireProtocol.json])),
    ("no content", .answer(204)),
    ("a list in place of an object", .json([])),
    ("a key that is missing", .json(["epoch": "e"])),
    ("a key of another kind", .json(changing(emptyFeed, "cursor", "one"))),
    ("a number below zero", .json(changing(emptyFeed, "cursor", -1))),
    (
      "a key twice",
      .text(200, WireProtocol.json, "{\"epoch\":\"e\",\"epoch\":\"e\"}")
    ),
    (
      "deep nesting",
      .text(
        200, WireProtocol.json,
        String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000))
    ),
    (
      "a length that is too great",
      .answer(
        200, ["Content-Type": WireProtocol.json, "Content-Length": "99999999999"],
        emptyFeed.serialized())
    ),
    ("a redirect without a place", .answer(304)),
  ]

  static func changing(_ json: JSON, _ key: String, _ value: JSON) -> JSON {
    var object = json.object ?? JSONObject()
    object[key] = value
    return .object(object)
  }

  @Test(arguments: answers)
  func `an answer that breaks the protocol stops with 76`(
    _ name: String, _ reply: StandIn.Reply
  ) async throws {
    let server = try StandIn { _, _ in reply }
    defer { server.stop() }
    let error = await failure {
      _ = try await HTTPTransport(.test(server.url)).inventory(of: "books")
    }
    #expect(error?.code == .remoteProtocol, "\(name): \(String(describing: error))")
    #expect(error?.code.exit == 76)
    #expect(server.requests.count == 1)
  }

  @Test func `an answer that unpacks to a thousand times its size is refused`() async throws {
    let bomb = try Gzip.compress([UInt8](repeating: UInt8(ascii: " "), count: 64 << 20))
    #expect(bomb.count < 100_000)
    let server = try StandIn { _, _ in
      .answer(200, ["Content-Type": WireProtocol.json, "Content-Encoding": "gzip"], bomb)
    }
    defer { server.stop() }
    let error = await failure {
      _ = try await HTTPTransport(.test(server.url)).inventory(of: "books")
    }
    #expect(error?.code == .remoteProtocol, "It was \(String(describing: error)).")
  }

  @Test func `an answer may be packed`() async throws {
    let packed = try Gzip.compress(emptyFeed.serialized())
    let server = try StandIn { _, _ in
      .answer(200, ["Content-Type": WireProtocol.json, "Content-Encoding": "gzip"], packed)
    }
    defer { server.stop() }
    let inventory = try await HTTPTransport(.test(server.url)).inventory(of: "books")
    #expect(inventory.position == FeedPosition(epoch: "e", cursor: 0))
    #expect(server.requests.first?.headers["accept-encoding"] == "gzip")
  }

  @Test func `a feed that makes no progress is given up`() async throws {
    let page = FeedPage(
      epoch: "e", cursor: 5, isContinuation: true, hasMore: true, segments: [], erased: [:],
      access: [:])
    let server = try StandIn { _, _ in .json(page.json) }
    defer { server.stop() }
    let error = await failure {
      _ = try await HTTPTransport(.test(server.url)).inventory(of: "books")
    }
    #expect(error?.code == .remoteProtocol, "It was \(String(describing: error)).")
    #expect(server.requests.count == 2)
  }

  @Test func `a feed that starts over with every page is given up`() async throws {
    let server = try StandIn { _, number in
      .json(
        FeedPage(
          epoch: "e\(number)", cursor: 5, isContinuation: false, hasMore: true, segments: [],
          erased: [:], access: [:]
        ).json)
    }
    defer { server.stop() }
    let error = await failure {
      _ = try await HTTPTransport(.test(server.url)).inventory(of: "books")
    }
    #expect(error?.code == .remoteProtocol, "It was \(String(describing: error)).")
    #expect(server.requests.count < 20)
  }

  @Test func `what a refusal says is shown in one short line without control characters`()
    async throws
  {
    let evil = "no\u{1B}[2J\r\n\u{202E}" + String(repeating: "x", count: 5_000)
    let server = try StandIn { _, _ in .json(WireError(.forbidden, evil).json, status: 403) }
    defer { server.stop() }
    let error = await failure {
      _ = try await HTTPTransport(.test(server.url)).inventory(of: "books")
    }
    let said = error?.cause ?? ""
    #expect(said.hasPrefix("no[2Jxxx") && said.count <= 300, "It says \(said.debugDescription).")
  }

  @Test func `no error says the token`() async throws {
    for code in WireError.Code.allCases {
      let server = try StandIn { _, _ in .refusal(code) }
      let error = await failure {
        _ = try await HTTPTransport(.test(server.url)).inventory(of: "books")
      }
      server.stop()
      #expect(error.map { "\($0) \($0.hint ?? "")".contains(goodToken.suffix(59)) } == false)
    }
  }
}
