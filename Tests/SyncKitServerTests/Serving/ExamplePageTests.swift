import SyncKitFormats
import SegmentFormat
import SyncWire
import Testing

@testable import SyncKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The worked example for other programs says what the code writes and a server answers.
///
/// With the variable CLOUDSYNC_WRITE_PAGES, set to anything, the test writes the page again.
struct ExamplePageTests {
  private let coding = DeflateSegmentCoding()
  private let series = ReplicaID(high: 0x0123_4567_89AB_CDEF, low: 0x0011_2233_4455_6677)
  private let other = ReplicaID(high: 0xB8F7_C6E5_9493_D2A1, low: 0xF0DF_EEBD_CCAB_FA99)

  /// An edit of the code of Geneva's airport, by a device that had seen three changes of another one.
  private var change: [UInt8] {
    get throws {
      let after: Value = .map(ValueMap([("icao", "LSGG")]))
      let hash = ContentHash(high: 0x9C31_F2A7_58E4_0BD6, low: 0xE37A_914F_C0D8_265B)
      let context = VersionVector([other: Head(seq: 3, hash: hash)])
      let batch = try #require(
        BatchID(
          bytes: [0xD1, 0x4E, 0x87, 0xF3, 0x2A, 0xB9, 0x60, 0xC5, 0x1D, 0x9E]))
      let change = Change(
        stamp: Stamp(time: Stamp.pack(milliseconds: 1_795_599_000_123), replica: series),
        batch: batch, context: context,
        operations: [
          RecordOperation(
            .edit, "mapping", "GVA",
            [
              FieldWrite(name: "code", value: after),
              FieldWrite(name: "lastUsed", value: .instant(1_795_599_000_000)),
            ])
        ])
      return change.encoded(series: series, after: VersionVector(), versions: { _ in 1 })
    }
  }

  private func segment(of change: [UInt8]) throws -> Segment {
    let previous = coding.root(zone: .home, replica: series)
    let info = SegmentInfo(
      domain: "airports", zone: .home, series: series, first: 1, last: 1, previous: previous,
      head: coding.chain(previous, change), base: VersionVector(), operations: 1, deletions: 0,
      newest: Stamp.pack(milliseconds: 1_795_599_000_123))
    return try coding.segment(info, changes: [change])
  }

  @Test(TestDatabase.onlyInFolder)
  func `the worked example is what the code writes and a server answers`() async throws {
    let change = try change
    let segment = try segment(of: change)
    var page = try ExamplePage()
    try page.put("change", block: ExampleBytes.change(change))
    try page.put("segment", block: ExampleBytes.segment(segment.bytes))
    let answers = Answers()
    try await TestServer.run { server in
      let anna = try await server.person("anna")
      var frames: [UInt8] = []
      SegmentFrames.append(segment.bytes, to: &frames)
      let stored = try await server.send(
        "POST", "/v1/domains/airports/segments", token: anna.token, body: frames,
        type: WireProtocol.segments)
      let feed = try await server.get("/v1/domains/airports/feed", anna.token)
      let fetched = try await server.send(
        "POST", "/v1/domains/airports/segments/fetch", token: anna.token, json: ["cursors": [1]])
      #expect(fetched.bytes == frames)
      await answers.take([stored, feed, fetched])
    }
    let found = await answers.found
    let frame = [
      "\(ExampleBytes.hex(Array(segment.bytes.count.fourBytes)))    four bytes of length"
    ]
    let whole = frame + ["…           the \(segment.bytes.count) bytes of the segment"]
    try page.put(
      "store",
      block: [
        "POST /v1/domains/airports/segments HTTP/1.1", "Host: sync.example.org",
        "Authorization: Bearer cst_…", "Content-Type: \(WireProtocol.segments)",
        "Content-Length: \(segment.bytes.count + 4)", "",
      ] + whole + [""] + ExamplePage.head(found[0]) + [found[0].text])
    try page.put(
      "feed",
      block: [
        "GET /v1/domains/airports/feed HTTP/1.1", "Host: sync.example.org",
        "Authorization: Bearer cst_…", "",
      ] + ExamplePage.head(found[1]) + [ExamplePage.masked(found[1].json).text()])
    try page.put(
      "fetch",
      block: [
        "POST /v1/domains/airports/segments/fetch HTTP/1.1", "Host: sync.example.org",
        "Authorization: Bearer cst_…", "Content-Type: \(WireProtocol.json)", "Content-Length: 15",
        "", "{\"cursors\":[1]}", "",
      ] + ExamplePage.head(found[2]) + whole)
    try page.finish()
  }

  private actor Answers {
    var found: [TestServer.Answer] = []
    func take(_ answers: [TestServer.Answer]) { found = answers }
  }
}

/// The page, in which blocks stand between marks.
private struct ExamplePage {
  private let path: String
  private let before: String
  private var text: String

  init() throws {
    var parts = #filePath.split(separator: "/")
    parts.removeLast(4)
    path = "/\(parts.joined(separator: "/"))/Documentation/Formats/Example.md"
    before = try String(decoding: Self.read(path), as: UTF8.self)
    text = before
  }

  mutating func put(_ name: String, block lines: [String]) throws {
    let begin = try #require(text.firstRange(of: "<!-- begin \(name) -->\n"))
    let end = try #require(text.firstRange(of: "<!-- end \(name) -->\n"))
    let block = "```\n\(lines.joined(separator: "\n"))\n```\n"
    text.replaceSubrange(begin.upperBound..<end.lowerBound, with: block)
  }

  func finish() throws {
    if getenv("CLOUDSYNC_WRITE_PAGES") != nil {
      let file = try #require(fopen(path, "w"))
      fputs(text, file)
      fclose(file)
      return
    }
    #expect(before == text, "CLOUDSYNC_WRITE_PAGES=1 writes it again")
  }

  static func head(_ answer: TestServer.Answer) -> [String] {
    let names = ["Content-Type", "Cloudsync-Frames", "Cloudsync-Protocol", "Cache-Control"]
    return ["HTTP/1.1 \(answer.status) OK"]
      + names.compactMap { name in
        answer.headers[name.lowercased()].map { "\(name): \($0)" }
      } + ["Content-Length: \(answer.bytes.count)", ""]
  }

  /// What differs from server to server is left out.
  static func masked(_ page: JSON) -> JSON {
    var object = page.object ?? JSONObject()
    object["epoch"] = "…"
    return .object(object)
  }

  private static func read(_ path: String) throws -> [UInt8] {
    let file = try #require(fopen(path, "r"), "there is no \(path)")
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
      bytes += chunk.prefix(count)
    }
    return bytes
  }
}

extension Int {
  fileprivate var fourBytes: [UInt8] {
    (0..<4).reversed().map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
  }
}
