import SyncKitFormats
import Testing

struct ZipArchiveTests {
  private func open(_ fixture: ZipFixture) throws -> ZipArchive {
    try ZipArchive(MemoryBytes(fixture.bytes))
  }

  private func text(_ archive: ZipArchive, _ path: String) throws -> String {
    let entry = try #require(archive[path])
    return String(decoding: try archive.contents(of: entry, limit: 1 << 20), as: UTF8.self)
  }

  private func message(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch { return String(describing: error) }
  }

  @Test func `reads stored and deflated entries`() throws {
    let long = String(repeating: "the same again, ", count: 20_000)
    let archive = try open(
      ZipFixture([
        .init("folder/", ""), .init("folder/a.txt", "plain"), .init("b.txt", long).deflated(),
        .init("empty", ""), .init("empty too", "").deflated(),
      ]))
    #expect(
      archive.entries.map(\.path) == ["folder/", "folder/a.txt", "b.txt", "empty", "empty too"])
    #expect(archive.entries.map(\.isFolder) == [true, false, false, false, false])
    #expect(archive.entries.map(\.size) == [0, 5, 320_000, 0, 0])
    #expect(archive.entries[2].compressedSize < 10_000)
    #expect(try text(archive, "folder/a.txt") == "plain")
    #expect(try text(archive, "b.txt") == long)
    #expect(try text(archive, "empty").isEmpty)
    #expect(try text(archive, "empty too").isEmpty)
    #expect(archive["c.txt"] == nil)
  }

  @Test func `gives an entry in chunks, so that it need not fit the memory`() throws {
    let line = Array("0123456789abcdef\n".utf8)
    let bytes = (0..<200_000).flatMap { _ in line }
    let archive = try open(ZipFixture([.init(name: Array("a".utf8), text: bytes).deflated()]))
    var size = 0
    var longest = 0
    try archive.forEachChunk(of: archive.entries[0]) {
      size += $0.count
      longest = max(longest, $0.count)
    }
    #expect(size == bytes.count)
    #expect(longest == 65_536)
  }

  @Test(arguments: [false, true], [false, true])
  func `reads archives of 64 bits and entries with data descriptors`(
    isLarge: Bool, hasDescriptor: Bool
  ) throws {
    var entries = [
      try ZipFixture.Entry("a", "first first first first").deflated(), .init("b", "2"),
    ]
    for index in entries.indices {
      entries[index].isLarge = isLarge
      entries[index].hasDescriptor = hasDescriptor
    }
    var fixture = ZipFixture(entries)
    fixture.isLarge = isLarge
    fixture.comment = Array("PK\u{5}\u{6} is how the end begins, but not here".utf8)
    let archive = try open(fixture)
    #expect(try text(archive, "a") == "first first first first")
    #expect(try text(archive, "b") == "2")
  }

  @Test func `an empty archive has no entries`() throws {
    #expect(try open(ZipFixture([])).entries.isEmpty)
  }

  @Test func `reads names in UTF-8, with and without the flag, and in code page 437`() throws {
    var flagged = ZipFixture.Entry("Übung.csv", "1")
    flagged.flags = 1 << 11
    let silent = ZipFixture.Entry("出力.xml", "2")
    let old = ZipFixture.Entry(name: [0x9A] + Array("bung.csv".utf8), text: [0x33])
    var field = ZipFixture.Entry("?bung", "4")
    let name = Array("übung".utf8)
    field.extra =
      ZipFixture.number(0x7075, 2) + ZipFixture.number(5 + name.count, 2) + [1]
      + ZipFixture.number(Int(crc(field.name)), 4) + name
    var windows = ZipFixture.Entry("a\\b.txt", "5")
    windows.madeBy = 0
    let archive = try open(ZipFixture([flagged, silent, old, field, windows]))
    #expect(
      archive.entries.map(\.path) == ["Übung.csv", "出力.xml", "Übung.csv", "übung", "a/b.txt"])
    #expect(try text(archive, "Übung.csv") == "3")
    #expect(try text(archive, "a/b.txt") == "5")
  }

  @Test(arguments: [
    ("../a", "the path leads out of the archive"), ("a/../../b", "leads out"),
    ("a\\..\\b", "leads out"), ("..", "leads out"), ("a/..", "leads out"),
    ("/etc/passwd", "absolute"), ("\\a", "absolute"), ("C:/a", "absolute"), ("", "no name"),
    ("a\u{0}.txt", "zero byte"),
  ])
  func `refuses paths that lead elsewhere`(path: String, reason: String) throws {
    let found = message { _ = try open(ZipFixture([.init("good", "1"), .init(path, "2")])) }
    #expect(try #require(found).contains(reason))
  }

  @Test(arguments: ["a..b/..c", "...", "a/.b", "ab:c"])
  func `takes paths that only look so`(path: String) throws {
    #expect(try text(open(ZipFixture([.init(path, "1")])), path) == "1")
  }

  @Test func `refuses entries that overlap, as bombs do`() throws {
    var second = try ZipFixture.Entry("b", String(repeating: "x", count: 10_000)).deflated()
    second.claimedOffset = 0
    let first = second
    #expect(message { _ = try open(ZipFixture([first, second])) }?.contains("overlaps") == true)
    second.claimedOffset = 20
    #expect(
      message { _ = try open(ZipFixture([first, second])) } == "b: it overlaps what comes after it")
    second.claimedOffset = 1 << 31
    #expect(message { _ = try open(ZipFixture([first, second])) }?.contains("overlaps") == true)
  }

  @Test func `refuses more entries and more bytes than it may hold`() throws {
    let bytes = ZipFixture([.init("a", "12345"), .init("b", "67890")]).bytes
    #expect(throws: ArchiveError("it has 2 entries, more than 1")) {
      try ZipArchive(MemoryBytes(bytes), limits: .init(entries: 1))
    }
    #expect(throws: ArchiveError("it unpacks to more than 9 bytes")) {
      try ZipArchive(MemoryBytes(bytes), limits: .init(size: 9))
    }
    let archive = try ZipArchive(MemoryBytes(bytes), limits: .init(entries: 2, size: 10))
    #expect(throws: ArchiveError("it unpacks to more than 4 bytes", entry: "a")) {
      try archive.contents(of: archive.entries[0], limit: 4)
    }
    #expect(try archive.contents(of: archive.entries[0], limit: 5).count == 5)
  }

  @Test func `refuses what is encrypted or packed in another way, but only when it is read`() throws
  {
    var secret = ZipFixture.Entry("secret", "1")
    secret.flags = 1
    var modern = ZipFixture.Entry("modern", "2")
    modern.method = 93
    let archive = try open(ZipFixture([secret, modern, .init("plain", "3")]))
    #expect(
      message { _ = try text(archive, "secret") }
        == "secret: it is encrypted; unpack it with its password")
    #expect(message { _ = try text(archive, "modern") }?.contains("method 93") == true)
    #expect(try text(archive, "plain") == "3")
  }

  @Test func `notices wrong sizes, wrong checksums and heads that differ`() throws {
    func fault(_ change: (inout ZipFixture.Entry) -> Void) throws -> String? {
      var entry = try ZipFixture.Entry("a", "some text, some text, some text").deflated()
      change(&entry)
      return message { _ = try text(open(ZipFixture([entry])), "a") }
    }
    #expect(try fault { $0.size += 1 } == "a: it is smaller than the directory says")
    #expect(try fault { $0.size -= 1 } == "a: it is larger than the directory says")
    #expect(try fault { $0.checksum ^= 1 } == "a: its checksum does not match")
    #expect(try fault { $0.packed[0] = 0xFF } == "a: its compressed bytes are damaged")
    #expect(try fault { $0.packed.removeLast() } == "a: it ends too early")
    #expect(try fault { $0.packed.append(0) } == "a: there are other bytes after its end")
    #expect(try fault { $0.localName = [0x62] } == "a: its header and the directory differ")
    #expect(try fault { $0.claimedOffset = 1 } == "a: it overlaps what comes after it")
  }

  @Test(arguments: ["", "PK", String(repeating: "-", count: 100_000)])
  func `says that a file is not an archive`(text: String) {
    let bytes = Array(text.utf8)
    #expect(throws: ArchiveError("it is not a ZIP archive, or it is cut off")) {
      try ZipArchive(MemoryBytes(bytes))
    }
    #expect(!ZipArchive.isZip(bytes))
  }

  @Test func `a directory that claims more than there is is damaged`() throws {
    var fixture = ZipFixture([.init("a", "1")])
    fixture.claimedCount = 2
    #expect(throws: ArchiveError.self) { try open(fixture) }
    fixture.isLarge = true
    fixture.claimedCount = 100_000
    #expect(throws: ArchiveError.self) { try open(fixture) }
    fixture.claimedCount = .max
    #expect(throws: ArchiveError.self) { try open(fixture) }
  }

  @Test(arguments: 1...10)
  func `never traps on a damaged archive, and a good one reads back`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var writer = ZipWriter()
    var contents: [(path: String, bytes: [UInt8])] = []
    for index in 0..<Int.random(in: 1...6, using: &random) {
      let length = Int.random(in: 0...2000, using: &random)
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...9, using: &random) }
      contents.append(("\(index)/é", bytes))
      try writer.add("\(index)/é", bytes, isCompressed: Bool.random(using: &random))
    }
    let good = writer.finish()
    let archive = try ZipArchive(MemoryBytes(good))
    #expect(archive.entries.map(\.path) == contents.map(\.path))
    for (entry, content) in zip(archive.entries, contents) {
      #expect(try archive.contents(of: entry, limit: 2000) == content.bytes)
    }
    for _ in 0..<100 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: max(0, bytes.count - 400)..<bytes.count, using: &random)
        bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
      if Int.random(in: 0..<8, using: &random) == 0 { bytes.removeFirst(7) }
      guard let damaged = try? ZipArchive(MemoryBytes(bytes)) else { continue }
      for entry in damaged.entries { _ = try? damaged.contents(of: entry, limit: 1 << 20) }
    }
  }

  @Test func `a writer refuses what a reader would`() throws {
    var writer = ZipWriter()
    #expect(throws: ArchiveError.self) { try writer.add("../a", []) }
    try writer.add("a/", [])
    try writer.add("a/b", Array("text".utf8))
    let bytes = writer.finish()
    #expect(ZipArchive.isZip(bytes))
    #expect(try ZipArchive(MemoryBytes(bytes)).entries.map(\.path) == ["a/", "a/b"])
  }

  private func crc(_ bytes: [UInt8]) -> UInt32 { ZipFixture.Entry(name: [], text: bytes).checksum }
}
