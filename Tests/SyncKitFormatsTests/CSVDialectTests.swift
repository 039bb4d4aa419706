import SyncKitFormats
import Testing

/// How tables of other programs are written.
struct CSVDialectTests {
  private func cells(_ text: String) throws -> [[String]] {
    var reader = CSVReader(text.utf8, dialect: CSVDialect(of: Array(text.utf8)))
    var rows: [[String]] = []
    while let row = try reader.next() { rows.append(row.cells) }
    return rows
  }

  @Test(
    arguments: [
      ("a,b,c\n1,2,3\n", .comma), ("a;b;c\n1,5;2,5;3,5\n", .semicolon),
      ("1,5;2,5\n2,5;3,5\n", .semicolon), ("a\tb\n\"x, y\"\tz\n", .tab),
      ("a|b\n1|2\n", .pipe), ("iata^icao^name\nJFK^KJFK^New York, John F. Kennedy\n", .caret),
      ("name,city\n\"a;b;c\",d\n\"e;f;g\",h\n", .comma), ("one\ntwo\n", .comma), ("", .comma),
      ("EGLL:LHR:A FIELD:X\nEGKK:LGW:B FIELD:Y\n", .colon), ("Title\nOne: Two\n", .comma),
      ("# a table, made by hand\nx;y\n1;2\n3;4\n", .semicolon),
      ("\"Name, first\";\"Born\"\n\"x\";\"y\"\n", .semicolon),
    ] as [(String, CSVDelimiter)])
  func `the delimiter is the one that parts most rows evenly`(
    text: String, delimiter: CSVDelimiter
  ) {
    #expect(CSVDialect(of: Array(text.utf8)).delimiter == delimiter)
  }

  @Test(arguments: ["sep=;\na;b,c\n1;2\n", "\u{FEFF}sep=;\r\na;b,c\r\n1;2\r\n"])
  func `Excel's line that names the delimiter is no row`(text: String) throws {
    let dialect = CSVDialect(of: Array(text.utf8))
    #expect(dialect.delimiter == .semicolon && dialect.hasDelimiterLine)
    var reader = CSVReader(text.utf8, dialect: dialect)
    #expect(try reader.next() == CSVRow(line: 2, cells: ["a", "b,c"]))
    #expect(try reader.next() == CSVRow(line: 3, cells: ["1", "2"]))
    #expect(try reader.next() == nil)
  }

  @Test func `a backslash before a quote keeps it in the cell`() throws {
    let text = #"""
      1,"The \"Old\" Field","C:\\x",\N
      2,"ends with \"",b,c

      """#
    #expect(
      try cells(text) == [
        ["1", #"The "Old" Field"#, #"C:\x"#, #"\N"#], ["2", #"ends with ""#, "b", "c"],
      ])
  }

  @Test func `a backslash is no escape where doubled quotes read the table`() throws {
    #expect(try cells(#""C:\",x"# + "\n") == [[#"C:\"#, "x"]])
  }

  @Test func `spaces outside quotes are passed over if need be`() throws {
    #expect(
      try cells("\"JFK\", \"KJFK\" , \"New York, NY\"\na, b,c\n") == [
        ["JFK", "KJFK", "New York, NY"], ["a", " b", "c"],
      ])
  }

  @Test(arguments: ["\t", "^", "|"])
  func `a quote is a character where the table makes no sense with it`(delimiter: String) throws {
    let text = ["a", "5\" gun", "\"Red\" Field", "b\n"].joined(separator: delimiter)
    #expect(try cells(text) == [["a", "5\" gun", "\"Red\" Field", "b"]])
  }

  @Test func `an error in a table with commas is that of RFC 4180`() {
    let text = "iata,ic\"ao\nJFK,KJFK\n"
    var reader = CSVReader(text.utf8, dialect: CSVDialect(of: Array(text.utf8)))
    #expect(
      throws: CSVError(
        line: 1, column: 8, message: "a quote inside a cell that does not begin with one")
    ) { try reader.next() }
  }

  @Test func `a quote that is never closed is an error in every dialect`() {
    for delimiter in [",", ";"] {
      let text = "a\(delimiter)b\n1\(delimiter)\"2\n3\(delimiter)4\n"
      #expect(throws: CSVError.self) { try cells(text) }
    }
  }
}
