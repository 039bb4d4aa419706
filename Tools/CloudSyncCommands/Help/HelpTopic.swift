import CommandFoundation
import SyncKitFormats

/// A help page that is not about a single command.
///
/// Its content comes from the tables that the program itself uses, so it cannot go stale.
struct HelpTopic: Sendable {
  var name: String
  var summary: String
  /// The page: a table with words around it.
  var page: @Sendable (CommandContext) throws -> Page

  /// The content of a page.
  struct Page: Sendable {
    var sections: [Section]
  }

  /// A heading, a sentence or two, and a table.
  struct Section: Sendable {
    var title: String
    var text: String = ""
    var table = ReportTable([])
  }

  static let all: [HelpTopic] =
    [exitCodes, environment, config, formats, directories, remotes]
    + PlugInTables.all.flatMap(\.topics).map { topic in
      HelpTopic(name: topic.name, summary: topic.summary) { _ in
        Page(sections: [Section(title: topic.name, text: topic.text)])
      }
    }

  /// The names as a line of text.
  static var names: String {
    all.reduce(into: "") { $0 += $0.isEmpty ? $1.name : ", \($1.name)" }
  }

  /// The page in every format; as a list of records it is the rows of all its tables.
  func report(_ context: CommandContext) throws -> Report {
    let sections = try page(context).sections
    let records = sections.flatMap { section in
      section.table.rows.map { row in
        JSON.object(
          JSONObject(zip(section.table.columns, row).map { ($0.header, Self.json($1, in: $0)) }))
      }
    }
    let widest = sections.map(\.table).max { $0.columns.count < $1.columns.count }
    let text = sections.map { section in
      let heading = context.paint(section.title.uppercased(), .heading) + "\n"
      let table = section.table.aligned(paint: context.paint)
      return heading + (section.text.isEmpty ? "" : Program.words(section.text) + "\n")
        + (table.isEmpty ? "" : "\n" + table)
    }
    return Report(
      "cloudsync.help/1", ["topic": .string(name), "records": .array(records)],
      records: "records",
      table: ReportTable(widest?.columns ?? [], rows: sections.flatMap(\.table.rows)),
      text: text.joined(separator: "\n"))
  }

  private static func json(_ cell: ReportTable.Cell, in column: ReportTable.Column) -> JSON {
    if column.isNumeric, let number = Int64(cell.raw) { return .int(number) }
    return .string(cell.raw)
  }
}
