import CommandFoundation
import SyncKitFormats
import SyncKitHTTP
import LoopbackServer
import SyncKit
import Synchronization
import Testing

@testable import CloudSyncCommands

/// Requests to a fake web service.
struct HTTPFetcherTests {
  /// Answers by the path: `/echo` with the request, `/long` at length, `/never` not at all.
  private static func server() throws -> LoopbackServer {
    let port = Mutex(0)
    let server = try LoopbackServer { request, _ in
      let path = request.target.drop { $0 != "/" }
      switch path {
      case "/redirect": return .http(302, ["Location": "/echo"])
      case "/loop": return .http(302, ["Location": "/loop"])
      case "/away":
        let port = port.withLock { $0 }
        return .http(302, ["Location": "http://localhost:\(port)/echo"])
      case "/long": return .http(200, [:], Array(repeating: UInt8(ascii: "x"), count: 100_000))
      case "/never": return .silence
      case _ where path == "/echo" || path.hasPrefix("/echo?"):
        return .http(200, ["X-Kind": "echo"], request.bytes)
      default: return .http(404)
      }
    }
    port.withLock { $0 = Int(server.port) }
    return server
  }

  private func fetch(
    _ path: String, from server: LoopbackServer, method: String = "GET", body: [UInt8] = [],
    environment: [String: String] = [:], limits: HTTPFetcher.Limits = .init()
  ) async throws -> WebResponse {
    try await HTTPFetcher(environment: environment, limits: limits).fetch(
      WebRequest(
        method: method, url: "\(server.url)\(path)", headers: [("X-Token", "secret")], body: body))
  }

  @Test func `sends a request and gives back the whole answer, whatever its status`() async throws {
    let server = try Self.server()
    let response = try await fetch(
      "/echo?a=b", from: server, method: "POST", body: Array("hello".utf8))
    #expect(response.status == 200)
    #expect(response["x-kind"] == "echo")
    let text = String(decoding: response.body, as: UTF8.self)
    #expect(text.hasPrefix("POST /echo?a=b HTTP/1.1\r\n"))
    #expect(text.contains("\r\nX-Token: secret\r\n"))
    #expect(text.contains("\r\nUser-Agent: cloudsync/\(Version.number)\r\n"))
    #expect(text.hasSuffix("\r\n\r\nhello"))
    #expect(try await fetch("/nowhere", from: server).status == 404)
  }

  @Test func `follows a redirect within the origin and returns one that leads elsewhere`()
    async throws
  {
    let server = try Self.server()
    let inside = try await fetch("/redirect", from: server)
    #expect(inside.status == 200)
    #expect(String(decoding: inside.body, as: UTF8.self).hasPrefix("GET /echo "))
    let outside = try await fetch("/away", from: server)
    #expect(outside.status == 302)
    #expect(outside["location"] == "http://localhost:\(server.port)/echo")
    #expect(try await fetch("/loop", from: server).status == 302)
    #expect(try await fetch("/redirect", from: server, method: "POST", body: [1]).status == 302)
  }

  @Test func `an answer that is too long or too late is an error that names the host`() async throws
  {
    let server = try Self.server()
    var limits = HTTPFetcher.Limits()
    limits.body = 1000
    await #expect(throws: WebFault.self) {
      _ = try await fetch("/long", from: server, limits: limits)
    }
    limits.body = 100_000
    #expect(try await fetch("/long", from: server, limits: limits).body.count == 100_000)
    limits.whole = .milliseconds(200)
    do {
      _ = try await fetch("/never", from: server, limits: limits)
      Issue.record("there was an answer")
    } catch let error as WebFault {
      #expect(error.description.hasPrefix("127.0.0.1 did not answer: "))
    }
  }

  @Test func `says why there is no connection`() async throws {
    let port = try LoopbackServer.unusedPort()
    await #expect {
      _ = try await HTTPFetcher(environment: [:]).fetch(
        WebRequest(url: "http://127.0.0.1:\(port)/"))
    } throws: { error in
      let error = error as? WebFault
      return error?.description.contains("nothing listens there") == true
    }
  }

  @Test(arguments: ["", "ftp://example.org/", "/path", "http://", "file:///etc/passwd"])
  func `refuses an invalid web address`(url: String) async {
    await #expect {
      _ = try await HTTPFetcher(environment: [:]).fetch(WebRequest(url: url))
    } throws: {
      ($0 as? SyncError)?.code == .inputInvalid
    }
  }

  @Test func `goes through the proxy of the environment`() async throws {
    let server = try Self.server()
    let proxy = try LoopbackServer { [port = server.port] _, _ in .tunnel(to: port) }
    let environment = ["http_proxy": "http://ann:pass@127.0.0.1:\(proxy.port)"]
    let response = try await HTTPFetcher(environment: environment).fetch(
      WebRequest(url: "http://films.invalid/echo"))
    #expect(String(decoding: response.body, as: UTF8.self).hasPrefix("GET /echo HTTP/1.1\r\n"))
    let asked = try #require(proxy.requests.first)
    #expect(asked.method == "CONNECT" && asked.target == "films.invalid:80")
    #expect(asked.headers["proxy-authorization"]?.lowercased() == "basic yw5uonbhc3m=")
  }

  @Test(arguments: [
    ("https://api.example.org/?a=b", "", "b:8080"), ("http://api.example.org/", "", "a:3128"),
    ("https://api.example.org/", "example.org", "none"),
    ("https://example.org/", ".example.org", "none"),
    ("https://myexample.org/", "example.org", "b:8080"),
    ("https://example.org/", "example.org:8443", "b:8080"),
    ("https://example.org:8443/", "x, example.org:8443", "none"),
    ("https://api.example.org/", "*.example.org", "none"), ("http://127.0.0.1:1/", "", "none"),
    ("http://example.org/", "*", "none"),
  ])
  func `knows the proxy of an address and the exceptions`(
    url: String, exceptions: String, expected: String
  ) throws {
    let proxies = ProxyChoice.environment([
      "http_proxy": "a:3128", "https_proxy": "http://b/", "HTTPS_PROXY": "http://c/",
      "NO_PROXY": exceptions,
    ])
    let proxy = proxies.proxy(to: try #require(ServerAddress(originOf: url)))
    #expect((proxy.map { "\($0.host):\($0.port)" } ?? "none") == expected)
  }
}
