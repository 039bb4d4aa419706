import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// `cloudsync log`.
struct LogCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Show how past syncs went, and what they merged.",
    discussion: examples(
      "cloudsync log --since 7d", "cloudsync log --domain airports --json",
      after: """
        For each sync it shows the time, the remote, how many changes were sent and received, \
        which records changed and why (this device, another device, the first sync, or a tree that \
        was made local elsewhere), and what failed (account, quota, offline or another failure); \
        for each conflict the local value, the remote value and its device, and the value that \
        shows now. A watcher logs only runs that moved something or failed. The log never leaves \
        this device. For edits and their devices, see 'cloudsync history'.
        """))

  @Option(
    help: ArgumentHelp("Only this domain.", valueName: "domain"),
    completion: .list(DomainRegistry.names))
  var domain: [String] = []
  @Option(
    help: ArgumentHelp(
      "Only runs since then: a date, a time, or how long ago, such as 7d.",
      valueName: "time"))
  var since: TimeArgument?
  @Option(help: ArgumentHelp("Maximum number, newest first; 0 for all.", valueName: "number"))
  var limit = 50
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    guard limit >= 0 else { throw ValidationError("--limit must not be negative") }
  }

  func run(_ context: CommandContext) async throws {
    for name in domain { _ = try DomainRegistry.domain(name) }
    let start = since?.milliseconds(now: context.terminal.now())
    var entries = RunLog(try context.directories()).entries().filter { entry in
      let at = entry["at"]?.string.flatMap { Timestamp.parse($0) } ?? 0
      return (start.map { at >= $0 } ?? true)
        && (domain.isEmpty || domain.contains(entry["domain"]?.string ?? ""))
    }
    entries.reverse()
    if limit > 0 { entries = Array(entries.prefix(limit)) }
    context.print(
      Report(
        "cloudsync.log/1",
        [
          "entries": .array(entries),
          "since": start.map { .string(Timestamp.format(milliseconds: $0)) } ?? .null,
        ], records: "entries",
        table: ReportTable(
          [
            ReportTable.Column("at"), ReportTable.Column("domain"), ReportTable.Column("remote"),
            ReportTable.Column("result"), ReportTable.Column("pushed", numeric: true),
            ReportTable.Column("pulled", numeric: true),
            ReportTable.Column("overridden", numeric: true),
            ReportTable.Column("what", flexible: true),
          ], rows: entries.flatMap(Self.rows))))
  }

  /// A row for the run, and one for each merge.
  private static func rows(_ entry: JSON) -> [[ReportTable.Cell]] {
    func text(_ key: String) -> String { entry[key]?.string ?? "" }
    let isGood = entry["result"] == "ok"
    let at = text("at")
    let head = [
      Timestamp.parse(at).map { ReportTable.Cell(time: $0) } ?? ReportTable.Cell(at),
      ReportTable.Cell(text("domain")), ReportTable.Cell(text("remote")),
      ReportTable.Cell(text("result"), style: isGood ? .good : .bad),
      ReportTable.Cell(Int(entry["pushed"]?.int ?? 0)),
      ReportTable.Cell(Int(entry["pulled"]?.int ?? 0)),
      ReportTable.Cell(Int(entry["overridden"]?.int ?? 0)),
      ReportTable.Cell(
        [entry["reason"]?.string, entry["error"]?["message"]?.string].compactMap(\.self)
          .joined(separator: ": ")),
    ]
    let changes = (entry["changes"]?.array ?? []).map { change -> [ReportTable.Cell] in
      let names = (change["records"]?.array ?? []).compactMap(\.string)
      let reason = ChangeReason(rawValue: change["reason"]?.string ?? "")
      return [
        "", "", "", "changed", "", "", "",
        ReportTable.Cell(
          "\(reason?.phrase ?? ""): \(shortList(names, of: Int(change["count"]?.int ?? 0)))"),
      ]
    }
    let all = entry["merges"]?.array ?? []
    var merges = all.prefix(shown).map { merge -> [ReportTable.Cell] in
      func shown(_ key: String) -> String {
        guard let value = merge[key], !value.isNull else { return "nothing" }
        return value.brief
      }
      let place = "\(merge["record"]?.string ?? "") \(merge["field"]?.string ?? "")"
      return [
        "", "", "", merge["overridden"]?.bool == true ? "overridden" : "merged", "", "", "",
        ReportTable.Cell(
          "\(place): here \(shown("local")), \(merge["device"]?.string ?? "") \(shown("remote")),"
            + " shows \(shown("result"))"),
      ]
    }
    if all.count > shown {
      merges.append(
        [
          "", "", "", "", "", "", "",
          ReportTable.Cell("and \(all.count - shown) more; --json has all"),
        ])
    }
    return [head] + changes + merges
  }

  /// A person can read this many merges of one run.
  private static let shown = 20
}

extension JSON {
  /// The value in a line for people: an object by its members.
  fileprivate var brief: String {
    guard let object else { return plain }
    return object.members.map { "\($0.0)=\($0.1.plain)" }.joined(separator: " ")
  }

  /// A value that is no group; the log has times as text, which people read in their own zone.
  private var plain: String {
    guard let string else { return text() }
    guard string.utf8.count == 24, string.hasSuffix("Z"), let time = Timestamp.parse(string) else {
      return string
    }
    return instantForPeople(time)
  }
}

private func instantForPeople(_ milliseconds: Int64) -> String {
  Value.instant(milliseconds).brief
}
