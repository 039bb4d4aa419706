import CommandFoundation
import Testing

@testable import CloudSyncCommands

/// The YAML that the reader understands, with the place of each value.
struct ConfigNodeTests {
  private func parse(_ text: String) throws -> ConfigNode? {
    try ConfigNode.parse(Array(text.utf8), path: "c.yaml")
  }

  @Test func `a scalar keeps its text`() throws {
    let root = try #require(
      try parse("a: no\nb: 1.10\nc: 0x10\nd: ~\ne: 'it''s'\nf: \"\\u00e9\"\n"))
    #expect(root["a"]?.text == "no")
    #expect(root["b"]?.text == "1.10")
    #expect(root["c"]?.text == "0x10")
    #expect(root["d"]?.text == "~")
    #expect(root["e"]?.text == "it's")
    #expect(root["f"]?.text == "é")
  }

  @Test func `lists and maps nest in both styles`() throws {
    let root = try #require(try parse("a:\n  - x\n  - {b: [y, z]}\n"))
    let items = try #require(root["a"]?.items)
    #expect(items.first?.text == "x")
    #expect(items.last?["b"]?.items?.map(\.text) == ["y", "z"])
  }

  @Test func `every value knows its line and column`() throws {
    let root = try #require(try parse("a: 1\nbé:\n  c: [x,  y]\n"))
    #expect(root["a"]?.origin == .file("c.yaml", line: 1, column: 4))
    #expect(root["bé"]?["c"]?.items?.last?.origin == .file("c.yaml", line: 3, column: 11))
    #expect(root.entries?.last?.origin == .file("c.yaml", line: 2, column: 1))
  }

  @Test(arguments: ["", "\n\n", "# only a comment\n", "---\n", "---\n...\n"])
  func `a file of comments is not a document`(text: String) throws {
    #expect(try parse(text) == nil)
  }

  @Test func `a key without value is absent, an empty text is not`() throws {
    let root = try #require(try parse("a:\nb: ''\n"))
    #expect(root["a"]?.isAbsent == true)
    #expect(root["b"]?.isAbsent == false)
  }

  @Test(arguments: [
    ("a: &x 1\nb: 2\n", "c.yaml:1:4: anchors"),
    ("a: 1\nb: *x\n", "c.yaml:2:4: aliases"),
    ("a: !!str 1\n", "c.yaml:1:4: tags"),
    ("a: !secret x\n", "c.yaml:1:4: tags"),
    ("a: 1\n---\nb: 2\n", "c.yaml:3:1: a second document"),
    ("a: 1\nb: 2\na: 3\n", "c.yaml:3:1: the key 'a' appears twice"),
    ("a: {b: 1, b: 2}\n", "c.yaml:1:11: the key 'b' appears twice"),
    ("? [a, b]\n: 1\n", "c.yaml:1:3: a key must be a single word"),
    ("a: [1, 2\nb: 3\n", "c.yaml:2:"),
    ("a: 1\n\tb: 2\n", "c.yaml:2:1"),
    ("a: \"x\n", "c.yaml:2:1"),
    ("a: b: c\n", "c.yaml:1:5"),
  ])
  func `ambiguous YAML is refused at its place`(text: String, start: String) {
    let problem = #expect(throws: ConfigProblem.self) { try parse(text) }
    #expect(problem?.description.hasPrefix(start) == true, "\(problem?.description ?? "")")
  }

  @Test func `bytes that are not UTF-8 are refused at their place`() {
    let bytes = Array("a: 1\nb: ".utf8) + [0xFF, 0x0A]
    let problem = #expect(throws: ConfigProblem.self) {
      try ConfigNode.parse(bytes, path: "c.yaml")
    }
    #expect(problem?.origin == .file("c.yaml", line: 2, column: 4))
  }

  @Test(arguments: ["[", "{a: ", "- "])
  func `nesting that is too deep is refused, not followed`(opening: String) {
    let text = String(repeating: opening, count: 2000)
    #expect(throws: ConfigProblem.self) { try parse(text) }
  }

  @Test func `too large a file is refused`() {
    let bytes = [UInt8](repeating: UInt8(ascii: "#"), count: ConfigNode.maximumSize + 1)
    #expect(throws: ConfigProblem.self) { try ConfigNode.parse(bytes, path: "c.yaml") }
  }

  @Test(arguments: 1...200)
  func `random bytes never do worse than an error`(seed: UInt64) {
    var state = seed
    let alphabet = Array("abc:-[]{},#'\"\n \t&*!|>?%@~\\\u{e9}".utf8) + [0, 0xFF]
    let bytes = (0..<60).map { _ -> UInt8 in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return alphabet[Int(state >> 33) % alphabet.count]
    }
    do {
      let node = try ConfigNode.parse(bytes, path: "c.yaml")
      if let node { _ = ConfigShape.problems(in: node) }
    } catch {
      #expect(error.origin.path == "c.yaml")
    }
  }
}
