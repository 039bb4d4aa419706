import SyncKitFormats
import HTTPTypes
import SyncKit
import SyncWire
import Testing

@testable import SyncKitServer

/// Whatever is sent: an answer below 500, and a server that goes on.
@Suite struct HostileRequestTests {
  @Test func `no path leads out, traps or fails`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let raw = RawRequest(server)
      let paths = HostileCorpus.paths
      #expect(paths.count >= 500, "\(paths.count)")
      for path in paths {
        for method in ["GET", "DELETE", "PUT"] {
          let status = try await raw.status(
            "\(method) \(path) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(ada.token)\r\n"
              + "Content-Length: 0\r\nConnection: close\r\n\r\n")
          #expect(status.map { $0 < 500 } ?? true, "\(method) \(path.debugDescription)")
        }
      }
      #expect(try await server.get("/v1/account", ada.token).status == 200)
    }
  }

  @Test func `no JSON traps or fails, whatever route it is sent to`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let routes = ServerRoutes.table.filter { $0.body == .json }
      #expect(routes.count >= 8)
      for route in routes {
        let path = route.path.split(separator: "/").map { part in
          !part.hasPrefix("{") ? String(part) : "abc"
        }.joined(separator: "/")
        for body in HostileCorpus.bodies {
          let answer = try await server.send(
            route.method.rawValue, "/" + path, token: ada.token, body: body,
            type: WireProtocol.json)
          #expect(
            (400..<500).contains(answer.status),
            "\(route.path): \(String(decoding: body.prefix(60), as: UTF8.self)): \(answer.text)")
          #expect(answer.error != nil, "\(route.path)")
        }
      }
    }
  }

  @Test func `what is too large, packed or of another type is refused by its name`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let large = [UInt8](repeating: UInt8(ascii: " "), count: WireProtocol.maximumControlBytes + 1)
      let tooLarge = try await server.send(
        "POST", "/v1/tokens", token: ada.token, body: large, type: WireProtocol.json)
      #expect(tooLarge.status == 413)
      let form = try await server.send(
        "POST", "/v1/tokens", token: ada.token, body: Array("a=b".utf8),
        type: "application/x-www-form-urlencoded")
      #expect(form.status == 415)
      let packed = try await server.send(
        "POST", "/v1/tokens", token: ada.token, body: [1, 2], type: WireProtocol.json,
        headers: [("Content-Encoding", "gzip")])
      #expect(packed.status == 415)
      let wrong = try await server.send("PUT", "/v1/account", token: ada.token)
      #expect(wrong.status == 405)
      #expect(wrong.headers["allow"] == "GET")
    }
  }

  @Test func `no segments trap or fail`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let segment = try TestSegments().segment(1)
      let bytes = segment.bytes
      for cut in stride(from: 0, to: bytes.count, by: 7) {
        var body: [UInt8] = []
        SegmentFrames.append(Array(bytes[..<cut]), to: &body)
        var flipped = bytes
        flipped[cut] ^= 0x40
        SegmentFrames.append(flipped, to: &body)
        let answer = try await server.send(
          "POST", "/v1/domains/tests/segments", token: ada.token, body: body,
          type: WireProtocol.segments)
        #expect(answer.status == 200)
        let statuses = answer.json["results"]?.array?.map { $0["status"]?.string }
        #expect(statuses == ["refused", "refused"], "cut at \(cut)")
      }
      for body: [UInt8] in [[0], [0, 0, 0], [255, 255, 255, 255], [0, 0, 0, 9, 1]] {
        let answer = try await server.send(
          "POST", "/v1/domains/tests/segments", token: ada.token, body: body,
          type: WireProtocol.segments)
        #expect(answer.status == 400, "\(body)")
      }
      let many = [UInt8](repeating: 0, count: 4 * (WireProtocol.batchCount + 1))
      let tooMany = try await server.send(
        "POST", "/v1/domains/tests/segments", token: ada.token, body: many,
        type: WireProtocol.segments)
      #expect(tooMany.status == 413)
      var whole: [UInt8] = []
      SegmentFrames.append(bytes, to: &whole)
      let elsewhere = try await server.send(
        "POST", "/v1/domains/another/segments", token: ada.token, body: whole,
        type: WireProtocol.segments)
      #expect(elsewhere.json["results"]?[0]?["status"] == "refused")
      #expect(try await server.feed(ada.token).segments.count == 0)
    }
  }

  @Test func `impossible numbers of changes are refused`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      for first: UInt64 in [10_000_000_000_000_000, 1 << 63, .max] {
        let results = try await server.push([try TestSegments().segment(first)], ada.token)
        #expect(results.map(\.status) == [.refused], "\(first)")
      }
    }
  }

  @Test func `every invalid token is refused in the same words`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let wanted = try await server.get("/v1/account", nil)
      #expect(wanted.status == 401)
      let invitation = TokenText(.invitation, from: server.environment).text
      var values = [
        "", "Bearer", "Bearer ", "Bearer  \(ada.token)", "Basic \(ada.token)", ada.token,
        "Bearer \(ada.token) x", "Bearer \(ada.token.uppercased())", "Bearer \(invitation)",
        "Bearer \(TokenText(.token, from: server.environment).text)",
        "Bearer " + String(repeating: "a", count: 4_000), "Bearer \u{e9}", "Bearer ../../etc",
        "Bearer cst__", "Bearer cst_\(String(repeating: "a", count: 13))_",
      ]
      for index in stride(from: 0, to: ada.token.utf8.count, by: 5) {
        var text = Array(ada.token.utf8)
        text[index] = text[index] == UInt8(ascii: "a") ? UInt8(ascii: "b") : UInt8(ascii: "a")
        values.append("Bearer " + String(decoding: text, as: UTF8.self))
        values.append("Bearer " + ada.token.prefix(index))
      }
      for value in values {
        let answer = try await server.send(
          "GET", "/v1/account", headers: [("Authorization", value)])
        #expect(answer.status == 401, "\(value)")
        #expect(answer.bytes == wanted.bytes, "\(value)")
      }
      let twice = try await server.send(
        "GET", "/v1/account", token: ada.token, headers: [("Authorization", "Bearer x")])
      #expect(twice.status == 401)
    }
  }

  @Test func `requests that contradict themselves are refused and do no harm`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let raw = RawRequest(server)
      let token = "Authorization: Bearer \(ada.token)\r\n"
      for request in HostileCorpus.requests(token) {
        let status = try await raw.status(request)
        #expect(
          status.map { $0 < 500 || $0 == 501 || $0 == 505 } ?? true, "\(request.debugDescription)")
      }
      #expect(try await server.get("/v1/account", ada.token).status == 200)
    }
  }

  @Test func `numbers of a query are natural or refused`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      for value in ["-1", "1e9", "x", "", "99999999999999999999", "9223372036854775808", "%00"] {
        for key in ["after", "limit"] {
          let answer = try await server.get("/v1/domains/tests/feed?\(key)=\(value)", ada.token)
          #expect(answer.status == 422, "\(key)=\(value)")
        }
      }
      let far = try await server.get(
        "/v1/domains/tests/feed?epoch=x&after=9223372036854775807&limit=1", ada.token)
      #expect(far.status == 200)
      #expect(far.json["continues"] == false)
    }
  }
}
