import Testing

@testable import CloudSyncWebCommands

/// A form with a file, as a browser sends it, and as an attacker would.
struct MultipartReaderTests {
  private static let type = "multipart/form-data; boundary=----x"

  private static func form(_ parts: String...) -> [UInt8] {
    Array((parts.map { "------x\r\n\($0)\r\n" }.joined() + "------x--\r\n").utf8)
  }

  private static let token = "Content-Disposition: form-data; name=\"token\"\r\n\r\nsecret"

  private static func file(_ name: String, _ content: String) -> String {
    "Content-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\nContent-Type: text/csv\r\n\r\n\(content)"
  }

  /// Reads a form in pieces of a size, with the bytes of its file put together.
  private static func read(
    _ bytes: [UInt8], by size: Int, type: String = type
  ) throws -> [MultipartReader.Event] {
    var reader = try MultipartReader(contentType: type)
    var events: [MultipartReader.Event] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      for event in try reader.read(bytes[start..<min(start + size, bytes.count)]) {
        if case .bytes(let more) = event, case .bytes(let before)? = events.last {
          events[events.count - 1] = .bytes(before + more)
        } else {
          events.append(event)
        }
      }
    }
    try reader.finish()
    return events
  }

  @Test(arguments: [1, 2, 3, 5, 7, 11, 64, 100_000])
  func `a form means the same in pieces of any size`(size: Int) throws {
    let content = "iata,icao\r\n\r\n--\r\n----x\r\n-----x\r\nJFK,KJFK\r\n"
    let events = try Self.read(Self.form(Self.token, Self.file("a.csv", content)), by: size)
    #expect(
      events == [
        .field(name: "token", value: "secret"), .file(name: "file", fileName: "a.csv"),
        .bytes(Array(content.utf8)),
      ])
  }

  @Test func `a file without a byte is a file`() throws {
    let events = try Self.read(Self.form(Self.token, Self.file("", "")), by: 9)
    #expect(
      events == [.field(name: "token", value: "secret"), .file(name: "file", fileName: "")])
  }

  @Test func `every byte may be in a file`() throws {
    let content = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 5) }
    var bytes = Self.form(Self.file("a.zip", "CONTENT"))
    let place = try #require(
      String(decoding: bytes, as: UTF8.self).utf8.firstRange(of: "CONTENT".utf8))
    let start = String(decoding: bytes, as: UTF8.self).utf8.distance(
      from: String(decoding: bytes, as: UTF8.self).utf8.startIndex, to: place.lowerBound)
    bytes.replaceSubrange(start..<start + 7, with: content)
    #expect(try Self.read(bytes, by: 13).last == .bytes(content))
  }

  @Test(arguments: [
    nil, "", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data",
    "multipart/form-data; boundary=", "multipart/form-data; boundary=\"\"",
    "multipart/mixed; boundary=x", "multipart/form-data; boundary=a; boundary=b",
    "multipart/form-data; boundary=é", "multipart/form-data; boundary=\"a \"",
    "multipart/form-data; boundary=" + String(repeating: "x", count: 71),
  ])
  func `another type is refused`(type: String?) {
    #expect(throws: MultipartReader.Refusal.otherType) { try MultipartReader(contentType: type) }
  }

  @Test(arguments: [
    "multipart/form-data; boundary=\"----x\"", "Multipart/Form-Data;charset=utf-8;BOUNDARY=----x",
    "multipart/form-data ; boundary = ----x ",
  ])
  func `a boundary may be written in other ways`(type: String) throws {
    #expect(try Self.read(Self.form(Self.token), by: 50, type: type).count == 1)
  }

  @Test func `a form that ends early is refused wherever it ends`() throws {
    let whole = Self.form(Self.token, Self.file("a.csv", "JFK"))
    // The line end behind the last boundary may be missing.
    for count in 0..<whole.count - 2 {
      #expect(throws: MultipartReader.Refusal.truncated, "\(count)") {
        try Self.read(Array(whole[..<count]), by: 1000)
      }
    }
  }

  @Test(arguments: [
    "------y\r\n", "hello", "\r\n------x\r\n", "------xy\r\n", "------x \n",
    "------x\r\nContent-Type: text/plain\r\n\r\nx\r\n------x--",
    "------x\r\nContent-Disposition: form-data\r\n\r\nx\r\n------x--",
    "------x\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\nx\r\n------x--",
    "------x\r\nContent-Disposition: form-data; name=\"a\"; name=\"b\"\r\n\r\nx\r\n------x--",
    "------x\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\nx\r\n------x--",
    "------x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n------x??",
  ])
  func `a form that breaks the rules is refused`(text: String) {
    #expect(throws: MultipartReader.Refusal.malformed) {
      try Self.read(Array(text.utf8), by: 10)
    }
  }

  @Test func `a second file is refused`() {
    let bytes = Self.form(Self.file("a.csv", "x"), Self.file("b.csv", "y"))
    #expect(throws: MultipartReader.Refusal.secondFile) { try Self.read(bytes, by: 20) }
  }

  @Test func `what has no end is not kept`() {
    let longHeader =
      "------x\r\nContent-Disposition: form-data; name=\"" + String(repeating: "a", count: 20_000)
    let longField = Self.form(
      "Content-Disposition: form-data; name=\"a\"\r\n\r\n" + String(repeating: "a", count: 70_000))
    let manyFields = Array(
      (String(repeating: "------x\r\n\(Self.token)\r\n", count: 40) + "------x--").utf8)
    for bytes in [Array(longHeader.utf8), longField, manyFields] {
      for size in [1000, 100_000] {
        #expect(throws: MultipartReader.Refusal.tooLarge) { try Self.read(bytes, by: size) }
      }
    }
  }

  @Test func `nothing counts behind the last boundary`() throws {
    let bytes = Self.form(Self.token) + Self.form(Self.file("a.csv", "x"))
    for size in [1, 1000] { #expect(try Self.read(bytes, by: size).count == 1) }
  }

  @Test(arguments: [
    ("a%22b.csv", "a\"b.csv"), ("a\\\"b.csv", "a\"b.csv"), ("C:\\films\\a.csv", "C:\\films\\a.csv"),
    ("a;b=c.csv", "a;b=c.csv"), ("%0D%0Ax.csv", "\r\nx.csv"),
    ("Größe 100%25.csv", "Größe 100%25.csv"),
  ])
  func `the name of a file is as the browser says it`(written: String, meant: String) throws {
    let events = try Self.read(Self.form(Self.file(written, "x")), by: 30)
    #expect(events.first == .file(name: "file", fileName: meant))
  }
}

/// What stays of the names that people give their files.
struct FileNameTests {
  @Test(arguments: [
    ("list.csv", "list.csv"), ("My films (2026).zip", "My films (2026).zip"),
    ("Größe.csv", "Größe.csv"), ("映画.json", "映画.json"), ("/etc/passwd", "passwd"),
    ("C:\\Users\\me\\a.csv", "a.csv"), ("../../a.csv", "a.csv"), ("..", "file"), ("", "file"),
    (".", "file"), ("...", "file"), (".hidden.csv", "hidden.csv"), ("--help", "help"),
    ("-rf.csv", "rf.csv"), ("a\nb\r.csv", "a_b_.csv"), ("a\0b.csv", "a_b.csv"),
    ("a\u{202E}vsc.exe", "a_vsc.exe"), ("a\u{301}.csv", "a\u{301}.csv"), ("a/", "a"),
    ("<img src=x>.csv", "img src_x_.csv"), ("$(reboot).csv", "(reboot).csv"), ("\"';.csv", "csv"),
    ("🎬.csv", "csv"),
  ])
  func `a name is safe`(said: String, kept: String) { #expect(FileName(said).text == kept) }

  @Test(arguments: ["a", "é", "映", "🎬"])
  func `a long name keeps its ending`(letter: String) {
    let name = FileName("x" + String(repeating: letter, count: 5_000) + ".csv").text
    #expect(name.utf8.count <= 100)
    #expect(name.hasSuffix(".csv"))
    #expect(FileName("x." + String(repeating: letter, count: 5_000)).text.utf8.count <= 100)
  }
}
