import CommandFoundation

extension HelpTopic {
  /// What `cloudsync help directories` prints.
  static let directories = HelpTopic(
    name: "directories", summary: "where cloudsync keeps its files"
  ) { context in
    let directories = try context.directories()
    let rows: [[ReportTable.Cell]] = [
      [
        "config", ReportTable.Cell(directories.config),
        "--config, CLOUDSYNC_CONFIG, CONFIGURATION_DIRECTORY, XDG_CONFIG_HOME",
      ],
      [
        "data", ReportTable.Cell(directories.data),
        "CLOUDSYNC_DATA_DIR, STATE_DIRECTORY, XDG_DATA_HOME",
      ],
      [
        "state", ReportTable.Cell(directories.state),
        "CLOUDSYNC_STATE_DIR, STATE_DIRECTORY/state, XDG_STATE_HOME",
      ],
      [
        "cache", ReportTable.Cell(directories.cache),
        "CLOUDSYNC_CACHE_DIR, CACHE_DIRECTORY, XDG_CACHE_HOME",
      ],
      [
        "runtime", ReportTable.Cell(directories.runtime),
        "RUNTIME_DIRECTORY, XDG_RUNTIME_DIR, else the state folder",
      ],
    ]
    return Page(sections: [
      Section(
        title: "Directories",
        text: """
          With the options given now. The stores are <domain>.sqlite in data; you may delete
          cache. A profile is the subfolder profiles/NAME of each. Files are 0600, folders 0700.
          The first variable that is set wins; those of XDG get /cloudsync and must be absolute.
          """,
        table: ReportTable(
          [
            ReportTable.Column("folder"), ReportTable.Column("path"),
            ReportTable.Column("decided by"),
          ], rows: rows))
    ])
  }
}
