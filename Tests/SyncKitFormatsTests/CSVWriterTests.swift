import SyncKitFormats
import Testing

struct CSVWriterTests {
  private func text(_ rows: [[String]], _ writer: CSVWriter = CSVWriter()) -> String {
    var writer = writer
    for row in rows { writer.write(row) }
    return String(decoding: writer.output, as: UTF8.self)
  }

  @Test(arguments: [
    (["a", "b"], "a,b\r\n"), (["", ""], ",\r\n"), ([""], "\"\"\r\n"), ([], ""),
    (["a,b"], "\"a,b\"\r\n"),
    (["a\"b"], "\"a\"\"b\"\r\n"), (["\""], "\"\"\"\"\r\n"),
    (["a\nb", "c\rd"], "\"a\nb\",\"c\rd\"\r\n"),
    ([" a", "b ", "c d", "\te"], "\" a\",\"b \",c d,\"\te\"\r\n"), (["a;b|c"], "a;b|c\r\n"),
    (["\u{FEFF}a"], "\"\u{FEFF}a\"\r\n"), (["é", "e\u{301}"], "é,e\u{301}\r\n"),
  ])
  func `quotes what readers would take apart and nothing else`(cells: [String], expected: String) {
    #expect(text([cells]).utf8.elementsEqual(expected.utf8))
  }

  @Test func `ends rows and parts cells as asked`() {
    let rows = [["a", "b,c"], ["d;e", "f"]]
    let writer = CSVWriter(delimiter: .semicolon, lineEnding: .lf)
    #expect(text(rows, writer) == "a;b,c\n\"d;e\";f\n")
    #expect(text(rows, CSVWriter(delimiter: .tab)) == "a\tb,c\r\nd;e\tf\r\n")
  }

  @Test func `output can be taken as it comes`() {
    var writer = CSVWriter(lineEnding: .lf)
    writer.write(["a"])
    #expect(writer.takeOutput() == Array("a\n".utf8))
    writer.write(["b"])
    #expect(writer.takeOutput() == Array("b\n".utf8))
    #expect(writer.takeOutput().isEmpty)
  }

  @Test(arguments: 1...20)
  func `what is written reads back the same`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for delimiter in CSVDelimiter.allCases {
      for lineEnding in CSVWriter.LineEnding.allCases {
        let rows = (0..<Int.random(in: 0...8, using: &random)).map { _ in
          (0..<Int.random(in: 1...5, using: &random)).map { _ in random.text(upTo: 6) }
        }
        let written = text(rows, CSVWriter(delimiter: delimiter, lineEnding: lineEnding))
        let read = try readAll(CSVReader(written.utf8, delimiter: delimiter)).map(\.cells)
        #expect(read.map { $0.map { Array($0.utf8) } } == rows.map { $0.map { Array($0.utf8) } })
      }
    }
  }
}
