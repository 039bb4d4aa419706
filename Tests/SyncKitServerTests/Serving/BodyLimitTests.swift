import SyncKitFormats
import Testing

@testable import SyncKitServer

/// Bodies that are too large, packed, or go on after the answer.
struct BodyLimitTests {
  @Test func `a body that says it is too large is refused before it comes`() async throws {
    try await ShellServer.run { server in
      let reading = try await RawClient.exchange(
        "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n",
        port: server.port)
      #expect(reading.status == 413 && reading.isClosed, "\(reading.text)")
      #expect(try JSON(parsing: reading.body)["error"]?["code"]?.string == "too-large")
    }
  }

  @Test func `a body whose length no number holds is refused`() async throws {
    try await ShellServer.run { server in
      let reading = try await RawClient.exchange(
        "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n",
        port: server.port)
      #expect([400, 413].contains(reading.status) && reading.isClosed, "\(reading.text)")
    }
  }

  @Test func `a body without end is answered and then cut off`() async throws {
    try await ShellServer.run { server in
      let client = try RawClient(port: server.port)
      await client.send(
        "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
      let chunk = "10000\r\n" + String(repeating: "a", count: 0x10000) + "\r\n"
      // More than the route takes, and than the buffers of both ends.
      let sending = Task { for _ in 0..<400 { await client.send(chunk) } }
      let reading = await client.read()
      #expect(reading.status == 413 && reading.isClosed, "\(reading.text.prefix(300))")
      await sending.value
    }
  }

  @Test func `a packed body is refused`() async throws {
    try await ShellServer.run { server in
      for coding in ["gzip", "deflate", "br", "gzip, gzip"] {
        let reading = try await RawClient.exchange(
          "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n"
            + "Content-Encoding: \(coding)\r\n\r\n", port: server.port)
        #expect(reading.status == 415, "\(coding): \(reading.text)")
      }
    }
  }

  @Test func `a body in chunks is taken as one`() async throws {
    try await ShellServer.run { server in
      let reading = try await RawClient.exchange(
        "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
          + "Connection: close\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", port: server.port)
      #expect(reading.status == 200 && reading.body == "abcde", "\(reading.text)")
    }
  }
}
