import SyncKitFormats
import Testing

struct XMLEventReaderTests {
  private func place(_ text: String, options: XMLEventReader.Options = .init()) -> XMLError? {
    do {
      _ = try events(Array(text.utf8), options: options)
      return nil
    } catch { return error as? XMLError }
  }

  @Test func `hands out elements, attributes and text in order`() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!-- a comment -->
      <a one="1" two='"2" &amp; &#x33;'>x &lt; y<b/><?do it?> <![CDATA[<raw>&amp;]]> é漢👩🏽<!-- - -->!</a>
      """
    #expect(
      try events(Array(text.utf8)) == [
        .start(name: "a", attributes: ["one": "1", "two": "\"2\" & 3"]), .text("x < y"),
        .start(name: "b", attributes: [:]), .end(name: "b"), .text(" <raw>&amp; é漢👩🏽!"),
        .end(name: "a"),
      ])
  }

  @Test func `finds attributes by name and keeps their order`() throws {
    let found = try events(Array("<a z='1' y:x='2' b=''/>".utf8))
    guard case .start("a", let attributes) = found.first else {
      Issue.record("no element begins")
      return
    }
    #expect(attributes.map(\.name) == ["z", "y:x", "b"])
    #expect(attributes["y:x"] == "2")
    #expect(attributes["b"]?.isEmpty == true)
    #expect(attributes["c"] == nil)
  }

  @Test func `line ends are those of XML, and blank text can be left out`() throws {
    let text = Array("<a>\r\n <b>1\r2</b>\r\n</a>".utf8)
    #expect(
      try events(text).compactMap { if case .text(let text) = $0 { text } else { nil } } == [
        "\n ", "1\n2", "\n",
      ])
    var options = XMLEventReader.Options()
    options.skipsBlankText = true
    #expect(try events(text, options: options).filter { $0 == .text("1\n2") }.count == 1)
    #expect(try events(text, options: options).count == 5)
  }

  @Test func `reads UTF-16 and ISO 8859-1`() throws {
    var wide: [UInt8] = [0xFF, 0xFE]
    for unit in "<a>é漢</a>".utf16 { wide += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    let latin =
      Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>".utf8) + [0xE9] + Array("</a>".utf8)
    for options in [XMLEventReader.Options(), .exports] {
      #expect(try events(wide, options: options).contains(.text("é漢")))
      #expect(try events(latin, options: options).contains(.text("é")))
    }
  }

  @Test(arguments: [
    ("", 1, 1, "the text ends before its first element does"),
    ("<a>\n  <b></a>", 2, 8, "an end tag does not match its start tag"),
    ("<a>\n\né & b</a>", 3, 4, "a character or a tag is not allowed here"),
    ("<a b='1' b='2'/>", 1, 10, "an attribute appears twice"),
    ("<a>", 1, 4, "the text ends before its first element does"),
    ("<a/>\n<b/>", 2, 1, "something follows the end of the document"),
    ("<a>\u{B}</a>", 1, 4, "a character or a tag is not allowed here"),
    ("<a>&nbsp;</a>", 1, 4, "an entity is not defined"),
  ])
  func `says where and what is wrong`(text: String, line: Int, column: Int, message: String) {
    #expect(place(text) == XMLError(line: line, column: column, message: message))
  }

  @Test(arguments: [
    "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", "<!DOCTYPE a [<!ENTITY x 'y'>]><a b='&x;'/>",
    "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>",
    "<!DOCTYPE a [<!ENTITY % x 'y'> %x;]><a/>",
  ])
  func `refuses a text that declares entities`(text: String) {
    #expect(place(text)?.message == "the text declares entities, which are not supported")
  }

  @Test func `refuses references to what is not declared, also when a file outside might do so`() {
    let text = "<!DOCTYPE a SYSTEM 'file:///a.dtd'><a>&x;</a>"
    #expect(place(text)?.message == "the entity \"x\" is not declared")
    #expect(place(text, options: .exports)?.message == "an entity is not defined")
  }

  @Test func `refuses what is too deep or too long`() {
    var options = XMLEventReader.Options()
    options.depth = 3
    options.textLength = 100
    options.tagLength = 200_000
    #expect(place("<a><a><a/></a></a>", options: options) == nil)
    #expect(
      place("<a>\n<a><a><a/></a></a></a>", options: options)
        == XMLError(
          line: 2, column: 7, message: "elements are nested more than 3 levels deep"))
    let long = String(repeating: "x", count: 101)
    #expect(place("<a>\(long)</a>", options: options)?.message == "a text is longer than 100 bytes")
    let longer = String(repeating: "x", count: 400_000)
    for text in [
      "<a b='\(longer)'/>", "<\(longer)/>", "<!--\(longer)--><a/>", "<a><!--\(longer)--></a>",
    ] {
      #expect(
        place(text, options: options)?.message == "a tag or comment is longer than 200000 bytes")
    }
  }

  @Test func `what the closure throws ends the reading and is thrown again`() throws {
    struct StopReading: Error {}
    var count = 0
    let reader = try XMLEventReader { _ in
      count += 1
      if count == 2 { throw StopReading() }
    }
    try reader.feed(Array("<a><b/><c/></a>".utf8))
    #expect(throws: StopReading.self) { try reader.finish() }
    #expect(throws: StopReading.self) { try reader.feed([]) }
    #expect(throws: StopReading.self) { try reader.finish() }
    #expect(count == 2)
  }

  @Test func `tells the closure where it is`() throws {
    var places: [String] = []
    var reader: XMLEventReader?
    reader = try XMLEventReader { event in
      guard case .start(let name, _) = event, let place = reader?.place else { return }
      places.append("\(name) \(place.line):\(place.column)")
    }
    try reader?.feed(Array("<a>\n  <b/>\n\t<c/></a>".utf8))
    try reader?.finish()
    reader = nil
    #expect(places == ["a 1:1", "b 2:3", "c 3:2"])
  }

  @Test func `a reader cannot be fed by its own closure`() throws {
    var reader: XMLEventReader?
    reader = try XMLEventReader { _ in try reader?.feed([0x20]) }
    try reader?.feed(Array("<a/>".utf8))
    #expect(throws: XMLError.self) { try reader?.finish() }
    reader = nil
  }

  @Test(arguments: 1...30)
  func `the same text gives the same events and the same errors however it is split`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    var text = Array(
      "\u{FEFF}<?xml version='1.0'?>\r\n<!DOCTYPE a [<!ELEMENT a ']>'><!-- ]> ' -->\n]>\n".utf8)
    text += Array("<a>".utf8)
    for index in 0..<Int.random(in: 1...60, using: &random) {
      let part =
        [
          "<b c='é\(index)'>", "</b>", "<b/>", "text ", "\r\n", "&amp;", "<![CDATA[x]]>",
          "<!-- é -->",
          "\u{1}", "漢",
        ].randomElement(using: &random) ?? ""
      text += Array(part.utf8)
    }
    text += Array("</a>".utf8)
    for options in [XMLEventReader.Options(), .exports] {
      let whole = Result { try events(text, options: options) }
      for size in [1, 2, 3, 7, 64] {
        let parts = Result { try events(text, by: size, options: options) }
        #expect(description(parts) == description(whole))
      }
    }
  }

  @Test(arguments: 1...20)
  func `never traps on damaged text`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let pieces = [
      "<", ">", "/", "a", "<a>", "</a>", "<!", "<!DOCTYPE", "[", "]", "'", "\"", "&", ";", "&#0;",
      "&#x110000;", "<?", "?>", "<!--", "-->", "<![CDATA[", "]]>", "\u{0}", "é", " ", "\n", "=",
    ]
    for _ in 0..<200 {
      var bytes = (0..<Int.random(in: 0...30, using: &random)).flatMap { _ in
        Array((pieces.randomElement(using: &random) ?? "").utf8)
      }
      if Bool.random(using: &random) {
        bytes.append(.random(in: 0...255, using: &random))
      }
      for options in [XMLEventReader.Options(), .exports] {
        _ = try? events(bytes, by: Int.random(in: 1...9, using: &random), options: options)
      }
    }
  }
}

/// Reads a text in pieces of a size.
func events(
  _ text: [UInt8], by size: Int = .max, options: XMLEventReader.Options = .init()
) throws -> [XMLEvent] {
  var events: [XMLEvent] = []
  let reader = try XMLEventReader(options: options) { events.append($0) }
  var rest = text[...]
  while !rest.isEmpty {
    try reader.feed(rest.prefix(size))
    rest = rest.dropFirst(size)
  }
  try reader.finish()
  return events
}

private func description(_ result: Result<[XMLEvent], any Error>) -> String {
  switch result {
  case .success(let events): String(describing: events)
  case .failure(let error): String(describing: error)
  }
}
