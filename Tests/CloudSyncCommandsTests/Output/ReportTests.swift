import CommandFoundation
import SyncKitFormats
import Testing

@testable import CloudSyncCommands

/// One report in every format, and the same as a streamed list.
struct ReportTests {
  private let rows: [(id: String, note: String)] = [
    ("ENBR", "a,b"), ("KJFK", "say \"hi\"\nthere"), ("é", "=1+1"),
  ]
  private let columns = [ReportTable.Column("id"), ReportTable.Column("note")]

  private func record(_ row: (id: String, note: String)) -> JSON {
    ["id": .string(row.id), "note": .string(row.note)]
  }

  private func printed(_ format: OutputFormat) throws -> String {
    let context = try TestMachine().context("--output", format.rawValue)
    context.print(
      Report(
        "cloudsync.test.list/1", ["records": .array(rows.map(record)), "more": 1],
        records: "records",
        table: ReportTable(
          columns, rows: rows.map { [ReportTable.Cell($0.id), ReportTable.Cell($0.note)] })))
    return context.terminal.output.text
  }

  private func listed(_ format: OutputFormat) throws -> String {
    let context = try TestMachine().context("--output", format.rawValue)
    var listing = context.listing("cloudsync.test.list/1", records: "records", columns: columns)
    for row in rows {
      listing.add(record(row), [ReportTable.Cell(row.id), ReportTable.Cell(row.note)])
    }
    listing.finish(["more": 1])
    return context.terminal.output.text
  }

  @Test func `json is one object that begins with its schema`() throws {
    #expect(
      try printed(.json) == """
        {"schema":"cloudsync.test.list/1","records":[{"id":"ENBR","note":"a,b"},\
        {"id":"KJFK","note":"say \\"hi\\"\\nthere"},{"id":"é","note":"=1+1"}],"more":1}

        """)
  }

  @Test func `jsonl is one record per line`() throws {
    let lines = try printed(.jsonl).split(separator: "\n").map { try JSON(parsing: String($0)) }
    #expect(lines == rows.map(record))
  }

  @Test func `csv has a header and quotes only where necessary`() throws {
    #expect(try printed(.csv) == "id,note\nENBR,\"a,b\"\nKJFK,\"say \"\"hi\"\"\nthere\"\né,=1+1\n")
    var reader = CSVReader(Array(try printed(.csv).utf8))
    var cells: [[String]] = []
    while let row = try reader.next() { cells.append(row.cells) }
    #expect(cells.dropFirst().map { $0[1] } == rows.map(\.note))
  }

  @Test func `plain has neither header nor quotes`() throws {
    #expect(try printed(.plain) == "ENBR\ta,b\nKJFK\tsay \"hi\"\\nthere\né\t=1+1\n")
  }

  @Test(arguments: OutputFormat.allCases)
  func `a list printed in parts gives the same bytes`(format: OutputFormat) throws {
    #expect(try listed(format) == printed(format))
  }

  @Test func `an empty list is still a document`() throws {
    let context = try TestMachine().context("--json")
    var listing = context.listing("cloudsync.test.list/1", records: "records", columns: columns)
    listing.finish()
    #expect(
      context.terminal.output.text == "{\"schema\":\"cloudsync.test.list/1\",\"records\":[]}\n")
  }

  @Test func `a document without records is one line as jsonl`() throws {
    let context = try TestMachine().context("--output", "jsonl")
    context.print(Report("cloudsync.test/1", ["a": 1]))
    #expect(context.terminal.output.text == "{\"schema\":\"cloudsync.test/1\",\"a\":1}\n")
  }
}
