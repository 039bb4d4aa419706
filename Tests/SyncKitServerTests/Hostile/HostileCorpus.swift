/// What no honest client sends.
enum HostileCorpus {
  private static let parts = [
    "..", ".", "...", "%2e%2e", "%2E%2E", "%252e%252e", "..%2f..", "..%5c..", "..\\..", "%00",
    "a%00b", "C:", "C%3A%5C", "%5c%5cserver%5cshare", "%c0%ae%c0%ae", "%e0%80%ae", "%ff", "%",
    "%2", "%zz", "~root", "con", "nul.txt", "..;", ";x=1", "a;b", "a:b", "*", "?", "#", "%23",
    "+", "%20", "a%20b", "%0d%0aX-Evil:%201", "%0a", "{zone}", "$(id)", "`id`", "'", "\"",
    "%27%20OR%201=1--", "1'--", "-1", "0", "00", "1e9", "9999999999999999999999", "true", "null",
    "\u{202e}abc", "\u{ff0e}\u{ff0e}", "\u{e9}", "e\u{301}", "\u{1f600}", "\u{212a}",
    String(repeating: "a", count: 65), String(repeating: "a", count: 4_096),
    String(repeating: "../", count: 40) + "etc/passwd", "//", "///", "HOME", "Home", "_", "",
  ]

  private static let templates = [
    "/v1/devices/@", "/v1/tokens/@", "/v1/vault/@", "/v1/domains/@/feed",
    "/v1/domains/@/segments/1", "/v1/domains/tests/segments/@", "/v1/domains/@/zones/x/erasure",
    "/v1/domains/tests/zones/@/erasure", "/v1/shares/@", "/v1/shares/@/participants/x",
    "/v1/shares/x/participants/@", "/@",
  ]

  static let paths: [String] =
    templates.flatMap { template in
      parts.map { part in template.replacing("@", with: part) }
    } + [
      "*", "http://127.0.0.1/v1/account", "http://[::1", "//v1/account", "/v1//account",
      "/v1/account/", "/v1/account?", "/v1/account?a=%ff", "/v1/account#x", "\\v1\\account",
      "/v1/domains/tests/feed?epoch=%00&after=%2e", "/v1/domains/tests/feed?&&=&=",
      "/v1/domains/tests/feed?after=1&after=x", "http://:99999/", "/?", "/%", "",
    ]

  static let bodies: [[UInt8]] =
    [
      "", " ", "null", "true", "0", "\"\"", "[]", "{}", "{", "}", "[", "{\"a\"", "{\"a\":",
      "{\"name\":\"a\",\"name\":\"b\"}", "{\"name\":null}", "{\"name\":[]}", "{\"name\":{}}",
      "{\"name\":1}", "{\"name\":\"\"}", "{\"name\":\"\\u0000\"}", "{\"name\":\"a\\nb\"}",
      "{\"name\":\"\\ud800\"}", "{\"cursors\":[1e400]}", "{\"cursors\":[1.5]}",
      "{\"cursors\":[-1]}", "{\"cursors\":[99999999999999999999]}", "{\"cursors\":\"x\"}",
      "{\"cursors\":[\"1\"]}", "{\"secret\":\"x\"}", "{\"role\":\"owner\"}",
      "{\"role\":\"removed\"}", "{\"confirmations\":{}}", "{\"confirmations\":[{}]}",
      "{\"confirmations\":[{\"replica\":\"x\",\"kept\":\"\"}]}",
      "{\"confirmations\":[{\"replica\":\"aaaaaaaaaaaaaaaaaaaaaaaaaa\",\"kept\":\"////\"}]}",
      "{\"domain\":\"../x\",\"zone\":\"..\",\"title\":\"t\"}", "{\"code\":\"x\"}",
      "{\"code\":\"4F7K-92QD\",\"device\":{\"id\":\"../x\",\"name\":\"n\"}}",
      "{\"code\":\"4F7K-92QD\",\"device\":{\"id\":\"\",\"name\":\"\"}}",
      "{\"code\":\"\u{e9}\",\"device\":{\"id\":\"d\",\"name\":\"n\"}}", "// comment\n{}", "{}{}",
      "NaN", "{\"name\":\"" + String(repeating: "x", count: 100_000) + "\"}",
      "\u{feff}{}", "{\"a\":+1}", "{'a':1}",
    ].map { Array($0.utf8) } + [
      [0xFF, 0xFE], [0x7B, 0x22, 0xC0, 0xAF, 0x22, 0x3A, 0x31, 0x7D], [0],
      Array(repeating: UInt8(ascii: "["), count: 100_000),
      Array("{\"a\":".utf8) + Array(repeating: UInt8(ascii: "["), count: 40)
        + Array(repeating: UInt8(ascii: "]"), count: 40) + Array("}".utf8),
      Array(
        ("{" + (0..<50_000).map { "\"k\($0)\":1" }.joined(separator: ",") + "}").utf8),
    ]

  static func requests(_ token: String) -> [String] {
    let end = "Connection: close\r\n\r\n"
    return [
      "POST /v1/tokens HTTP/1.1\r\nHost: x\r\n\(token)Content-Length: 2\r\n"
        + "Transfer-Encoding: chunked\r\n\(end)0\r\n\r\n",
      "POST /v1/tokens HTTP/1.1\r\nHost: x\r\n\(token)Content-Length: 2\r\nContent-Length: 3\r\n"
        + "\(end){}",
      "POST /v1/tokens HTTP/1.1\r\nHost: x\r\n\(token)Content-Length: -1\r\n\(end)",
      "POST /v1/tokens HTTP/1.1\r\nHost: x\r\n\(token)Content-Length: 99999999999999999999\r\n"
        + end,
      "POST /v1/tokens HTTP/1.1\r\nHost: x\r\n\(token)Transfer-Encoding: chunked\r\n\(end)zz\r\n",
      "POST /v1/tokens HTTP/1.1\r\nHost: x\r\n\(token)Transfer-Encoding: xchunked\r\n\(end)",
      "GET /v1/account HTTP/1.1\nHost: x\n\(token)\n",
      "GET /v1/account HTTP/1.1\r\nHost: x\r\n Folded: y\r\n\(token)\(end)",
      "GET /v1/account HTTP/1.1\r\nHost : x\r\n\(token)\(end)",
      "GET /v1/account HTTP/9.9\r\nHost: x\r\n\(token)\(end)",
      "GET  /v1/account  HTTP/1.1\r\nHost: x\r\n\(token)\(end)",
      "\u{0}\u{1}\u{2}\r\n\r\n", "GET", "\r\n\r\n\r\n", "BREW /v1/account HTTP/1.1\r\n\(end)",
      "GET /v1/account HTTP/1.1\r\nHost: x\r\nX: \u{0}\r\n\(token)\(end)",
      "GET /v1/account HTTP/1.1\r\nHost: x\r\nX: \(String(repeating: "y", count: 200_000))\r\n\(end)",
      "GET /v1/account HTTP/1.1\r\n"
        + String(repeating: "X: y\r\n", count: 5_000) + "\(token)\(end)",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\(end)",
      "OPTIONS * HTTP/1.1\r\nHost: x\r\n\(token)\(end)",
    ]
  }
}
