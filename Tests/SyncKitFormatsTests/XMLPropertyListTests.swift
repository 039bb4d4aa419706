import Testing

@testable import SyncKitFormats

/// Property lists in XML, as Apple's tools write them and as others do.
struct XMLPropertyListTests {
  private func parse(_ text: String) throws -> PropertyList {
    try PropertyList(parsing: Array(text.utf8))
  }

  private func plist(_ body: String) throws -> PropertyList {
    try parse("<?xml version=\"1.0\"?><plist version=\"1.0\">\(body)</plist>")
  }

  private static let values: [PropertyList] = [
    .bool(true), .bool(false), .int(0), .int(1), .int(.min), .int(.max), .uint(.max), .double(1),
    .double(-0.0), .double(1e20), .double(.infinity), .double(-.infinity), .string(""),
    .string(" a <b> & \"c\" 'd' ]]> "), .string("line\nline\r\n\ttab"), .string("é漢😀"),
    .date(milliseconds: 1_795_251_723_000), .data([]), .data([UInt8](repeating: 7, count: 200)),
    .array([]), .dictionary([]),
    .dictionary([.init("b & <c>", .array([.int(1), .dictionary([.init("", .bool(true))])]))]),
  ]

  @Test(arguments: values)
  func `every value comes back with its kind`(value: PropertyList) throws {
    let bytes = try value.serialized(as: .xml)
    #expect(PropertyList.form(of: bytes) == .xml)
    #expect(try PropertyList(parsing: bytes) == value, "\(String(decoding: bytes, as: UTF8.self))")
  }

  @Test func `a file looks as Apple's tools write it`() throws {
    let value = PropertyList.dictionary([
      .init("AppFont", .string("Menlo")), .init("Bold", .bool(true)),
      .init("Icon", .data([1, 2, 3])), .init("List", .array([.int(1), .double(1)])),
    ])
    let wanted = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \t<key>AppFont</key>
      \t<string>Menlo</string>
      \t<key>Bold</key>
      \t<true/>
      \t<key>Icon</key>
      \t<data>
      \tAQID
      \t</data>
      \t<key>List</key>
      \t<array>
      \t\t<integer>1</integer>
      \t\t<real>1.0</real>
      \t</array>
      </dict>
      </plist>

      """
    #expect(String(decoding: try value.serialized(as: .xml), as: UTF8.self) == wanted)
    #expect(try parse(wanted) == value)
  }

  @Test(arguments: [
    ("<integer> 0x1F </integer>", PropertyList.int(31)), ("<integer>+7</integer>", .int(7)),
    ("<real>1</real>", .double(1)), ("<real>inf</real>", .double(.infinity)),
    ("<true></true>", .bool(true)), ("<data>\n AQ\n ID\n</data>", .data([1, 2, 3])),
    ("<date>2026-11-21T08:00:00Z</date>", .date(milliseconds: 1_795_248_000_000)),
    ("<string>a<!-- c -->b</string>", .string("ab")),
    ("<string><![CDATA[<&>]]></string>", .string("<&>")), ("<string>&#x41;</string>", .string("A")),
    (
      "<!-- c --><dict><key>k</key><!-- c --><true/></dict>", .dictionary([.init("k", .bool(true))])
    ),
  ])
  func `other spellings mean the same`(body: String, wanted: PropertyList) throws {
    #expect(try plist(body) == wanted)
  }

  @Test(arguments: [
    "", "<string>a", "<integer>x</integer>", "<integer>1.5</integer>", "<real>x</real>",
    "<real>0x1p3</real>", "<date>yesterday</date>", "<data>!</data>", "<true>x</true>",
    "<dict><true/></dict>", "<dict><key>a</key></dict>", "<dict><key>a</key><key>b</key></dict>",
    "<dict><key>a</key><true/><key>a</key><true/></dict>", "<string><true/></string>",
    "<null/>", "<true/><false/>", "<array>x</array>", "<plist/>",
    "<integer>99999999999999999999</integer>", "<string>&unknown;</string>",
  ])
  func `a text that is not a property list is refused`(body: String) {
    #expect(throws: PropertyListError.self) { try plist(body) }
  }

  @Test func `entities are not expanded`() {
    let text = """
      <?xml version="1.0"?><!DOCTYPE plist [<!ENTITY a "xxxxxxxxxx"><!ENTITY b "&a;&a;&a;">]>
      <plist version="1.0"><string>&b;</string></plist>
      """
    let value = try? parse(text)
    #expect(value == nil || value == .string(""))
  }

  @Test func `too deep a nest is refused, not followed`() {
    #expect(throws: PropertyListError.self) {
      try plist(String(repeating: "<array>", count: 100_000))
    }
  }

  @Test func `a control character has no form in XML`() {
    #expect(throws: PropertyListError.self) {
      try PropertyList.string("\u{1}").serialized(as: .xml)
    }
  }
}
