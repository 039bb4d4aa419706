import LocalMachine
import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync settings revert FILE`.
struct SettingsRevert: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "revert", abstract: "Put an earlier state of an app's file back.",
    discussion: examples(
      "cloudsync settings revert app.json", "cloudsync settings revert app.json --list",
      "cloudsync settings revert app.json --original",
      after: """
        'apply' keeps the file as it was before cloudsync first wrote it, for good, and the nine \
        states after that. Without an option the newest of them comes back; the present state is \
        kept in its place, so that a second 'revert' takes the first one back. The settings stay \
        as they are: 'capture' takes the file's values over, 'apply --force' writes them again.
        """))

  @Argument(help: "The file.", completion: .file()) var file: String
  @Option(help: ArgumentHelp("The state with this number; 1 is the newest.", valueName: "number"))
  var to: Int?
  @Flag(help: "The file as it was before cloudsync first wrote it.")
  var original = false
  @Flag(help: "List the states, the newest first.")
  var list = false
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    guard [to != nil, original, list].count(where: { $0 }) <= 1 else {
      throw ValidationError("--to, --original and --list cannot be combined")
    }
  }

  func run(_ context: CommandContext) async throws {
    let states = FileGenerations(file)
    let all = states.all
    var kept: String?
    var from: String?
    if !list {
      let wanted = original ? states.original : to.map { states.later($0) } ?? all.first
      guard let wanted, all.contains(wanted) else {
        throw SyncError(
          .inputMissing, "there is no such earlier state of \(Sanitized.line(file))",
          hint: all.isEmpty
            ? "'settings apply' keeps one whenever it writes the file"
            : "see 'cloudsync settings revert \(Sanitized.line(file)) --list'")
      }
      from = wanted
      if !change.dryRun { kept = try revert(states, to: wanted) }
    }
    context.print(
      Report(
        "cloudsync.settings.revert/1",
        [
          "path": .string(file), "from": from.map { .string($0) } ?? .null,
          "backup": kept.map { .string($0) } ?? .null,
          "states": .array((list ? all : states.all).map { .string($0) }),
        ],
        table: ReportTable(
          [ReportTable.Column("state", flexible: true)],
          rows: list ? all.map { [ReportTable.Cell($0)] } : []),
        text: list ? nil : ""))
    if let from {
      context.note("\(change.dryRun ? "would put back" : "put back"): \(Sanitized.line(from))")
    }
  }

  private func revert(_ states: FileGenerations, to wanted: String) throws -> String? {
    let limit = AppSettingsFile.maximumSize
    let new: [UInt8]
    let old: [UInt8]?
    do throws(SystemError) {
      new = try LocalFile.read(wanted, limit: limit)
      old = FileSignature(states.path) == nil ? nil : try LocalFile.read(states.path, limit: limit)
    } catch {
      throw SyncError(error)
    }
    return try states.replace(old, with: new)
  }
}
