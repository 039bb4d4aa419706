import CommandFoundation

extension HelpTopic {
  /// What `cloudsync help remotes` prints.
  static let remotes = HelpTopic(
    name: "remotes", summary: "the kinds of remotes, and how they are written"
  ) { _ in
    Page(sections: [
      Section(
        title: "Remotes",
        text: """
          Where devices exchange data, as in 'cloudsync remote add NAME URL'. A domain can have several. The
          keys of each kind are in 'cloudsync help config'.
          """,
        table: ReportTable(
          [
            ReportTable.Column("type"), ReportTable.Column("URL"), ReportTable.Column("meaning"),
          ],
          rows: TransportRegistry.all.map { kind in
            [
              ReportTable.Cell(kind.scheme), ReportTable.Cell(kind.address.form),
              ReportTable.Cell(kind.about),
            ]
          }))
    ])
  }
}
