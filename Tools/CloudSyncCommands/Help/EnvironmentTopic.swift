import CommandFoundation

extension HelpTopic {
  /// What `cloudsync help environment` prints.
  static let environment = HelpTopic(
    name: "environment", summary: "the environment variables that cloudsync reads"
  ) { _ in
    let columns = [ReportTable.Column("variable"), ReportTable.Column("meaning")]
    func rows(_ variables: [(name: String, summary: String)]) -> [[ReportTable.Cell]] {
      variables.map { [ReportTable.Cell($0.name), ReportTable.Cell($0.summary)] }
    }
    let settings = ConfigSchema.paths.compactMap { path -> (name: String, summary: String)? in
      let names = path.map { $0 == "*" ? "NAME" : $0 }
      guard let key = try? ConfigSchema.key(at: ConfigPath(Self.example(path))),
        key.isInEnvironment, key.isSingle
      else { return nil }
      return (ConfigEnvironment.variable(for: ConfigPath(names)), key.summary)
    }
    return Page(sections: [
      Section(
        title: "Program",
        text: "An option overrides its variable. An empty variable counts as not set.",
        table: ReportTable(
          columns,
          rows: rows(ConfigEnvironment.reserved.map { (ConfigEnvironment.prefix + $0, $1) }))),
      Section(
        title: "Settings",
        text: """
          Any setting, by its path in upper case with _ for . and -; it overrides all files.
          Separate a list by commas. NAME is the name of a remote, domain, job, hook, group or file.
          """,
        table: ReportTable(columns, rows: rows(settings))),
      Section(title: "Standard variables", table: ReportTable(columns, rows: rows(foreign))),
    ])
  }

  /// A path in which each free name is valid everywhere.
  static func example(_ path: [String]) -> [String] {
    let domain = ConfigSchema.domains.first ?? ""
    return path.enumerated().map { $1 != "*" ? $1 : path[$0 - 1] == "domains" ? domain : "name" }
  }

  private static let foreign: [(name: String, summary: String)] = [
    ("XDG_CONFIG_HOME, …_DATA_, …_STATE_, …_CACHE_HOME", "Where folders are; see help directories"),
    ("XDG_RUNTIME_DIR", "Where sockets are"),
    ("CONFIGURATION_, STATE_, CACHE_, RUNTIME_DIRECTORY", "Folders from systemd; they win"),
    ("CREDENTIALS_DIRECTORY", "Where systemd puts credentials"),
    ("HOME", "What ~ stands for"),
    ("SSL_CERT_FILE", "Certificates to trust instead of the system's; a remote's ca-file wins"),
    ("NO_COLOR", "With any value: no colour"),
    ("CLICOLOR_FORCE, FORCE_COLOR", "Colour even without a terminal"),
    ("CLICOLOR", "0: no colour"),
    ("TERM", "dumb: no colour and no progress"),
  ]
}

extension ConfigKey {
  /// Whether it has one value, as opposed to keys of its own.
  var isSingle: Bool {
    switch type {
    case .map, .named: false
    default: true
    }
  }
}
