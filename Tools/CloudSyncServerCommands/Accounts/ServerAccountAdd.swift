import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit
import SyncKitServer
import SyncWire

/// How much an account may have, as options.
struct QuotaOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Bytes of segments, such as 10GB; none for no limit.", valueName: "n"))
  var bytes: String?
  @Option(help: ArgumentHelp("Changes of records; none for no limit.", valueName: "n"))
  var records: String?
  @Option(
    help: ArgumentHelp(
      "Devices; none for the server's own limit.", valueName: "n"))
  var devices: String?

  /// Whether any is given.
  var isEmpty: Bool { bytes == nil && records == nil && devices == nil }

  /// The limits, with what is there for those that are not given.
  ///
  /// - Throws: ``SyncError`` `usage` for what is not a number.
  func limits(
    over account: ServerAdministration.Account? = nil
  ) throws -> (bytes: Int64?, records: Int64?, devices: Int64?) {
    (
      try Self.number(
        bytes, "--bytes", "a number, such as 500MB or 10GB", else: account?.maximumBytes
      ) {
        ConfigText.bytes($0).map { Int64($0) }
      },
      try Self.number(records, "--records", else: account?.maximumRecords) { Int64($0) },
      try Self.number(
        devices, "--devices", else: account?.maximumDevices, atMost: ServerPolicy().maximumDevices
      ) { Int64($0) }
    )
  }

  private static func number(
    _ text: String?, _ option: String, _ form: String = "a number", else known: Int64?,
    atMost most: Int64 = .max, _ read: (String) -> Int64?
  ) throws -> Int64? {
    guard let text else { return known }
    if text == "none" { return nil }
    guard let number = read(text), number >= 0 else {
      throw SyncError(
        .usage, "'\(Sanitized.line(text))' is not a limit for \(option)",
        hint: "write \(form), or none for no limit")
    }
    guard number <= most else {
      throw SyncError(
        .usage, "\(option) can be at most \(most), which is what this server allows any account",
        hint: "write a smaller number, or none for \(most)")
    }
    return number
  }
}

/// `cloudsync server account add NAME`.
struct ServerAccountAdd: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Create an account; 'server invite' lets its first device in.",
    discussion: examples(
      "\(program) server account add anna",
      "\(program) server account add anna --bytes 10GB --devices 5",
      after: """
        Two accounts cannot have names that look the same: names that differ only in capitals, the number \
        of spaces, the width of letters, or how a letter with a mark is composed (65).
        """))

  @Argument(help: "The name of the account.") var name: String
  @OptionGroup var quota: QuotaOptions
  @OptionGroup var folder: ServerFolderOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let limits = try quota.limits()
    let account = try await folder.work(context, making: true) { administration in
      let made = try await administration.makeAccount(
        name, maximumBytes: limits.bytes, maximumRecords: limits.records,
        maximumDevices: limits.devices)
      return try await administration.standing(of: made)
    }
    context.print(account)
    context.note("created the account '\(Sanitized.line(account.account.name))'")
  }
}

/// `cloudsync server account rename NAME NEW`.
struct ServerAccountRename: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Rename an account.",
    discussion: examples(
      "\(program) server account rename anna 'Anna K.'",
      "\(program) server account rename Anna anna --json"))

  @Argument(help: "The account.") var account: String
  @Argument(help: "The new name.") var name: String
  @OptionGroup var folder: ServerFolderOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let (old, renamed) = try await folder.work(context) { administration in
      let known = try await administration.known(account)
      try await administration.rename(known.id, to: name)
      return (known, try await administration.standing(of: known))
    }
    context.print(renamed)
    context.note(
      "renamed '\(Sanitized.line(old.name))' to '\(Sanitized.line(renamed.account.name))'")
  }
}

/// `cloudsync server account quota NAME`.
struct ServerAccountQuota: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "quota", abstract: "Show or set an account's limits.",
    discussion: examples(
      "\(program) server account quota anna",
      "\(program) server account quota anna --bytes 10GB --records 1000000 --devices 5",
      "\(program) server account quota anna --bytes none",
      after: """
        Data beyond a new limit stay; nothing is added until there is room. The device says so and exits \
        with 73.
        """))

  @Argument(help: "The account.") var account: String
  @OptionGroup var quota: QuotaOptions
  @OptionGroup var folder: ServerFolderOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let standing = try await folder.work(context) { administration in
      let known = try await administration.known(account)
      let before = try await administration.standing(of: known)
      guard !quota.isEmpty else { return before }
      let limits = try quota.limits(over: before)
      try await administration.setQuota(
        of: known.id, maximumBytes: limits.bytes, maximumRecords: limits.records,
        maximumDevices: limits.devices)
      return try await administration.standing(of: known)
    }
    let rows: [(String, Int64, Int64?)] = [
      ("bytes", standing.usedBytes, standing.maximumBytes),
      ("changes", standing.usedRecords, standing.maximumRecords),
      ("devices", standing.devices, standing.maximumDevices),
    ]
    context.print(
      Report(
        "cloudsync.server.account/1", standing.document,
        table: ReportTable(
          [
            ReportTable.Column("of"), ReportTable.Column("used", numeric: true),
            ReportTable.Column("limit", numeric: true),
          ],
          rows: rows.map { what, used, limit in
            [
              ReportTable.Cell(what), ReportTable.Cell(used),
              limit.map { ReportTable.Cell($0) } ?? ReportTable.Cell("none"),
            ]
          })))
    for case (let what, let used, let limit?) in rows where used > limit {
      let count = Plural(Int(clamping: used), String(what.dropLast()))
      context.warn("the account has \(count) already, which is more than \(limit)")
    }
  }
}
