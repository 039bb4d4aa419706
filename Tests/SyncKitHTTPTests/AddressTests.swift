@testable import SyncKitHTTP
import SyncKit
import Testing

/// Addresses, links, proxies: what leads to a server.
@Suite(.overEveryNetwork) struct AddressTests {
  @Test(arguments: [
    ("https://sync.example.org", "https://sync.example.org"),
    ("https://Sync.Example.org/", "https://sync.example.org"),
    ("https://sync.example.org:443/a/", "https://sync.example.org/a"),
    ("https://sync.example.org:8443", "https://sync.example.org:8443"),
    ("http://127.0.0.1:8765", "http://127.0.0.1:8765"),
    ("http://[::1]:8765/x", "http://[::1]:8765/x"),
  ])
  func `an address has one form`(_ text: String, _ form: String) {
    #expect(ServerAddress(text)?.text == form)
  }

  @Test(arguments: [
    "", "sync.example.org", "ftp://sync.example.org", "https://", "https:///x",
    "https://me:secret@sync.example.org", "https://sync.example.org?x=1",
    "https://sync.example.org#x", "https://sync.example.org/../x", "https://sync.example.org:0",
    "https://sync.example.org:99999", "https://sync.example.org:80x", "https://a b", "https://[::1",
    "https://sync.example.org/\r\nX: y", "https://ex\u{E4}mple.org", "https://sync.example.org//x",
  ])
  func `an invalid address is refused`(_ text: String) {
    #expect(ServerAddress(text) == nil)
  }

  @Test func `only this machine is spoken to in the clear unasked`() throws {
    for url in ["http://127.0.0.1:1", "http://localhost", "http://[::1]", "http://127.9.9.9"] {
      #expect(throws: Never.self) { try HTTPTransport(.test(url)) }
    }
    for url in ["http://sync.example.org", "http://192.168.1.2", "http://127.0.0.1.example.org"] {
      let error = #expect(throws: SyncError.self) { try HTTPTransport(.test(url)) }
      #expect(error?.code == .configInvalid)
      var settings = try ServerAccess.test(url)
      settings.allowsCleartext = true
      #expect(throws: Never.self) { try HTTPTransport(settings) }
    }
  }

  @Test func `an invalid file of certificates is reported at once`() throws {
    var settings = try ServerAccess.test("https://sync.example.org")
    for path in ["/nowhere/ca.pem", "/etc/hostname"] {
      settings.certificates = path
      let error = #expect(throws: SyncError.self) { try HTTPTransport(settings) }
      #expect(error?.code == .configInvalid)
    }
  }

  @Test func `a link keeps its secret in the fragment`() throws {
    let server = try #require(ServerAddress("https://sync.example.org/family"))
    let link = ServerLink(.share, at: server, secret: "csi_x")
    #expect(link.text == "https://sync.example.org/family/share#csi_x")
    #expect(ServerLink(link.text) == link)
    #expect(ServerLink("https://sync.example.org/join#4F7K-92QD")?.purpose == .join)
    for text in [
      "4F7K-92QD", "https://sync.example.org/join", "https://sync.example.org/join#",
      "https://sync.example.org/other#x", "https://sync.example.org#x",
      "https://sync.example.org/join#a b",
    ] { #expect(ServerLink(text) == nil, "'\(text)' counts as a link.") }
  }

  @Test func `the environment names the proxy, and the hosts that need none`() throws {
    let server = try #require(ServerAddress("https://sync.example.org"))
    func host(_ variables: [String: String]) -> String? {
      ProxyChoice.environment(variables).proxy(to: server).map { "\($0.host):\($0.port)" }
    }
    #expect(host([:]) == nil)
    #expect(host(["https_proxy": "http://proxy:3128"]) == "proxy:3128")
    #expect(host(["HTTPS_PROXY": "proxy"]) == "proxy:8080")
    #expect(host(["http_proxy": "http://proxy:3128"]) == nil)
    #expect(host(["all_proxy": "socks5://proxy"]) == "proxy:1080")
    let both = ["https_proxy": "http://proxy:3128"]
    for list in [
      "*", "example.org", ".example.org", "*.example.org", "a, sync.example.org", "example.org:443",
    ] {
      #expect(host(both.merging(["no_proxy": list]) { $1 }) == nil, "'\(list)' does not exempt it.")
    }
    for list in ["", "xample.org", "example.org:80", "other.example.org"] {
      #expect(host(both.merging(["no_proxy": list]) { $1 }) != nil, "'\(list)' exempts it.")
    }
    let local = try #require(ServerAddress("http://127.0.0.1:1"))
    #expect(ProxyChoice.environment(["http_proxy": "proxy"]).proxy(to: local) == nil)
    #expect(ProxyChoice.server("http://proxy").proxy(to: local) == nil)
    #expect(ProxyChoice.direct.proxy(to: server) == nil)
    #expect(Proxy("http://me:p%40ss@proxy:1")?.credentials == "me:p@ss")
  }
}
