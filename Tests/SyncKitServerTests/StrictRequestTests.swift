import SyncKitFormats
import SyncKit
import SyncWire
import Testing

@testable import SyncKitServer

/// That a request means what is written, and nothing that a kinder reader would make of it.
@Suite struct StrictRequestTests {
  @Test(arguments: [
    "//v1/account", "/v1//account", "/v1/account/", "/v1/account//", "/%761/account",
    "/v1/%61ccount", "/v1/./account", "/v1/devices/../account", "//healthz", "/healthz/",
  ])
  func `a path in another spelling does not exist`(path: String) async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let head = "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
      let status = try await RawRequest(server).status(
        head + "Authorization: Bearer \(ada.token)\r\n\r\n")
      #expect(status == 404, "\(path)")
    }
  }

  @Test func `a body says what it is`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let json = JSON.object(["name": "x", "scope": "read"]).serialized()
      for (type, status) in [
        (nil, 415), ("text/plain", 415), ("application/jsonx", 415), ("", 415),
        ("application/json", 201), ("Application/JSON; charset=utf-8", 201),
      ] as [(String?, Int)] {
        let answer = try await server.send(
          "POST", "/v1/tokens", token: ada.token, body: json, type: type)
        #expect(answer.status == status, "\(type ?? "none"): \(answer.text)")
      }
      var segments: [UInt8] = []
      SegmentFrames.append(try TestSegments().segment(1).bytes, to: &segments)
      for (type, status) in [
        (nil, 415), ("application/octet-stream", 415), (WireProtocol.segments, 200),
      ] as [(String?, Int)] {
        let answer = try await server.send(
          "POST", "/v1/domains/tests/segments", token: ada.token, body: segments, type: type)
        #expect(answer.status == status, "\(type ?? "none"): \(answer.text)")
      }
    }
  }

  @Test func `a limit is at least one, and more than there may be is that`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      for path in ["/v1/audit", "/v1/domains/tests/feed"] {
        for (limit, status) in [("0", 422), ("-1", 422), ("x", 422), ("1", 200), ("99999999", 200)]
        {
          let answer = try await server.get("\(path)?limit=\(limit)", ada.token)
          #expect(answer.status == status, "\(path) \(limit): \(answer.text)")
        }
      }
    }
  }

  @Test func `a position without its epoch counts for nothing`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      _ = try await server.push([TestSegments().segment(1)], ada.token)
      let page = try await server.feed(ada.token, after: 9_999)
      #expect(!page.isContinuation && page.segments.count == 1)
    }
  }
}
