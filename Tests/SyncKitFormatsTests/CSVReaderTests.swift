import SyncKitFormats
import Testing

struct CSVReaderTests {
  @Test(
    arguments: [
      ("", []), ("\n\r\n\r", []), ("a", [["a"]]), ("a\n", [["a"]]),
      ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]),
      ("a\rb\nc\r\nd", [["a"], ["b"], ["c"], ["d"]]), (",", [["", ""]]),
      ("a,\n,b", [["a", ""], ["", "b"]]),
      ("a\n\n\nb", [["a"], ["b"]]), ("\"\"\n", [[""]]), ("\"\",\"\"", [["", ""]]),
      (" a , b ", [[" a ", " b "]]),
      ("\"a,b\",\"c\"\"d\"", [["a,b", "c\"d"]]), ("\"\"\"\"", [["\""]]),
      ("\"\"\"\"\"\"", [["\"\""]]),
      ("\"a\nb\r\nc\rd\"\ne", [["a\nb\r\nc\rd"], ["e"]]), ("\u{FEFF}a,b", [["a", "b"]]),
      ("\u{FEFF}\"a\"", [["a"]]), ("\u{FEFF}", []), ("a;b,c", [["a;b", "c"]]),
      ("é,漢,👩🏽", [["é", "漢", "👩🏽"]]),
      ("a,b\nc\n", [["a", "b"], ["c"]]), ("a\u{0}b", [["a\u{0}b"]]),
      ("a\u{2028}b", [["a\u{2028}b"]]),
    ] as [(String, [[String]])])
  func `reads rows and cells`(text: String, rows: [[String]]) throws {
    #expect(try readAll(CSVReader(text.utf8)).map(\.cells) == rows)
  }

  @Test func `numbers rows by the physical line they begin on`() throws {
    let text = "\u{FEFF}\na,b\r\n\r\n\"1\n2\r\n3\r4\",c\r\rd\n\"x\n\"\ny"
    let rows = try readAll(CSVReader(text.utf8))
    #expect(rows.map(\.line) == [2, 4, 9, 10, 12])
    #expect(rows.map(\.cells.count) == [2, 2, 1, 1, 1])
  }

  @Test(arguments: CSVDelimiter.allCases)
  func `parts cells at the delimiter it was given and at no other`(delimiter: CSVDelimiter) throws {
    let text = "a,b;c\td|e\n"
    let reader = CSVReader(text.utf8, delimiter: delimiter)
    let separator = Character(Unicode.Scalar(delimiter.rawValue))
    #expect(
      try readAll(reader).map(\.cells) == [
        text.dropLast().split(separator: separator).map(String.init)
      ])
  }

  @Test(arguments: [
    ("a,b\nc,\"d\ne", 2, 3, "the quote is never closed"),
    ("\"", 1, 1, "the quote is never closed"),
    ("a\n\"b\" ,c", 2, 4, "text after the quote that closes a cell"),
    ("\"é\n漢\"x", 2, 3, "text after the quote that closes a cell"),
    ("a\n\nb,c\"d", 3, 4, "a quote inside a cell that does not begin with one"),
    ("\u{FEFF}é \"x\"", 1, 3, "a quote inside a cell that does not begin with one"),
  ])
  func `says where and what is wrong`(text: String, line: Int, column: Int, message: String) {
    #expect(throws: CSVError(line: line, column: column, message: message)) {
      try readAll(CSVReader(text.utf8))
    }
  }

  @Test(arguments: [[0x80], [0xC3], [0xED, 0xA0, 0x80], [0xF5], [0xE2, 0x82]] as [[UInt8]])
  func `refuses invalid UTF-8 and says where`(bytes: [UInt8]) {
    let expected = CSVError(line: 2, column: 4, message: "not valid UTF-8")
    #expect(throws: expected) {
      try readAll(CSVReader(Array("a\n,éx".utf8) + bytes + Array(",".utf8)))
    }
    let quoted = CSVError(line: 2, column: 4, message: "not valid UTF-8")
    #expect(throws: quoted) {
      try readAll(CSVReader(Array("\"a\n\"\"x".utf8) + bytes + Array("\"".utf8)))
    }
  }

  @Test func `gives the rows before an error, then the error, then nothing`() throws {
    var reader = CSVReader("a\nb\n\"".utf8)
    #expect(try reader.next()?.cells == ["a"])
    #expect(try reader.next()?.cells == ["b"])
    #expect(throws: CSVError.self) { try reader.next() }
    #expect(try reader.next() == nil)
  }

  @Test(arguments: 1...8)
  func `reads the same however the text is split`(size: Int) throws {
    let text = Array("\u{FEFF}a,\"b\r\n\"\"é\"\r\n\r\n漢,\"\"\r\"👩🏽\",\r\n".utf8)
    let whole = try readAll(CSVReader(text))
    #expect(whole.map(\.cells) == [["a", "b\r\n\"é"], ["漢", ""], ["👩🏽", ""]])
    var rest = text[...]
    let reader = CSVReader {
      defer { rest = rest.dropFirst(size) }
      return rest.isEmpty ? nil : Array(rest.prefix(size))
    }
    #expect(try readAll(reader) == whole)
  }

  @Test func `passes on the failure of its source and can go on after it`() throws {
    struct Unplugged: Error {}
    var chunks: [Result<[UInt8]?, Unplugged>] = [
      .success(Array("a\nb".utf8)), .failure(Unplugged()), .success([]),
      .success(Array("c\n".utf8)),
      .success(nil),
    ]
    var reader = CSVReader { try chunks.removeFirst().get() }
    #expect(try reader.next()?.cells == ["a"])
    #expect(throws: Unplugged.self) { try reader.next() }
    #expect(try reader.next() == CSVRow(line: 2, cells: ["bc"]))
    #expect(try reader.next() == nil)
  }

  @Test func `a quote left open ends in an error, not in all the memory`() {
    var reader = CSVReader {
      Array(repeating: UInt8(ascii: "x"), count: 1 << 20)
    }
    #expect(throws: CSVError.self) { try reader.next() }
    #expect(throws: Never.self) { try reader.next() }
  }

  @Test(arguments: 1...20)
  func `never traps on damaged text`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<200 {
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        Array("\"\"\",\n\ra\u{FEFF}é\\".utf8).randomElement(using: &random) ?? 0
      }
      _ = try? readAll(CSVReader(bytes))
    }
  }
}

func readAll(_ reader: CSVReader) throws -> [CSVRow] {
  var reader = reader
  var rows: [CSVRow] = []
  while let row = try reader.next() { rows.append(row) }
  return rows
}
