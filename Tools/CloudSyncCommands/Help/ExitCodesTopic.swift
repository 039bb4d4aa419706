import CommandFoundation
import SyncKit

extension HelpTopic {
  /// What `cloudsync help exit-codes` prints.
  static let exitCodes = HelpTopic(
    name: "exit-codes", summary: "what each exit status and error code means"
  ) { _ in
    let statuses = ExitCodeTable.statuses.map { row in
      [
        ReportTable.Cell(row.status), ReportTable.Cell(row.name), ReportTable.Cell("-"),
        ReportTable.Cell(row.meaning),
      ]
    }
    let codes = ExitCodeTable.codes.map { row in
      [
        ReportTable.Cell(row.code.exit), ReportTable.Cell(row.code.name),
        ReportTable.Cell(row.code.isRetryable ? "yes" : "no"), ReportTable.Cell(row.meaning),
      ]
    }
    func columns(_ name: String) -> [ReportTable.Column] {
      [
        ReportTable.Column("status", numeric: true), ReportTable.Column(name),
        ReportTable.Column("retry"),
        ReportTable.Column("meaning"),
      ]
    }
    return Page(sections: [
      Section(
        title: "Exit statuses",
        text: """
          Stable within a major version. Jobs that all fail in the same way end with its status, and
          in different ways with 3. In a systemd unit: SuccessExitStatus=75.
          """,
        table: ReportTable(columns("name"), rows: statuses)),
      Section(
        title: "Error codes",
        text: """
          With --json an error is one object on standard error, cloudsync.error/1, with one of these
          codes. Where retry says yes, the same command may succeed later.
          """,
        table: ReportTable(columns("code"), rows: codes)),
    ])
  }
}
