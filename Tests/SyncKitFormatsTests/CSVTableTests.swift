import SyncKitFormats
import Testing

struct CSVTableTests {
  private func table(_ text: String, requiring required: [String] = []) throws -> CSVTable {
    try CSVTable(CSVReader(text.utf8), requiring: required)
  }

  @Test func `finds cells by name, whatever its case and the space around it`() throws {
    var table = try table("ICAO , Name,ÉLÉVATION\nENBR, Bergen ,51\n")
    let record = try #require(try table.next())
    #expect(record["icao"] == "ENBR")
    #expect(record["ICAO"] == "ENBR")
    #expect(record["\tName "] == " Bergen ")
    #expect(record["élévation"] == "51")
    #expect(record["iata"] == nil)
    #expect(record.line == 2)
    #expect(record.row.cells == ["ENBR", " Bergen ", "51"])
    #expect(try table.next() == nil)
    #expect(table.header.cells == ["ICAO ", " Name", "ÉLÉVATION"])
    #expect(table.hasColumn("NAME"))
    #expect(!table.hasColumn("name 2"))
  }

  @Test func `refuses a ragged row by its line and goes on after it`() throws {
    var table = try table("a,b\n1,2\n\n\"3\n\",4,5\n6\n7,8")
    #expect(try table.next()?["a"] == "1")
    #expect(throws: CSVError(line: 4, column: 1, message: "3 cells where the header has 2")) {
      try table.next()
    }
    #expect(throws: CSVError(line: 6, column: 1, message: "1 cell where the header has 2")) {
      try table.next()
    }
    #expect(try table.next()?["b"] == "8")
    #expect(try table.next() == nil)
  }

  @Test(arguments: [
    ("", [], 1, "there is no header, the text is empty"),
    ("a,b, A ", [], 1, "the column \"a\" appears twice"),
    ("\n\na,b", ["A", "c", "D"], 3, "the header lacks the columns \"c\", \"D\""),
    ("a,b", ["c"], 1, "the header lacks the column \"c\""),
    ("\u{1B}[2J,\u{1B}[2J", [], 1, "the column \"\u{FFFD}[2j\" appears twice"),
  ])
  func `refuses a header that is of no use`(
    text: String, required: [String], line: Int, message: String
  ) {
    #expect(throws: CSVError(line: line, column: 1, message: message)) {
      try table(text, requiring: required)
    }
  }

  @Test func `a name may come again where that is allowed`() throws {
    let text = "Distance,Name,distance \n12.3,Ride,12300\n"
    var table = try CSVTable(CSVReader(text.utf8), requiring: ["name"], allowsRepeats: true)
    let record = try #require(try table.next())
    #expect(record["distance"] == "12.3")
    #expect(record.cells(named: "DISTANCE") == ["12.3", "12300"])
    #expect(record.cells(named: "name") == ["Ride"])
    #expect(record.cells(named: "speed").isEmpty)
  }

  @Test func `columns without a name are read by position only`() throws {
    var table = try table("a,, \n1,2,3")
    let record = try #require(try table.next())
    #expect(record[""] == nil)
    #expect(record.row.cells[1] == "2")
  }
}
