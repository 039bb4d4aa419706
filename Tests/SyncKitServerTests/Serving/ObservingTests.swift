import SyncKit
import SyncKitFormats
import Testing

@testable import SyncKitServer

/// What a server shows of itself.
struct ObservingTests {
  private func get(
    _ path: String, _ port: Int, method: String = "GET"
  ) async throws -> RawClient.Reading {
    try await RawClient.exchange(
      "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", port: port)
  }

  @Test func `it says that it lives and that it is ready`() async throws {
    try await ShellServer.run { server in
      let health = try await get("/healthz", server.port)
      #expect(health.status == 200 && health.body == #"{"status":"ok"}"#, "\(health.text)")
      let ready = try await get("/readyz", server.port)
      #expect(ready.status == 200, "\(ready.text)")
      let head = try await get("/healthz", server.port, method: "HEAD")
      #expect(head.status == 200 && head.body.isEmpty, "\(head.text)")
      let post = try await get("/healthz", server.port, method: "DELETE")
      #expect(post.status == 405 && post.text.contains("\r\nAllow: GET, HEAD\r\n"))
    }
  }

  @Test func `it is not ready without room or when it cannot write, and lives on`() async throws {
    try await ShellServer.run(canWrite: false) { server in
      let answer1 = try await get("/readyz", server.port)
      #expect(answer1.status == 503)
      let answer2 = try await get("/healthz", server.port)
      #expect(answer2.status == 200)
    }
    try await ShellServer.run(free: 1 << 20) { server in
      let reading = try await get("/readyz", server.port)
      #expect(reading.status == 503 && reading.text.contains("Retry-After"), "\(reading.text)")
    }
  }

  @Test func `numbers are told on a listener of their own`() async throws {
    let settings = ShellServer.settings { $0.metrics = .host("127.0.0.1", port: 0) }
    try await ShellServer.run(settings) { server in
      for name in ["a", "b"] { _ = try await get("/name/\(name)", server.port) }
      _ = try await get("/no/such/path/\(UInt64.max)", server.port)
      _ = try await RawClient.exchange("BROKEN\r\n\r\n", port: server.port)
      let answer3 = try await get("/metrics", server.port)
      #expect(answer3.status == 404)
      guard case .host(_, let port) = server.metricsAddress else {
        Issue.record("there is no listener for metrics")
        return
      }
      let page = try await get("/metrics", port)
      #expect(page.status == 200 && page.text.contains("text/plain; version=0.0.4"))
      for line in [
        #"cloudsync_requests_total{method="GET",route="/name/{name}",status="200"} 2"#,
        #"cloudsync_requests_total{method="GET",route="unknown",status="404"} 2"#,
        #"cloudsync_request_duration_seconds_count{route="/name/{name}"} 2"#,
        #"cloudsync_request_duration_seconds_bucket{route="/name/{name}",le="+Inf"} 2"#,
        #"cloudsync_connections_refused_total{reason="malformed"} 1"#,
        "cloudsync_event_streams 0",
      ] {
        #expect(page.body.contains("\(line)\n"), "\(line) is not in\n\(page.body)")
      }
      #expect(!page.body.contains("such"))
      let answer4 = try await get("/healthz", port)
      #expect(answer4.status == 404)
    }
  }

  @Test func `the log has the pattern of a path and nothing of its content`() async throws {
    try await ShellServer.run { server in
      _ = try await RawClient.exchange(
        "GET /name/canary?secret=canary HTTP/1.1\r\nHost: localhost\r\n"
          + "Authorization: Bearer canary\r\nX-Forwarded-For: canary\r\nConnection: close\r\n\r\n",
        port: server.port)
      _ = try await get("/canary", server.port)
      let failure = try await get("/failure", server.port)
      #expect(failure.status == 500 && !failure.text.contains("secret content"))
      let lines = try server.lines.all.map { try JSON(parsing: $0) }
      #expect(lines.map { $0["event"]?.string } == ["request", "request", "failure", "request"])
      #expect(lines[0]["route"]?.string == "/name/{name}" && lines[0]["status"]?.int == 200)
      #expect(lines[1]["route"]?.string == "unknown" && lines[1]["status"]?.int == 404)
      #expect(lines[3]["level"]?.string == "error" && lines[3]["status"]?.int == 500)
      #expect(lines[0]["time"]?.string == "1970-01-01T00:00:00.000Z")
      for line in server.lines.all {
        #expect(!line.contains("canary") && !line.contains("secret"), "\(line)")
      }
    }
  }

  @Test func `a request is found by the trace of who asked, or by one of its own`() async throws {
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    try await ShellServer.run { server in
      for field in ["00-\(trace)-00f067aa0ba902b7-01", "00-canary-00f067aa0ba902b7-01", ""] {
        _ = try await RawClient.exchange(
          "GET /healthz HTTP/1.1\r\nHost: localhost\r\ntraceparent: \(field)\r\n"
            + "Connection: close\r\n\r\n", port: server.port)
      }
      let traces = try server.lines.all.map { try JSON(parsing: $0)["trace"]?.string ?? "" }
      #expect(traces.first == trace)
      #expect(Set(traces).count == 3 && traces.allSatisfy { $0.utf8.count == 32 }, "\(traces)")
    }
  }

  @Test(arguments: [
    ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", true),
    ("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what-comes", true),
    ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more", false),
    ("ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false),
    ("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", false),
    ("00-00000000000000000000000000000000-00f067aa0ba902b7-01", false),
    ("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", false),
    ("00-4bf92f3577b34da6a3ce929d0e0e473'-00f067aa0ba902b7-01", false), ("", false),
  ])
  func `a field of a trace counts as the standard has it`(field: String, counts: Bool) {
    #expect((TraceContext.trace(in: field) != nil) == counts)
  }

  @Test func `a database that hangs does not make a balancer wait`() async throws {
    let readiness = Readiness(
      freeBytes: { nil }, write: { try await Task.sleep(for: .seconds(3_600)) })
    #expect(await !readiness.isReady())
  }

  @Test func `the numbers of the storage are told by its engine`() async throws {
    let folder = try TestFolder()
    let (storage, administration) = try SQLiteServerStorageTests.open(folder.path)
    _ = try await administration.makeAccount("Ada")
    try await storage.probe()
    await #expect(throws: SyncError.self) {
      try await storage.write { try $0.run("INSERT INTO nothing VALUES(1)") }
    }
    let page = MetricsPage(
      ServerMetrics().reading, storage.reading, connections: 0, turnedAway: 0, began: 0
    ).text
    for line in [
      #"cloudsync_store_up{engine="sqlite"} 1"#,
      #"cloudsync_store_writes_waiting{engine="sqlite"} 0"#,
      #"cloudsync_store_commit_duration_seconds_count{engine="sqlite"} "#,
      #"cloudsync_store_commit_duration_seconds_bucket{engine="sqlite",le="+Inf"} "#,
      #"cloudsync_store_writes_total{engine="sqlite"} "#,
    ] { #expect(page.contains(line), "\(line) is not in\n\(page)") }
    let reading = storage.reading
    #expect(reading.commits.commits >= 2 && reading.commits.writes >= 2 && reading.statements > 0)
    try await administration.close()
    try await storage.close()
  }

  @Test func `a line of text is one line, whatever is in it`() {
    let lines = ShellServer.Lines()
    let log = ServerLog(.text, level: .notice, now: { 0 }, write: { lines.add($0) })
    log.say(.request, "left-out")
    log.say(.notice, "event", ["word": "a", "text": "a b\n\"c\"", "number": 1, "nothing": ""])
    #expect(
      lines.all == [
        #"1970-01-01T00:00:00.000Z notice event word=a text="a b\n\"c\"" number=1 nothing="""#
          + "\n"
      ])
  }

  @Test func `the mark of a caller is short, the same each time, and no way back`() {
    let mark = CallerMark.of("0123456789ABC")
    #expect(mark.utf8.count == 8 && mark == CallerMark.of("0123456789ABC"))
    #expect(mark != CallerMark.of("0123456789ABD"))
  }
}
