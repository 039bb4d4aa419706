import SyncKitFormats
import Testing

struct XMLToleranceTests {
  private func names(_ text: String) throws -> [String] {
    try events(Array(text.utf8), by: 5, options: .exports).compactMap {
      if case .start(let name, _) = $0 { name } else { nil }
    }
  }

  @Test(arguments: [
    "<!DOCTYPE a>", "<!DOCTYPE a SYSTEM \"]>.dtd\">", "<!DOCTYPE a []>", "<!DOCTYPE a [ ] \n >",
    "<!DOCTYPE a [<!ELEMENT a (b|c)*>\n<!ATTLIST a b CDATA #IMPLIED>]>",
    "<!DOCTYPE a [<!-- it's ]> here: [ -->]>", "<!DOCTYPE a [<!ELEMENT it's>\n]>",
    "<!DOCTYPE a [\n<!ATTLIST a\n  b CDATA #REQUIRED\n>\n  c CDATA #IMPLIED\n>\n]>",
    "<!DOCTYPE a [<!ENTITY x ']>'>]>",
    "<!-- <!DOCTYPE b [ --><!DOCTYPE a [<!ENTITY x \"<!--\">\n]>",
    "<?do <!DOCTYPE?><!DOCTYPE a>", "<!DOCTYPE a [ ]] ]>", "<!DOCTYPE a [é漢 ] é ]>",
  ])
  func `passes over a document type declaration, sound or not`(declaration: String) throws {
    #expect(try names("\(declaration)<a>\n<b/></a>") == ["a", "b"])
    #expect(
      try names("\u{FEFF}<?xml version=\"1.0\"?>\n\(declaration)\n<a><b/></a>") == ["a", "b"])
  }

  @Test func `places are those of the text as it came`() {
    let text = "<!DOCTYPE a [\n<!BROKEN\n]>\n<a>\n  <b></c></a>"
    #expect(
      throws: XMLError(line: 5, column: 8, message: "an end tag does not match its start tag")
    ) { try names(text) }
  }

  @Test func `a declaration that never ends is an error`() {
    #expect {
      try names("<!DOCTYPE a [\n<a/>")
    } throws: {
      ($0 as? XMLError)?.message == "the document type declaration is never closed"
    }
  }

  @Test(arguments: [1, 2, 5, 100])
  func `drops control characters, and nothing else`(size: Int) throws {
    let text = "\u{0}<\u{1}a b='My\u{B}Phone\u{1F}'\u{8}>x\u{7F}\t\r\ny\u{C}é\u{2}</a>\u{3}"
    #expect(
      try events(Array(text.utf8), by: size, options: .exports) == [
        .start(name: "a", attributes: ["b": "MyPhone"]), .text("x\u{7F}\t\nyé"), .end(name: "a"),
      ])
  }

  @Test func `a declaration within the document is not passed over`() {
    #expect(throws: XMLError.self) { try names("<a><!DOCTYPE b></a>") }
  }

  @Test func `reads twenty megabytes without keeping them`() throws {
    var count = 0
    var total = 0
    let reader = try XMLEventReader(options: .exports) { event in
      guard case .start("Record", let attributes) = event else { return }
      count += 1
      total += attributes["value"].flatMap { Int($0) } ?? 0
    }
    try reader.feed(Array("<!DOCTYPE HealthData [\n<!ATTLIST broken\n]>\n<HealthData>".utf8))
    let record =
      "\n <Record type=\"HKQuantityTypeIdentifierHeartRate\" unit=\"count/min\" value=\"61\"/>"
    let chunk = Array(String(repeating: record, count: 1000).utf8)
    for _ in 0..<251 { try reader.feed(chunk) }
    try reader.feed(Array("</HealthData>".utf8))
    try reader.finish()
    #expect(count == 251_000)
    #expect(total == 251_000 * 61)
    #expect(chunk.count * 251 > 20_000_000)
  }
}
