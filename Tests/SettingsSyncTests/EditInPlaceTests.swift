import Testing

@testable import SettingsSync

/// Writing a setting touches the bytes of its value and no others.
struct EditInPlaceTests {
  struct Edit: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var format: String
    var before: String
    var edits: [String: SettingValue?]
    var after: String

    init(
      _ name: String, _ format: String, _ before: String, _ edits: [String: SettingValue?],
      _ after: String
    ) {
      testDescription = name
      self.format = format
      self.before = before
      self.edits = edits
      self.after = after
    }
  }

  @Test(arguments: json + yaml + toml + plist + lines)
  func `the other bytes stay`(edit: Edit) throws {
    var file = try SettingsFile(Array(edit.before.utf8), named: edit.format)
    let refused = file.edit(edit.edits)
    #expect(refused.map { "\($0.key): \($0.reason)" } == [])
    #expect(String(decoding: try file.serialized(), as: UTF8.self) == edit.after)
    for (key, value) in edit.edits { #expect(file[key] == value) }
  }

  @Test(arguments: json + yaml + toml + plist + lines)
  func `nothing to do leaves every byte`(edit: Edit) throws {
    for text in [edit.before, edit.after] {
      var file = try SettingsFile(Array(text.utf8), named: edit.format)
      let same = file.values.mapValues { SettingValue?.some($0) }
      #expect(file.edit(same).isEmpty)
      #expect(String(decoding: try file.serialized(), as: UTF8.self) == text)
    }
  }

  static let json: [Edit] = [
    Edit(
      "a comment and a trailing comma", "json",
      "// mine\n{\n  \"size\": 14, // px\n  /* off */ \"wrap\": true,\n}\n",
      ["size": .int(15)],
      "// mine\n{\n  \"size\": 15, // px\n  /* off */ \"wrap\": true,\n}\n"),
    Edit(
      "long numbers beside it", "json",
      #"{"id":12345678901234567890,"pi":3.141592653589793238462643,"n":1.10,"size":1}"#,
      ["size": .int(2)],
      #"{"id":12345678901234567890,"pi":3.141592653589793238462643,"n":1.10,"size":2}"#),
    Edit(
      "a new key behind a trailing comma", "json", "{\n\t\"a\": 1,\n}\n", ["b": .string("x")],
      "{\n\t\"a\": 1,\n\t\"b\": \"x\",\n}\n"),
    Edit(
      "a new key behind a comment", "json", "{\n    \"a\": 1 // one\n}", ["b": .bool(false)],
      "{\n    \"a\": 1, // one\n    \"b\": false\n}"),
    Edit(
      "line ends of Windows, and the mark of the byte order", "json",
      "\u{FEFF}{\r\n  \"a\": 1\r\n}\r\n", ["a": .int(2), "b": .array([.int(1)])],
      "\u{FEFF}{\r\n  \"a\": 2,\r\n  \"b\": [\r\n    1\r\n  ]\r\n}\r\n"),
    Edit(
      "the last key goes, and its comma", "json", "{\n  \"a\": 1,\n  \"b\": 2\n}\n", ["b": nil],
      "{\n  \"a\": 1\n}\n"),
    Edit(
      "the first of one line goes", "json", #"{"a": 1, "b": 2}"#, ["a": nil], #"{"b": 2}"#),
    Edit(
      "a key goes, and what is said above it stays", "json",
      "{\n  // about a\n  \"a\": 1,\n  // about b\n  \"b\": 2\n}\n", ["a": nil],
      "{\n  // about a\n  // about b\n  \"b\": 2\n}\n"),
    Edit(
      "a key within a dictionary", "json",
      "{\n  \"[markdown]\": {\n    \"wrap\": \"on\", // here\n    \"tab\": 4\n  }\n}\n",
      ["[markdown]": .dict([.init("wrap", .string("off")), .init("tab", .int(4))])],
      "{\n  \"[markdown]\": {\n    \"wrap\": \"off\", // here\n    \"tab\": 4\n  }\n}\n"),
    Edit(
      "a word behind others in a list", "json",
      "{\n  \"words\": [\n    \"one\", // first\n    \"two\"\n  ]\n}\n",
      ["words": .array([.string("one"), .string("two"), .string("three")])],
      "{\n  \"words\": [\n    \"one\", // first\n    \"two\",\n    \"three\"\n  ]\n}\n"),
    Edit(
      "a word out of a list", "json", #"{"words": ["one", "two", "three"]}"#,
      ["words": .array([.string("one"), .string("three")])], #"{"words": ["one", "three"]}"#),
    Edit(
      "an object of nothing but a comment", "json", "{\n  // nothing yet\n}\n", ["a": .int(1)],
      "{\n  // nothing yet\n  \"a\": 1\n}\n"),
    Edit(
      "a large whole number without a sign", "json", #"{"a": 1}"#, ["a": .uint(.max)],
      #"{"a": 18446744073709551615}"#),
    Edit(
      "a value whose text has escapes", "json", #"{"p": "C:\\Users\\x", "q": "\u00e9"}"#,
      ["p": .string("D:\\y\t")], #"{"p": "D:\\y\t", "q": "\u00e9"}"#),
    Edit(
      "null gets a value", "json", #"{"a": null, "b": null}"#, ["a": .bool(true)],
      #"{"a": true, "b": null}"#),
  ]

  static let yaml: [Edit] = [
    Edit(
      "words of version 1.1", "yaml",
      "enabled: yes\nold: 0777\nnum: 1_000\noff: off\nday: 2026-01-02\ntime: 12:30\nver: 1.10\n"
        + "size: 12\n",
      ["size": .int(13)],
      "enabled: yes\nold: 0777\nnum: 1_000\noff: off\nday: 2026-01-02\ntime: 12:30\nver: 1.10\n"
        + "size: 13\n"),
    Edit(
      "quotes as they were", "yaml", "a: 'x' # one\nb: \"y\"\nc: z\n",
      ["a": .string("it"), "b": .string("no"), "c": .string("no")],
      "a: 'it' # one\nb: \"no\"\nc: \"no\"\n"),
    Edit(
      "anchors, aliases, merges and tags", "yaml",
      "base: &base {a: 1}\nuse:\n  <<: *base\n  b: 2\npw: !secret pw\nsize: 1\n",
      ["size": .int(2), "use": .dict([.init("a", .int(1)), .init("b", .int(3))])],
      "base: &base {a: 1}\nuse:\n  <<: *base\n  b: 3\npw: !secret pw\nsize: 2\n"),
    Edit(
      "a list at the indentation of its key", "yaml", "on_start:\n- a\n- b # two\nsize: 1\n",
      ["on_start": .array([.string("a"), .string("b"), .string("c d")])],
      "on_start:\n- a\n- b # two\n- \"c d\"\nsize: 1\n"),
    Edit(
      "a key without a value", "yaml", "a:\nb: 1\n", ["a": .int(7)], "a: 7\nb: 1\n"),
    Edit(
      "a text of several lines beside it", "yaml",
      "---\ntext: |\n  one\n\n  two\nsize: 1\nfold: >-\n  x\n  y\n", ["size": .int(2)],
      "---\ntext: |\n  one\n\n  two\nsize: 2\nfold: >-\n  x\n  y\n"),
    Edit(
      "a text of several lines gets another", "yaml", "text: |\n  one\n  two\nsize: 1\n",
      ["text": .string("three\n")], "text: \"three\\n\"\nsize: 1\n"),
    Edit(
      "a map becomes a word", "yaml", "a: # which\n  b: 1\n  c: 2\nd: 3\n", ["a": .string("none")],
      "a: none # which\nd: 3\n"),
    Edit(
      "a key goes with its lines", "yaml", "a: 1\nb:\n  - x\n  - y\n# about c\nc: 2\n", ["b": nil],
      "a: 1\n# about c\nc: 2\n"),
    Edit(
      "a new key in a map", "yaml", "ui:\n    theme: dark\n    zoom: 1.0\nlast: x\n",
      [
        "ui": .dict([
          .init("theme", .string("dark")), .init("zoom", .double(1)), .init("bar", .bool(true)),
        ])
      ],
      "ui:\n    theme: dark\n    zoom: 1.0\n    bar: true\nlast: x\n"),
    Edit(
      "braces and brackets", "yaml", "{a: 1, b: [x, y], c: {d: e}}\n",
      [
        "b": .array([.string("x"), .string("z")]), "c": .dict([.init("d", .string("yes"))]),
        "new": .string("12:30"),
      ],
      "{a: 1, b: [x, z], c: {d: \"yes\"}, new: \"12:30\"}\n"),
    Edit(
      "line ends of Windows and letters beyond ASCII", "yaml",
      "größe: 'ä' # ü\r\nname: x\r\n", ["größe": .string("ö"), "z": .int(1)],
      "größe: 'ö' # ü\r\nname: x\r\nz: 1\r\n"),
    Edit(
      "no line end at the end", "yaml", "# only a comment\na: 1",
      ["a": .int(2), "b": .string("3")],
      "# only a comment\na: 2\nb: \"3\""),
    Edit(
      "a file of comments", "yaml", "# nothing yet\n",
      ["a": .dict([.init("b", .array([.int(1)]))])],
      "# nothing yet\na:\n  b:\n    - 1\n"),
    Edit(
      "a word is copied as it is", "yaml", "a: no\n", ["a": .plain("yes"), "b": .plain("0644")],
      "a: yes\nb: 0644\n"),
    Edit(
      "digits beyond a double", "yaml", "a: 1\n", ["a": .decimal("0.1234567890123456789")],
      "a: 0.1234567890123456789\n"),
    Edit(
      "maps in a list", "yaml", "hosts:\n  - name: a\n    port: 1\n  - name: b\n    port: 2\n",
      [
        "hosts": .array([
          .dict([.init("name", .string("a")), .init("port", .int(1))]),
          .dict([.init("name", .string("b")), .init("port", .int(3))]),
        ])
      ],
      "hosts:\n  - name: a\n    port: 1\n  - name: b\n    port: 3\n"),
  ]

  static let toml: [Edit] = [
    Edit(
      "comments, quotes and forms of numbers", "toml",
      "# top\nname = 'a' # who\nmode = 0o755\nbig = 1_000\nday = 2026-01-02\n\n[ui] # here\nw = 1\n",
      ["name": .string("b"), "ui": .dict([.init("w", .int(2))])],
      "# top\nname = 'b' # who\nmode = 0o755\nbig = 1_000\nday = 2026-01-02\n\n[ui] # here\nw = 2\n"
    ),
    Edit(
      "a new key at the top, before the tables", "toml", "a = 1\n\n[t]\nb = 2\n",
      ["c": .bool(true)],
      "a = 1\nc = true\n\n[t]\nb = 2\n"),
    Edit(
      "a new key in a table, and a table", "toml", "[t]\na = 1\n\n[u]\nb = 2\n",
      [
        "t": .dict([.init("a", .int(1)), .init("n", .string("x"))]),
        "v": .dict([.init("k", .int(3))]),
      ],
      "[t]\na = 1\nn = \"x\"\n\n[u]\nb = 2\n\n[v]\nk = 3\n"),
    Edit(
      "dotted keys", "toml", "ui.font = \"a\"\nui.size = 1\nz = 0\n",
      [
        "ui": .dict([
          .init("font", .string("b")), .init("size", .int(1)), .init("bold", .bool(true)),
        ])
      ],
      "ui.font = \"b\"\nui.size = 1\nui.bold = true\nz = 0\n"),
    Edit(
      "an array over lines", "toml", "a = [\n  1, # one\n  2,\n]\n",
      ["a": .array([.int(1), .int(2), .int(3)])], "a = [\n  1, # one\n  2,\n  3,\n]\n"),
    Edit(
      "a table in braces", "toml", "a = { b = 1, c = 'x' } # end\n",
      ["a": .dict([.init("b", .int(2)), .init("c", .string("x")), .init("d", .bool(false))])],
      "a = { b = 2, c = 'x', d = false } # end\n"),
    Edit(
      "a table in an array of tables", "toml", "[[r]]\nx = 1\n[[r]]\nx = 2 # two\n",
      ["r": .array([.dict([.init("x", .int(1))]), .dict([.init("x", .int(3))])])],
      "[[r]]\nx = 1\n[[r]]\nx = 3 # two\n"),
    Edit(
      "a table goes", "toml", "a = 1\n[t]\nb = 2\n[t.u]\nc = 3\n[z]\nd = 4\n", ["t": nil],
      "a = 1\n[z]\nd = 4\n"),
    Edit(
      "line ends of Windows", "toml", "a = 1\r\n[t]\r\nb = 2\r\n", ["a": .int(2), "c": .int(3)],
      "a = 2\r\nc = 3\r\n[t]\r\nb = 2\r\n"),
    Edit(
      "a whole number beyond 64 bits beside it", "toml", "big = 12345678901234567890123\na = 1\n",
      ["a": .double(1.5)], "big = 12345678901234567890123\na = 1.5\n"),
  ]

  private static let head =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\""
    + " \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n<plist version=\"1.0\">\n"

  static let plist: [Edit] = [
    Edit(
      "comments, spaces and dates of other keys", "plist",
      head + "<dict>\n  <!-- mine -->\n  <key>size</key> <integer>0x0E</integer>\n"
        + "  <key>at</key>\n  <date>2026-01-02T03:04:05Z</date>\n  <key>r</key><real>1.10</real>\n"
        + "</dict>\n</plist>\n",
      ["size": .int(15)],
      head + "<dict>\n  <!-- mine -->\n  <key>size</key> <integer>15</integer>\n"
        + "  <key>at</key>\n  <date>2026-01-02T03:04:05Z</date>\n  <key>r</key><real>1.10</real>\n"
        + "</dict>\n</plist>\n"),
    Edit(
      "a new key, and one that goes", "plist",
      head + "<dict>\n\t<key>a</key>\n\t<true/>\n\t<key>b</key>\n\t<string>x &amp; y</string>\n"
        + "</dict>\n</plist>\n",
      ["a": nil, "c": .dict([.init("d", .data([1, 2]))])],
      head + "<dict>\n\t<key>b</key>\n\t<string>x &amp; y</string>\n\t<key>c</key>\n\t<dict>\n"
        + "\t\t<key>d</key>\n\t\t<data>\n\t\tAQI=\n\t\t</data>\n\t</dict>\n</dict>\n</plist>\n"),
    Edit(
      "a key in a dictionary of an array", "plist",
      head + "<dict>\n\t<key>l</key>\n\t<array>\n\t\t<dict>\n\t\t\t<key>n</key>\n"
        + "\t\t\t<integer>1</integer>\n\t\t</dict>\n\t</array>\n</dict>\n</plist>\n",
      ["l": .array([.dict([.init("n", .int(2))]), .string("z")])],
      head + "<dict>\n\t<key>l</key>\n\t<array>\n\t\t<dict>\n\t\t\t<key>n</key>\n"
        + "\t\t\t<integer>2</integer>\n\t\t</dict>\n\t\t<string>z</string>\n\t</array>\n</dict>\n"
        + "</plist>\n"),
    Edit(
      "an empty dictionary", "plist", head + "<dict/>\n</plist>\n", ["a": .bool(false)],
      head + "<dict>\n\t<key>a</key>\n\t<false/>\n</dict>\n</plist>\n"),
    Edit(
      "a list on one line", "plist", "<plist><dict><key>a</key><string>x</string></dict></plist>",
      ["a": .string("<y>"), "b": .int(1)],
      "<plist><dict><key>a</key><string>&lt;y&gt;</string><key>b</key><integer>1</integer></dict></plist>"
    ),
  ]

  static let lines: [Edit] = [
    Edit(
      "sections and comments of an INI file", "ini",
      "; top\nname = x ; no comment of ours\n\n[core]\n\teditor = vi\n\t# and\n\tpager = less\n[ui]\n"
        + "color=auto\n",
      ["[core]editor": .string("nano"), "[core]bare": .string("false"), "[new]a": .string("1")],
      "; top\nname = x ; no comment of ours\n\n[core]\n\teditor = nano\n\t# and\n\tpager = less\n"
        + "\tbare=false\n[ui]\ncolor=auto\n\n[new]\na=1\n"),
    Edit(
      "what dconf dumps", "dconf",
      "[/]\nfirst=true\n\n[org/example/editor]\nfont='Mono 11'\nsize=uint32 14\ntags=@as []\n",
      ["[org/example/editor]size": .string("uint32 15"), "[/]first": nil],
      "[/]\n\n[org/example/editor]\nfont='Mono 11'\nsize=uint32 15\ntags=@as []\n"),
    Edit(
      "a file of the environment", "env",
      "# local\nexport LEVEL=debug\nNAME=\"My app\"\nEMPTY=\n",
      ["LEVEL": .string("info"), "EMPTY": .string("no"), "NEW": .string("3")],
      "# local\nexport LEVEL=info\nNAME=\"My app\"\nEMPTY=no\nNEW=3\n"),
    Edit(
      "types of media in a section", "desktop",
      "[Default Applications]\ntext/html=browser.desktop\n[Added]\nName[de]=Eins\n",
      ["[Default Applications]text/html": .string("other.desktop"), "[Added]Name[de]": nil],
      "[Default Applications]\ntext/html=other.desktop\n[Added]\n"),
  ]
}
