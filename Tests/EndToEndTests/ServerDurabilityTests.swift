import SyncKitFormats
import SegmentFormat
import SyncKit
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Every acknowledged segment stays, whatever happens to the server.
struct ServerDurabilityTests {
  /// A unique segment, framed as a body.
  private func body(_ series: UInt64, _ first: UInt64, size: Int = 64) throws -> [UInt8] {
    let coding = DeflateSegmentCoding()
    var state = series &* 0x9E37_79B9_7F4A_7C15 &+ first
    let noise = (0..<size).map { _ -> UInt8 in
      // Bytes that cannot be compressed.
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 33)
    }
    let replica = ReplicaID(high: 7, low: series)
    let write = FieldWrite(name: "noise", value: .bytes(noise))
    let stamp = Stamp(time: Stamp.pack(milliseconds: Int64(first)), replica: replica)
    let change = Change(
      stamp: stamp, batch: try #require(BatchID(bytes: Array(noise.prefix(10)))),
      context: VersionVector(),
      operations: [RecordOperation(.edit, "item", "x", [write])]
    ).encoded(series: replica, after: VersionVector()) { _ in 1 }
    let previous = ContentHash(high: first, low: 1)
    let head = (previous.bytes + change).withUnsafeBytes { coding.hash([$0]) }
    let info = SegmentInfo(
      domain: "tests", zone: .home, series: replica, first: first, last: first,
      previous: previous, head: head, base: VersionVector(),
      operations: 1, deletions: 0, newest: stamp.time)
    let bytes = try coding.segment(info, changes: [change]).bytes
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bytes.count >> $0) } + bytes
  }

  private func push(
    _ device: TestDevice, _ url: String, _ token: String, _ series: UInt64, _ first: UInt64,
    size: Int = 64
  ) async throws -> CurlAnswer {
    let file = device.path("push-\(series)-\(first)")
    try Files.write(try body(series, first, size: size), to: file)
    defer { Files.remove(file) }
    return try await CurlAnswer.ask(
      device, "\(url)/v1/domains/tests/segments", token: token, "--header",
      "Content-Type: application/vnd.cloudsync.segments", "--data-binary", "@\(file)")
  }

  private func token(_ device: TestDevice, data: String = "server") async throws -> String {
    let outcome = try await device.run(
      "token", "create", "test", "--scope", "sync", "--expires", "1h", "--data",
      device.path(data))
    try #require(outcome.status == 0, "\(outcome.error)")
    return outcome.lines.first ?? ""
  }

  /// The keys of all segments, as `series/first`.
  private func feed(
    _ device: TestDevice, _ url: String, _ token: String
  ) async throws -> Set<String> {
    let page = try await CurlAnswer.ask(device, "\(url)/v1/domains/tests/feed", token: token)
    try #require(page.status == 200, "\(page.body)")
    return Set(
      (page.document["segments"]?.array ?? []).map { entry in
        "\(entry["series"]?.string ?? "")/\(entry["first"]?.int ?? 0)"
      })
  }

  @Test func `an answer in progress is completed`() async throws {
    let device = try TestDevice()
    let token = try await token(device)
    try await ServerProcess.run(device) { server in
      let size = 6 << 20
      let pushed = try await push(device, server.url, token, 1, 1, size: size)
      #expect(pushed.document["results"]?[0]?["status"]?.string == "stored", "\(pushed.body)")
      let file = device.path("segment")
      async let got = CurlAnswer.ask(
        device, "\(server.url)/v1/domains/tests/segments/1", token: token, "--output", file,
        "--limit-rate", "3M")
      while ((try? Files.read(file).count) ?? 0) == 0 {
        try await Task.sleep(for: .milliseconds(10))
      }
      let status = try await server.end()
      #expect(status == 0)
      let answer = try await got
      #expect(answer.status == 200)
      #expect(try Files.read(file).count > size)
    }
  }

  @Test func `a kill under load loses no acknowledged segment`() async throws {
    let device = try TestDevice()
    let token = try await token(device)
    var acknowledged: Set<String> = []
    for round in 0..<3 {
      try await ServerProcess.run(device) { server in
        if round > 0 {
          let there = try await feed(device, server.url, token)
          let lost = acknowledged.subtracting(there)
          #expect(lost.isEmpty, "lost \(lost)")
        }
        acknowledged.formUnion(
          try await withThrowingTaskGroup(of: [String].self) { group in
            for pusher in 0..<4 {
              let series = UInt64(100 + round * 10 + pusher)
              group.addTask {
                var done: [String] = []
                for first in UInt64(1)... {
                  let answer = try await push(device, server.url, token, series, first)
                  guard answer.status == 200 else { break }
                  done.append("\(ReplicaID(high: 7, low: series))/\(first)")
                }
                return done
              }
            }
            group.addTask {
              try await Task.sleep(for: .milliseconds(500))
              kill(server.pid, SIGKILL)
              return []
            }
            return try await group.reduce(into: []) { $0 += $1 }
          })
        let status = try await server.wait()
        #expect(status == 128 + SIGKILL)
      }
    }
    #expect(!acknowledged.isEmpty)
    try await ServerProcess.run(device) { server in
      let lost = acknowledged.subtracting(try await feed(device, server.url, token))
      #expect(lost.isEmpty, "lost \(lost) of \(acknowledged.count)")
    }
    let check = try await device.json("server", "check", "--data", device.path("server"))
    #expect(check["problems"]?.array?.isEmpty == true, "\(check)")
  }

  @Test func `a backup of a running server is restored, and clients notice`() async throws {
    let device = try TestDevice()
    let token = try await token(device)
    let data = device.path("server")
    let file = device.path("backup.sqlite")
    var page = JSON.null
    try await ServerProcess.run(device) { server in
      _ = try await push(device, server.url, token, 1, 1)
      let backup = try await device.json("server", "backup", file, "--data", data)
      #expect(backup["bytes"]?.int ?? 0 > 0)
      #expect(Files.mode(file) == 0o600)
      let again = try await device.run("server", "backup", file, "--data", data, "--json")
      #expect(again.status == 65, "a backup replaces nothing")
      _ = try await push(device, server.url, token, 1, 2)
      page = try await CurlAnswer.ask(device, "\(server.url)/v1/domains/tests/feed", token: token)
        .document
      #expect(page["segments"]?.array?.count == 2)
    }
    let question = try await device.run("server", "restore", file, "--data", data, "--json")
    #expect(question.status == 64, "there is no terminal to ask")
    let rehearsal = try await device.json("server", "restore", file, "--data", data, "--dry-run")
    #expect(rehearsal["segments"]?.int == 1 && rehearsal["kept"]?.isNull == true)
    let restored = try await device.json("server", "restore", file, "--data", data, "--yes")
    #expect(restored["segments"]?.int == 1)
    #expect(Files.mode(restored["kept"]?.string ?? "") == 0o600)
    try await ServerProcess.run(device) { server in
      let there = try await feed(device, server.url, token)
      #expect(there.count == 1)
      let epoch = page["epoch"]?.string ?? ""
      let after = page["cursor"]?.int ?? 0
      let next = try await CurlAnswer.ask(
        device, "\(server.url)/v1/domains/tests/feed?epoch=\(epoch)&after=\(after)", token: token)
      #expect(next.document["continues"]?.bool == false, "\(next.body)")
      #expect(next.document["segments"]?.array?.count == 1)
    }
    try Files.write(Array("no backup".utf8), to: device.path("other"))
    let wrong = try await device.run(
      "server", "restore", device.path("other"), "--data", data, "--yes", "--json")
    expectFailure(wrong, 65, "input.invalid")
    #expect(!Files.names(in: data).contains { $0.hasPrefix("restore-") })
  }

  @Test func `a running server refuses a token that was revoked from the command line`()
    async throws
  {
    let device = try TestDevice()
    let data = device.path("server")
    try await ServerProcess.run(device) { server in
      let made = try await device.json(
        "token", "create", "bot", "--scope", "read", "--expires", "never", "--data", data)
      let token = made["token"]?.string ?? ""
      let url = "\(server.url)/v1/account"
      let before = try await CurlAnswer.ask(device, url, token: token)
      #expect(before.status == 200)
      let written = try await push(device, server.url, token, 1, 1)
      #expect(written.status == 403)
      let id = made["id"]?.string ?? ""
      let revoked = try await device.run("token", "revoke", id, "--data", data)
      #expect(revoked.status == 0)
      let after = try await CurlAnswer.ask(device, url, token: token)
      #expect(after.status == 401)
      let again = try await device.run("token", "revoke", id, "--data", data, "--json")
      expectFailure(again, 66, "record.not-found")
    }
  }
}
