import SyncKit

extension HelpTopic {
  /// What `cloudsync help exit-codes` prints.
  static let exitCodes = HelpTopic(
    name: "exit-codes", summary: "what each exit status and error code means"
  ) { _ in
    let statuses = ExitCodeTable.statuses.map { row in
      [Table.Cell(row.status), Table.Cell(row.name), Table.Cell("-"), Table.Cell(row.meaning)]
    }
    let codes = ExitCodeTable.codes.map { row in
      [
        Table.Cell(row.code.exit), Table.Cell(row.code.name),
        Table.Cell(row.code.isRetryable ? "yes" : "no"), Table.Cell(row.meaning),
      ]
    }
    func columns(_ name: String) -> [Table.Column] {
      [
        Table.Column("status", numeric: true), Table.Column(name), Table.Column("retry"),
        Table.Column("meaning"),
      ]
    }
    return Page(sections: [
      Section(
        title: "Exit statuses",
        text: """
          Stable within a major version. Several jobs that fail in one way end with its status, in
          different ways with 3. In a systemd unit: SuccessExitStatus=75.
          """,
        table: Table(columns("name"), rows: statuses)),
      Section(
        title: "Error codes",
        text: """
          With --json an error is one object on standard error, cloudsync.error/1, with one of these
          codes. Where retry says yes, the same command may succeed later.
          """,
        table: Table(columns("code"), rows: codes)),
    ])
  }
}
