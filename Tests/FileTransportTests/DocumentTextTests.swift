import MediaLibrary
import ReadableDocuments
import SegmentFormat
import SyncKit
import SyncKitFormats
import SyncKitTesting
import Testing

@testable import FileTransport

/// Documents that are read and written piece by piece.
@Suite struct DocumentsInPieces {
  let document: SharedDocument
  let first: MediaDevice
  let second: MediaDevice

  init() throws {
    document = try SharedDocument()
    first = try document.device("first")
    second = try document.device("second")
  }

  private func fill(_ lists: Int, _ items: Int) throws {
    for list in 0..<lists {
      let key = try first.list("List \(list)")
      try first.store.write { transaction in
        for item in 0..<items {
          let film = try transaction.save(
            RecordDraft(
              "item", parent: key,
              fields: [
                "title": .string("Zürich \"\(item)\""),
                "tmdbId": .int(Int64(list * items + item + 1)),
                "mediaType": "tv", "genres": .list(["Crime", "Drama"]),
                "order": .string(OrderKey(position: Double(-item)).text),
                "extra": .map(ValueMap([("seasons", .list([.map(ValueMap([("n", 1)]))]))])),
              ])
          ).key
          if item == 1 {
            for number in 1...3 {
              try transaction.save(
                RecordDraft(
                  "episode", parent: film,
                  fields: ["season": 1, "number": .int(Int64(4 - number)), "name": "Pilot"]))
            }
          }
        }
      }
    }
  }

  private func text(_ bytes: [UInt8], size: Int = 4096) throws -> (DocumentText, TextWindow) {
    let window = TextWindow(bytes, size: size)
    let text = try DocumentText(
      window, of: MediaDocument(), domain: "media", coding: DeflateSegmentCoding())
    return (text, window)
  }

  /// The records as a reader finds them who has the whole document.
  private func records(_ root: ValueMap, _ levels: [DocumentLevel], depth: Int = 0) -> [String] {
    levels.flatMap { level -> [String] in
      guard case .list(let elements) = root[level.key] else { return [] }
      return elements.flatMap { element -> [String] in
        guard case .map(let whole) = element else { return [] }
        var own = whole
        for child in level.children { own[child.key] = nil }
        return ["\(depth) \(level.collection) \(JSON(.map(own)))"]
          + records(whole, level.children, depth: depth + 1)
      }
    }
  }

  /// The same values in another form: without space, with the last members first.
  private func turned(_ json: JSON) -> JSON {
    switch json {
    case .array(let values): .array(values.map(turned))
    case .object(let object):
      .object(JSONObject(object.members.reversed().map { ($0.key, turned($0.value)) }))
    default: json
    }
  }

  @Test func `each record is found, whatever stands before or behind it`() async throws {
    try fill(3, 20)
    try await first.sync()
    let json = try document.json
    for form in [json, turned(json)] {
      let root = try #require(Value(form).map)
      let expected = records(root, MediaDocument().levels)
      #expect(expected.count == 3 + 60 + 9)
      for pretty in [true, false] {
        for size in [7, 64, 4096] {
          var found: [String] = []
          let (text, _) = try text(form.serialized(pretty: pretty), size: size)
          let faults = try text.forEachRecord {
            found.append("\($0.depth) \($0.collection) \(JSON(.map($0.object)))")
          }
          #expect(found == expected && faults.isEmpty)
        }
      }
    }
  }

  @Test func `a file that a program has only laid out in another way is no edit`() async throws {
    try fill(2, 5)
    try await settle(document, first, second)
    let lines = turned(try document.json).text(pretty: true).replacing("\n", with: "\r\n")
    try document.remote.write(SharedDocument.path, Array("\u{FEFF}\(lines)".utf8))
    let before = try document.bytes
    for device in [first, second] {
      let report = try await device.sync()
      #expect(report.pulled == 0 && report.pushed == 0 && report.notes == [])
    }
    #expect(try document.bytes == before)
  }

  @Test func `a document that is cut at any byte is not here yet, for the reason that is said`()
    async throws
  {
    try fill(1, 2)
    try await first.sync()
    let bytes = try document.bytes
    for end in 0..<bytes.count - 1 {
      let part = Array(bytes[..<end])
      var expected = ""
      do { _ = try JSON(parsing: part) } catch { expected = error.description }
      do {
        _ = try text(part, size: 64)
        Issue.record("It was read without its last \(bytes.count - end) bytes.")
      } catch DocumentText.Problem.damaged(let why) {
        #expect(why == expected)
      }
    }
    #expect(try text(bytes).0.mail?.segments.isEmpty == false)
  }

  @Test func `what is not as it has to be is damaged, with a reason`() async throws {
    try fill(1, 1)
    try await first.sync()
    let root = try #require(try document.json.object)
    let mail = try #require(root["cloudsync"]?.object)
    func reason(_ edit: (inout JSONObject) -> Void) -> String {
      var root = root
      edit(&root)
      do { _ = try text(JSON.object(root).serialized()) } catch DocumentText.Problem.damaged(
        let why)
      {
        return why
      } catch DocumentText.Problem.newer(let why) {
        return "newer: \(why)"
      } catch {
        return "\(error)"
      }
      return ""
    }
    func reason(ofMail key: String, _ value: JSON?) -> String {
      reason { root in
        var mail = mail
        mail[key] = value
        root["cloudsync"] = .object(mail)
      }
    }
    #expect(reason { _ in } == "")
    #expect(reason { $0["version"] = nil } == "it has no version")
    #expect(reason { $0["version"] = 2 } == "newer: its version is 2")
    #expect(reason { $0["cloudsync"] = 7 } == "'cloudsync' is not an object")
    #expect(reason { $0["cloudsync"] = [:] } == "'cloudsync' is incomplete")
    #expect(reason(ofMail: "records", nil) == "'cloudsync' is incomplete")
    #expect(reason(ofMail: "records", 7) == "'cloudsync' is incomplete")
    #expect(reason(ofMail: "segments", "") == "'cloudsync' is incomplete")
    #expect(reason(ofMail: "format", 2) == "newer: its 'cloudsync' has format 2")
    #expect(reason(ofMail: "domain", "books") == "it does not belong to the domain 'media'")
    #expect(reason(ofMail: "segments", [7, "!", "AAAA"]) == "")
    var edited = mail
    edited["segments"] = [7, "!", "AAAA"]
    edited["later"] = ["b": 1, "a": 2]
    var other = root
    other["cloudsync"] = .object(edited)
    let (read, _) = try text(JSON.object(other).serialized())
    #expect(read.mail?.damaged == 3 && read.mail?.rest["later"] == ["b": 1, "a": 2])
  }

  @Test func `a large document is read through a window that holds one segment at most`()
    async throws
  {
    try fill(2, 800)
    try await first.sync()
    let bytes = try document.bytes
    let segments = try #require(try document.json["cloudsync"]?["segments"]?.array)
    let longest = segments.map { ($0.string?.utf8.count ?? 0) + 2 }.max() ?? 0
    let (text, window) = try text(bytes)
    var (count, deepest) = (0, 0)
    _ = try text.forEachRecord {
      count += 1
      deepest = max(deepest, $0.depth)
    }
    #expect(count == 2 + 1_600 + 6 && deepest == 2)
    #expect(window.largest <= max(4096, longest) && window.largest < bytes.count / 8)
    #expect(text.digests.count == count)
  }

  @Test func `a document is the same however few of its lists are held while it is written`()
    async throws
  {
    try fill(4, 300)
    try await first.sync()
    let bytes = try document.bytes
    let mail = try #require(try text(bytes).0.mail)
    for limit in [0, DocumentReplicas.keptBytes] {
      let replicas = DocumentReplicas(
        MediaLibraryDomain(), coding: DeflateSegmentCoding(), segments: mail.segments.values,
        keeping: limit)
      var (written, largest) = ([UInt8](), 0)
      let output = JSONOutput {
        written += $0
        largest = max(largest, $0.count)
      }
      var writing = try DocumentWriting(MediaDocument(), mail, replicas, keeping: ValueMap())
      try writing.write(to: output)
      _ = try output.finish()
      #expect(written == bytes)
      #expect(largest < 2 * JSONOutput.size)
      #expect(limit > 0 ? replicas.count > 4 : replicas.count == 1)
    }
    // As the writer of whole values writes it.
    #expect(bytes == (try document.json).serialized(pretty: true) + [0x0A])
  }

  @Test func `edits of several lists are the same however few of them are held`() async throws {
    try fill(3, 10)
    try await settle(document, first, second)
    try document.hand { root in
      root.items { item in
        guard item["tmdbId"]?.int.map({ $0 % 7 == 0 }) ?? false else { return }
        item["title"] = "by hand"
        item["deleted"] = .bool(item["tmdbId"] == 7)
      }
    }
    let (text, _) = try text(try document.bytes)
    let mail = try #require(text.mail)
    var suspects: Set<Int> = []
    var (index, ids) = (0, [Value]())
    _ = try text.forEachRecord { entry in
      ids.removeLast(ids.count - entry.depth)
      let digest = RecordDigest(entry.digest(in: ids.last ?? .null, DeflateSegmentCoding()))
      if !text.digests.contains(digest) { suspects.insert(index) }
      ids.append(entry.id)
      index += 1
    }
    #expect(suspects.count == 4)
    for standard in [ForeignEdits.Standard.edited(suspects), .later] {
      let found = try [0, DocumentReplicas.keptBytes].map { limit in
        try ForeignEdits(
          in: text,
          over: DocumentReplicas(
            MediaLibraryDomain(), coding: DeflateSegmentCoding(), segments: mail.segments.values,
            keeping: limit), by: standard, MediaDocument())
      }
      #expect(found[0].segments.map(\.bytes) == found[1].segments.map(\.bytes))
      #expect(found.allSatisfy { $0.faults.isEmpty })
      if case .edited = standard { #expect(found[0].segments.count == 3) }
    }
    try await settle(document, first, second)
    #expect(try second.titles.filter { $0 == "by hand" }.count == 3)
  }

  @Test func `a file that is written while it is read is read again`()
    async throws
  {
    // More than one window.
    try fill(1, 600)
    try await first.sync()
    let folder = DocumentFolder(
      FolderBlobStore(path: document.remote.path), path: SharedDocument.path)
    let bytes = try document.bytes
    let source = DocumentSource(
      domain: MediaLibraryDomain(), document: MediaDocument(), coding: DeflateSegmentCoding(),
      base: { [document] in
        // In the middle of the reading.
        try document.remote.write(SharedDocument.path, bytes + [0x20])
        return []
      })
    try document.app { _ in }
    let reading = try DocumentReading("MediaShowsData.json", in: folder, source)
    // The second look finds the file that is there now.
    #expect(reading.stamp == ContentStamp(bytes + [0x20]))
    guard case .success(let content) = reading.content else {
      Issue.record("It was not read.")
      return
    }
    #expect(content.mail != nil && content.edits.isEmpty && content.isAsWritten)
  }
}
