import SyncKitFormats
import SyncKitTesting
import Testing

@testable import SettingsSync

/// What a file says means the same in the store and in another file.
struct FileMeaningTests {
  private let remote = InMemoryTransport()

  private func file(_ text: String, _ name: String) throws -> SettingsFile {
    try SettingsFile(Array(text.utf8), named: name)
  }

  private func text(_ file: SettingsFile) throws -> String {
    String(decoding: try file.serialized(), as: UTF8.self)
  }

  /// Captures a file on one device and applies it to another on a second one.
  private func carry(
    _ text: String, _ name: String, to other: String, _ otherName: String
  ) async throws -> (file: SettingsFile, plan: ApplyPlan) {
    let phone = try Owner("phone", meeting: remote)
    let tablet = try Owner("tablet", meeting: remote)
    try phone.settings.capture(file(text, name), from: "app")
    try await sync(phone, tablet)
    var target = try file(other, otherName)
    let plan = try tablet.settings.apply(to: &target, source: "app", isForced: true)
    return (target, plan)
  }

  @Test func `numbers keep all of their digits, from file to file`() async throws {
    let json =
      #"{"id":12345678901234567890,"big":123456789012345678901234567890,"#
      + #""pi":0.1234567890123456789,"one":1.10,"huge":1e400}"#
    let read = try file(json, "json").values
    #expect(read["id"] == .uint(12_345_678_901_234_567_890))
    #expect(read["big"] == .decimal("123456789012345678901234567890"))
    #expect(read["pi"] == .decimal("0.1234567890123456789"))
    #expect(read["one"] == .double(1.1))
    #expect(read["huge"] == .decimal("1.0e+400"))
    let (carried, plan) = try await carry(json, "json", to: "{}", "json")
    #expect(plan.refused.isEmpty)
    #expect(carried.values == read)
    #expect(try text(carried).contains(#""id": 12345678901234567890"#))
    let (yaml, _) = try await carry(json, "json", to: "", "yaml")
    #expect(yaml.values == read)
    #expect(try text(yaml).contains("huge: 1.0e+400\n"))
  }

  @Test func `a word of YAML arrives as the word that it was`() async throws {
    let (carried, _) = try await carry(
      "enabled: yes\nmode: 0644\nat: 12:30\nname: 'yes'\n", "yaml", to: "# mine\n", "yaml")
    #expect(
      try text(carried) == "# mine\nat: 12:30\nenabled: yes\nmode: 0644\nname: \"yes\"\n")
  }

  @Test func `a word of YAML is not written where it has no form`() async throws {
    let (carried, plan) = try await carry("on: yes\nsize: 1\n", "yaml", to: "{}", "json")
    #expect(plan.refused.map(\.key) == ["on"])
    #expect(carried.values == ["size": .int(1)])
  }

  @Test func `a declared type says what a word is`() throws {
    let declared = SettingDeclaration(.bool)
    #expect(try declared.checked(.plain("yes")) == .bool(true))
    #expect(try declared.checked(.plain("Off")) == .bool(false))
    #expect(try SettingDeclaration(.string).checked(.plain("12:30")) == .string("12:30"))
    #expect(throws: SettingProblem.self) { try declared.checked(.plain("12:30")) }
  }

  @Test(arguments: [
    ("yes", true), ("No", true), ("ON", true), ("y", true), ("0777", true), ("0o17", true),
    ("1_000", true), ("12:30", true), ("1:30:00", true), ("2026-11-21", true), ("1e3", true),
    ("-.5", true), ("0b11", true), ("2026-11-21T08:00:00Z", true), ("+0x1F", true), ("=", true),
    ("08", true), ("190:20:30.15", true),
    ("1", false), ("-7", false), ("1.5", false), ("1.0e+3", false), ("0x1F", false), (".5", false),
    ("true", false), ("null", false), ("8080:80", false), ("1.2.3", false), ("10.0.0.1", false),
    ("yesterday", false), ("2026-11", false), ("a_b", false), ("12:61", false), ("-", false),
    ("v1_000", false), ("", false), ("1.10", false), ("12:30pm", false),
  ])
  func `words that readers take differently are known`(word: String, isAmbiguous: Bool) {
    #expect(YAMLWord.isAmbiguous(word) == isAmbiguous)
    if case .plain(let text) = YAMLWord.value(word) {
      #expect(isAmbiguous && text == word)
    } else {
      #expect(!isAmbiguous)
    }
  }

  @Test func `a value that cannot be read stops no other, and is neither reset nor overwritten`()
    throws
  {
    let owner = try Owner("phone", meeting: remote)
    try owner.settings.capture(file("a: 1\nb: 2\n", "yaml"), from: "app")
    var changed = try file("a: 3\nb: !mine 2\n", "yaml")
    let plan = try owner.settings.capture(changed, from: "app")
    #expect(plan.edits.keys.sorted() == ["a"])
    #expect(changed.problems.map(\.key) == ["b"])
    #expect(try owner.synced == ["a": .int(3), "b": .int(2)])
    try owner.set("b", .int(4))
    let applied = try owner.settings.apply(to: &changed, source: "app", isForced: true)
    #expect(applied.refused.map(\.key) == ["b"])
    #expect(try text(changed) == "a: 3\nb: !mine 2\n")
  }

  @Test func `keys that no setting can have are left out, and the others are read`() throws {
    let read = try file(#"{"": 1, "a\u0001": 2, "b": "half \ud83d", "c": 3, "d": null}"#, "json")
    #expect(read.values == ["c": .int(3)])
    #expect(read.problems.map(\.key).sorted() == ["", "a\u{1}", "b", "d"])
  }

  @Test func `null within a dictionary comes along`() async throws {
    let json = #"{"[go]": {"formatter": null, "tabs": [1, null]}}"#
    let (carried, plan) = try await carry(json, "json", to: #"{"[go]": {"formatter": 1}}"#, "json")
    #expect(plan.refused.isEmpty)
    #expect(try text(carried) == #"{"[go]": {"formatter": null, "tabs": [1, null]}}"#)
  }

  @Test func `what others refer to is not written over`() throws {
    var yaml = try file("a: &x 1\nb: *x\nc: &y\n  d: 1\ne:\n  <<: *y\n", "yaml")
    #expect(yaml.values["b"] == .int(1))
    #expect(yaml.values["e"] == .dict([.init("d", .int(1))]))
    let refused = yaml.edit(["a": .int(2), "b": .int(3), "c": .dict([.init("d", .int(2))])])
    #expect(refused.map(\.key) == ["a", "c"])
    #expect(try text(yaml) == "a: &x 1\nb: 3\nc: &y\n  d: 1\ne:\n  <<: *y\n")
  }

  @Test func `references that stand for too much are left out`() throws {
    var bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
    for (name, former) in zip("bcdefgh", "abcdefg") {
      bomb +=
        "\(name): &\(name) [" + (0..<10).map { _ in "*\(former)" }.joined(separator: ", ")
        + "]\n"
    }
    let read = try file(bomb, "yaml")
    #expect(read.problems.map(\.key).contains("h"))
    #expect(read.values["a"] != nil)
  }

  @Test func `a file of lines takes the types that settings have elsewhere`() throws {
    let owner = try Owner("phone", meeting: remote)
    try owner.set("[ui]size", .int(14))
    try owner.set("[ui]bold", .bool(true))
    var ini = try file("[ui]\nsize = 12\n", "ini")
    _ = try owner.settings.apply(to: &ini, source: "app", isForced: true)
    #expect(try text(ini) == "[ui]\nsize = 14\nbold = true\n")
    let again = try owner.settings.apply(to: &ini, source: "app", isForced: true)
    #expect(again.edits.isEmpty)
    let plan = try owner.settings.capture(
      file("[ui]\nsize = 15\nbold = true\n", "ini"), from: "app")
    #expect(plan.edits == ["[ui]size": .int(15)])
  }

  @Test(arguments: ["ini", "env"])
  func `a line is not changed by the type that its setting gets elsewhere`(format: String) throws {
    let owner = try Owner("phone", meeting: remote)
    var lines = try file("size=14\nbold=1\n", format)
    try owner.settings.capture(lines, from: "app")
    try owner.set("size", .int(15))
    try owner.set("bold", .bool(true))
    let before = try owner.settings.differences(of: lines, source: "app")
    #expect(before.map(\.changed) == [.stored, .stored])
    let plan = try owner.settings.apply(to: &lines, source: "app")
    #expect(plan.unseen == [] && plan.edits.count == 2)
    #expect(try text(lines) == "size=15\nbold=true\n")
    try owner.settings.noteApplied(plan, file: lines, source: "app")
    #expect(try owner.settings.capture(lines, from: "app").edits.isEmpty)
    let changed = try file("size=16\nbold=true\n", format)
    #expect(try owner.settings.differences(of: changed, source: "app").map(\.changed) == [.file])
    #expect(try owner.settings.capture(changed, from: "app").edits == ["size": .int(16)])
  }

  @Test func `a comment behind a value of the environment is not part of it`() throws {
    let env = try file(
      "A=1 # one\nB=\"x # y\" # two\nC=a#b\nD='it' \nE= # nothing\nF=\"two\nlines\"\nG=z\n", "env")
    #expect(
      env.values == [
        "A": .string("1"), "B": .string("x # y"), "C": .string("a#b"), "D": .string("it"),
        "E": .string(""), "G": .string("z"),
      ])
    #expect(env.problems.map(\.key) == ["F"])
    var edited = env
    #expect(edited.edit(["A": .string("2"), "B": .string("z"), "E": .string("e")]).isEmpty)
    #expect(
      try text(edited).hasPrefix("A=2 # one\nB=\"z\" # two\nC=a#b\nD='it' \nE=e # nothing\n"))
  }

  @Test(
    arguments: [
      ("A=one\n", "two words", "A=\"two words\"\n"), ("A=one\n", "it's", "A=\"it's\"\n"),
      ("A=one\n", "say \"x\"", "A='say \"x\"'\n"), ("A='one'\n", "two", "A='two'\n"),
      ("A='one'\n", "it's", "A=\"it's\"\n"), ("A=\"one\" # c\n", "a # b", "A=\"a # b\" # c\n"),
      ("A=one two\n", "three four", "A=three four\n"), ("A=one two\n", "a #b", "A=\"a #b\"\n"),
      ("A=one\n", "$HOME/x", "A=$HOME/x\n"), ("A=one\n", "\"$HOME/x y\"", "A=\"$HOME/x y\"\n"),
      ("A=http://h/?a=b&c\n", "http://h/?a=c&d", "A=http://h/?a=c&d\n"),
      ("A=one\n", "http://h/?a=c&d", "A=\"http://h/?a=c&d\"\n"), ("A=one\n", " x ", "A=\" x \"\n"),
      ("A=\"one\"\n", "", "A=\"\"\n"), ("A=one\n", "", "A=\n"),
      ("B=1\n", "a b", "B=1\nA=\"a b\"\n"),
    ])
  func `a value of the environment gets the quotes that it needs`(
    before: String, value: String, after: String
  ) throws {
    var env = try file(before, "env")
    #expect(env.edit(["A": .string(value)]).isEmpty)
    #expect(try text(env) == after)
    #expect(env["A"] == .string(value))
  }

  @Test(arguments: ["'a$b'", "\"a\\nb\"", "'\"x\"'", "\"'x'\"", "a`b`", "\"a\"b\""])
  func `a value that programs read in different ways is its text`(written: String) throws {
    var env = try file("A=\(written)\n", "env")
    #expect(env["A"] == .string(written))
    var other = try file("A=x\n", "env")
    _ = env.edit(["A": .string("y")])
    if other.edit(["A": .string(written)]).isEmpty {
      #expect(try text(other) == "A=\(written)\n")
    }
  }

  @Test func `both kinds of quotes in one value are refused`() throws {
    var env = try file("A=x\n", "env")
    #expect(env.edit(["A": .string("it's \"x\"")]).map(\.key) == ["A"])
    #expect(try text(env) == "A=x\n")
  }

  @Test func `what may be a comment in an INI file stays`() throws {
    var ini = try file(
      "[a]\nmail = \"x@y\" ; home\nname = x ; y\ncolor = #fff\nlist = a;b\n", "ini")
    #expect(ini["[a]mail"] == .string("\"x@y\"") && ini["[a]name"] == .string("x ; y"))
    let refused = ini.edit([
      "[a]mail": .string("\"z\""), "[a]name": .string("z"), "[a]color": .string("#000"),
      "[a]list": .string("c;d"),
    ])
    #expect(refused.map(\.key) == ["[a]name"])
    #expect(
      try text(ini) == "[a]\nmail = \"z\" ; home\nname = x ; y\ncolor = #000\nlist = c;d\n")
  }

  @Test(
    arguments: [
      ("[user]\n\tname = Some One\n", SettingsFormat.ini), ("; c\n[$Version]\na=b:c\n", .ini),
      ("[a]\nb = 1\n", nil), ("[a]\nb = \"c\"\n", nil), ("[a]\nb\n", nil), ("a = b c\n", nil),
    ] as [(String, SettingsFormat?)])
  func `a file without a telling name is recognised if it can be one thing only`(
    text: String, format: SettingsFormat?
  ) {
    #expect(SettingsFormat.format(of: Array(text.utf8), named: "config") == format)
  }

  @Test func `what is unclear in an INI file is left out`() throws {
    let ini = try file(
      "[core]\n\teditor = vi\n\tpager = less\n[remote \"a\"]\nfetch = x\nfetch = y\n[log]\nlong = a\n"
        + "  more\nflag\npath = C:\\x\\\n[a]b]\nc = d\n[ui] ; note\nsize = 1\n", "ini")
    #expect(
      ini.values == [
        "[core]editor": .string("vi"), "[core]pager": .string("less"), "[ui]size": .string("1"),
      ])
    #expect(ini.problems.count == 5)
  }

  @Test func `the two forms of a property list leave the same out`() throws {
    let list = PropertyList.dictionary([
      .init("a", .int(1)), .init("ref", .array([.reference(7)])), .init("b", .string("x")),
    ])
    for form in [PropertyList.Form.xml, .binary] {
      let read = try SettingsFile(list.serialized(as: form))
      #expect(read.values == ["a": .int(1), "b": .string("x")])
      #expect(read.problems.map(\.key) == ["ref"])
    }
  }

  @Test func `a binary property list keeps the objects of its other keys`() throws {
    let list = PropertyList.dictionary([
      .init("size", .int(1)), .init("at", .date(milliseconds: 978_307_200_000)),
      .init("ref", .reference(70_000)), .init("same", .string("x")), .init("again", .string("x")),
    ])
    var bytes = try list.serialized(as: .binary)
    // A time with parts of a millisecond, which no other form has.
    let place = try #require(bytes.indices.first { bytes[$0] == 0x33 && bytes[$0 + 1] == 0 })
    let exact: [UInt8] = [0x33, 0x41, 0xC3, 0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC]
    bytes.replaceSubrange(place..<place + 9, with: exact)
    var file = try SettingsFile(bytes)
    #expect(file.edit(["size": .int(70_000), "new": .dict([.init("a", .data([1]))])]).isEmpty)
    let after = try file.serialized()
    #expect(after.indices.dropLast(9).contains { Array(after[$0..<$0 + 9]) == exact })
    let again = try SettingsFile(after)
    #expect(again.values["size"] == .int(70_000))
    #expect(again.values["same"] == .string("x") && again.values["again"] == .string("x"))
    #expect(again.values["at"] == (try SettingsFile(bytes)).values["at"])
    #expect(again.problems.map(\.key) == ["ref"])
    #expect(file.edit(["new": nil, "size": .int(1)]).isEmpty)
    #expect(try file.serialized().count == bytes.count)
  }

  @Test func `a format is known by its beginning, past comments`() throws {
    #expect(try SettingsFile(Array("// mine\n/* x */ {\"a\": 1}".utf8)).format == .json)
    #expect(SettingsFormat(name: "jsonc") == .json && SettingsFormat(name: "dconf") == .ini)
  }
}
