import SyncKitTesting
import SyncKitFormats
import Testing

@testable import FileTransport

extension TextWindow {
  /// A window on bytes in memory.
  convenience init(_ bytes: [UInt8], size: Int = TextWindow.size) {
    self.init(count: bytes.count, size: size) { buffer, offset in
      let part = bytes[offset..<min(offset + buffer.count, bytes.count)]
      buffer.copyBytes(from: part)
      return part.count
    }
  }
}

extension ContentStamp {
  init(_ bytes: [UInt8]) {
    var writer = Writer()
    bytes.withUnsafeBufferPointer { writer.add($0) }
    self = writer.stamp
  }
}

/// JSON that is read piece by piece, compared with the reader that has all of it.
@Suite struct JSONInPieces {
  private static let sizes = [1, 2, 3, 5, 16, 64, 4096]

  /// What the whole reader says.
  private func whole(_ bytes: [UInt8]) -> Result<JSON, JSONError> {
    do throws(JSONError) { return .success(try JSON(parsing: bytes)) } catch {
      return .failure(error)
    }
  }

  /// What the reader in pieces says; every value of an object is visited one by one.
  private func pieces(_ bytes: [UInt8], _ size: Int) throws -> Result<JSON, JSONError> {
    var text = JSONText(TextWindow(bytes, size: size))
    let members: [(key: String, value: Int)]?
    do { members = try text.check() } catch let error as JSONError { return .failure(error) }
    guard let members else { return .success(try JSON(parsing: bytes)) }
    var object = JSONObject()
    for member in members {
      text.offset = member.value
      object[member.key] = try visit(&text)
    }
    return .success(.object(object))
  }

  private func visit(_ text: inout JSONText) throws -> JSON {
    switch try text.next {
    case UInt8(ascii: "{"):
      var object = JSONObject()
      try text.forEachMember(at: text.offset) { text, key in object[key] = try visit(&text) }
      return .object(object)
    case UInt8(ascii: "["):
      var elements: [JSON] = []
      try text.forEachElement(at: text.offset) { text in elements.append(try visit(&text)) }
      return .array(elements)
    case UInt8(ascii: "\""):
      let start = text.offset
      var bytes: [UInt8] = []
      try text.forEachPiece { bytes += $0 }
      let end = text.offset
      text.offset = start
      let value = try text.value()
      #expect(text.offset == end && value.string.map { Array($0.utf8) } == bytes)
      return value
    default: return try text.value()
    }
  }

  private func compare(_ bytes: [UInt8], sizes: [Int] = sizes) throws {
    let expected = whole(bytes)
    for size in sizes {
      let found = try pieces(bytes, size)
      #expect(
        found == expected, "\(String(decoding: bytes.prefix(200), as: UTF8.self)), window \(size)")
    }
  }

  private static let sample = """
    \u{FEFF}{\r
    \t"a\\u00e9": [1, -0, 0.5e-3, 1E+2, true, false, null, {}, [], ""],\r
    "text": "Zürich \\"\\\\\\/\\b\\f\\n\\r\\t \\ud83c\\udfac 東京 🎬", \r
    "A": {"z": 1, "b": {"b": [[{"b": 2}]]}, "aa": 3},\n\r"last":12345678901234567890\r
    } \n
    """

  @Test func `what is cut at any byte fails at the same place, for the same reason`() throws {
    let bytes = Array(Self.sample.utf8)
    for end in 0...bytes.count { try compare(Array(bytes[..<end])) }
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `what is damaged anywhere fails at the same place, for the same reason`(seed: UInt64) throws
  {
    var random = SeededRandom(seed: seed)
    let letters =
      Array("{}[]\",:\\/ueE+-.019ntf \r\n\u{0}\u{1F}\u{7F}".utf8) + [0x80, 0xC3, 0xEF, 0xFF]
    for _ in 0..<40 {
      var bytes = Array(Self.sample.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let letter = letters.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = letter
        case 1: bytes.insert(letter, at: place)
        default: bytes.remove(at: place)
        }
      }
      try compare(bytes, sizes: [3, 64])
    }
  }

  @Test(arguments: [
    "", " ", "\u{FEFF}", "7", "\"a\"", "[1,2]", "{", "{}", "{} {}", "{\"a\":1,}", "{a:1}", "nul",
    "{\"a\": 1, \"a\": 2}", "{\"b\": 1, \"a\": 2, \"b\": 3}", "{\"a\": 1, \"\\u0061\": 2}",
    "{\"a\": {\"a\": 1}, \"b\": {\"a\": 1}}", "{\"\u{E9}\": 1, \"e\u{301}\": 2}",
    "{\"b\": 1, \"a\": 2, \"c\": 3, \"\": 4, \"ab\": 5}", "{\"a\": 1, \"a\": nul}",
    "{\"a\": 01}", "{\"a\": 1e999}", "{\"a\": -}", "{\"a\": 1.}", "{\"a\": 1e}", "{\"a\": .5}",
    "{\"a\": \"\\ud800\"}", "{\"a\": \"\\ud800\\u0041\"}", "{\"a\": \"\\udc00\"}",
    "{\"a\": \"\\ud83c\\udfac\"}", "{\"a\": \"\\x\"}", "{\"a\": \"\\u12g4\"}", "{\"a\": \"\t\"}",
    "{\"a\":\r\r\n\n 1 2}", "\r\n\u{FEFF}{}", "{\"\u{FEFF}\": \"\u{FEFF}\u{FEFF}\", x}",
    "{\"\u{200B}\": 1, \"\u{200B}\": 2}",
  ])
  func `what is allowed and what is not is the same`(text: String) throws {
    try compare(Array(text.utf8))
  }

  @Test(
    arguments: [
      [0xC3], [0xC3, 0x22], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x8E], [0xFF],
      [0xF4, 0x90, 0x80, 0x80], [0xC0, 0x80], [0x80],
    ] as [[UInt8]])
  func `what is not UTF-8 is found where it begins`(part: [UInt8]) throws {
    try compare(Array("{\"a\": \"é".utf8) + part + Array("\"}".utf8))
    try compare(Array("{\"a".utf8) + part + Array("\": 1}".utf8))
    try compare(Array("{\"a\": ".utf8) + part)
    // Another fault of the same string comes first.
    try compare(Array("{\"a\": \"".utf8) + part + Array("\\x\"}".utf8))
  }

  @Test(arguments: [62, 63, 64, 65, 500, 100_000])
  func `what is nested too deep is refused before it is read`(depth: Int) throws {
    for (opening, closing) in [("[", "]"), ("{\"a\":", "}")] {
      let text =
        "{\"a\": " + String(repeating: opening, count: depth) + "1"
        + String(repeating: closing, count: depth) + "}"
      try compare(Array(text.utf8), sizes: [64])
    }
  }

  @Test func `long numbers are doubles or too large`() throws {
    for digits in [299, 300, 301, 308, 309, 310, 5_000] {
      try compare(Array("{\"a\": 9\(String(repeating: "1", count: digits))}".utf8))
      try compare(Array("{\"a\": 0.\(String(repeating: "1", count: digits))}".utf8))
    }
  }

  @Test func `many keys in no order are compared all the same`() throws {
    let keys = (0..<2_000).map { "\"k\(($0 &* 7_919) % 2_003)\":\($0)" }
    try compare(Array("{\(keys.joined(separator: ","))}".utf8), sizes: [64])
    try compare(Array("{\(keys.joined(separator: ",")),\"k0\":1}".utf8), sizes: [64])
  }

  @Test func `a window is as large as was said, however long the text is`() throws {
    let record = "{\"id\": \"some id or other\", \"title\": \"Heat\", \"notes\": [{\"a\": 1}]},"
    let text = "{\"items\": [\(String(repeating: record, count: 20_000))1], \"end\": 1}"
    let window = TextWindow(Array(text.utf8), size: 4096)
    var reader = JSONText(window)
    let members = try #require(try reader.check())
    var count = 0
    try reader.forEachElement(at: members[0].value) { text in
      if try text.next == UInt8(ascii: "{") {
        try text.forEachMember(at: text.offset) { text, _ in _ = try text.value() }
      } else {
        try text.skip()
      }
      count += 1
    }
    #expect(count == 20_001 && window.count > 1_000_000 && window.largest == 4096)
    let long = TextWindow(
      Array("{\"a\": \"\(String(repeating: "é", count: 500_000))\"}".utf8), size: 4096)
    var string = JSONText(long)
    string.offset = try #require(try string.check())[0].value
    var bytes = 0
    try string.forEachPiece { bytes += $0.count }
    #expect(bytes == 1_000_000 && long.largest == 4096)
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `a text that changes after it was checked ends all the same`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let before = Array(Self.sample.utf8)
    let after = before.map { byte in
      Bool.random(using: &random)
        ? byte : Array("{}[]\",:\\ 1n".utf8).randomElement(using: &random) ?? 0
    }
    var isLater = false
    let length = Int.random(in: 0...before.count, using: &random)
    let window = TextWindow(count: before.count, size: 16) { buffer, offset in
      let bytes = isLater ? Array(after[..<length]) : before
      guard offset < bytes.count else { return 0 }
      let part = bytes[offset..<min(offset + buffer.count, bytes.count)]
      buffer.copyBytes(from: part)
      return part.count
    }
    var text = JSONText(window)
    let members = try #require(try text.check())
    isLater = true
    for member in members {
      text.offset = member.value
      do { _ = try visitAnything(&text, 0) } catch is TextWindow.Shortened {} catch is JSONError {}
    }
  }

  private func visitAnything(_ text: inout JSONText, _ depth: Int) throws -> Int {
    var count = 0
    switch try text.next {
    case UInt8(ascii: "{") where depth < 64:
      try text.forEachMember(at: text.offset) { text, _ in
        count += try visitAnything(&text, depth + 1)
      }
    case UInt8(ascii: "[") where depth < 64:
      try text.forEachElement(at: text.offset) { text in
        count += try visitAnything(&text, depth + 1)
      }
    case UInt8(ascii: "\""): try text.forEachPiece { count += $0.count }
    default: _ = try text.value()
    }
    return count + 1
  }

  @Test func `the stamp of a content does not depend on the pieces in which it came`() throws {
    let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for size in [1, 7, 8, 9, 4096] {
      #expect(try ContentStamp(TextWindow(bytes, size: size)) == ContentStamp(bytes))
    }
    var other = bytes
    other[5_000] ^= 1
    #expect(try ContentStamp(TextWindow(other)) != ContentStamp(bytes))
    #expect(ContentStamp(Array(bytes.dropLast())) != ContentStamp(bytes))
  }

  @Test func `a file that is shorter than it was is an error`() throws {
    let bytes = Array(Self.sample.utf8)
    let window = TextWindow(count: bytes.count + 1, size: 64) { buffer, offset in
      let part = bytes[offset..<min(offset + buffer.count, bytes.count)]
      buffer.copyBytes(from: part)
      return part.count
    }
    #expect(throws: TextWindow.Shortened.self) { _ = try ContentStamp(window) }
  }

  @Test func `JSON that is written in pieces is what is written at once`() throws {
    let value = try JSON(parsing: Self.sample)
    var bytes: [UInt8] = []
    let output = JSONOutput { bytes += $0 }
    try output.write(value)
    let stamp = try output.finish()
    #expect(bytes == value.serialized(pretty: true) && stamp == ContentStamp(bytes))
    var largest = 0
    let long = JSONOutput { largest = max(largest, $0.count) }
    long.begin("[")
    for _ in 0..<50_000 {
      long.element()
      try long.write(value)
    }
    try long.end("]")
    _ = try long.finish()
    #expect(long.count > 10_000_000 && largest < 2 * JSONOutput.size)
  }
}
