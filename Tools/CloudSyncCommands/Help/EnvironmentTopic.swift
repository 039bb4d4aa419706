import CommandFoundation

extension HelpTopic {
  /// What `cloudsync help environment` prints.
  static let environment = HelpTopic(
    name: "environment", summary: "the variables that are read"
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
        text: "An option wins over its variable. A variable that is empty counts as not set.",
        table: ReportTable(
          columns,
          rows: rows(ConfigEnvironment.reserved.map { (ConfigEnvironment.prefix + $0, $1) }))),
      Section(
        title: "Settings",
        text: """
          Any setting, by its path in upper case with _ for . and -; it wins over all files.
          Lists have commas. NAME is the name of a remote, domain, job, hook, group or file.
          """,
        table: ReportTable(columns, rows: rows(settings))),
      Section(title: "Of others", table: ReportTable(columns, rows: rows(foreign))),
    ])
  }

  /// A path in which each free name is one that passes as such everywhere.
  static func example(_ path: [String]) -> [String] {
    let domain = ConfigSchema.domains.first ?? ""
    return path.enumerated().map { $1 != "*" ? $1 : path[$0 - 1] == "domains" ? domain : "name" }
  }

  private static let foreign: [(name: String, summary: String)] = [
    ("XDG_CONFIG_HOME, …_DATA_, …_STATE_, …_CACHE_HOME", "Where folders are; see help directories"),
    ("XDG_RUNTIME_DIR", "Where sockets are"),
    ("CONFIGURATION_, STATE_, CACHE_, RUNTIME_DIRECTORY", "Folders that systemd gives; they win"),
    ("CREDENTIALS_DIRECTORY", "Where systemd puts a secret's credential"),
    ("HOME", "What ~ stands for"),
    ("SSL_CERT_FILE", "Certificates to trust in place of the system's; ca-file of a remote wins"),
    ("NO_COLOR", "With any value: no colour"),
    ("CLICOLOR_FORCE, FORCE_COLOR", "Colour also where no terminal is"),
    ("CLICOLOR", "0: no colour"),
    ("TERM", "dumb: no colour and no progress"),
  ]
}

extension ConfigKey {
  /// Whether it holds one value, as opposed to keys of its own.
  var isSingle: Bool {
    switch type {
    case .map, .named: false
    default: true
    }
  }
}
