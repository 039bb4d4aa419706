import ArgumentParser
import CommandFoundation
import SyncKit

/// The command `cloudsync conflicts resolve ID (--mine | --theirs | --value V)`.
struct ConflictResolve: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "resolve", abstract: "Resolve a conflict, on every device.",
    discussion: examples(
      "cloudsync conflicts resolve airports/mapping/ABC/code --mine",
      "cloudsync conflicts resolve airports/mapping/ABC/code --theirs --dry-run",
      "cloudsync conflicts resolve airports/mapping/ABC/code --value LEAB",
      after: """
        --mine is what this device wrote, --theirs the only other value. Write the value of a \
        group as a JSON object, or in a notation of the domain.
        """))

  @Argument(help: "The conflict: domain/collection/record/field.", completion: conflictCompletion)
  var id: String
  @Flag(help: "Take the value that this device wrote.") var mine = false
  @Flag(help: "Take the other value.") var theirs = false
  @Option(help: ArgumentHelp("Take this value.", valueName: "value")) var value: String?
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    guard [mine, theirs, value != nil].count(where: { $0 }) == 1 else {
      throw ValidationError("Choose one of --mine, --theirs and --value")
    }
  }

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.conflicts.resolve/1", isRehearsal: change.dryRun) {
      let session = try Session(context)
      let found = try session.conflict(id)
      let store = try session.store(found.domain.domain.name, isRehearsal: change.dryRun)
      let key = found.conflict.key
      let chosen = try value.map { try found.value(typed: $0) } ?? candidate(of: found).value
      let summary = try store.write {
        try $0.resolve(key, register: found.conflict.field, value: chosen)
      }.summary
      var result = WriteResult(summary, isRehearsed: change.dryRun)
      if value != nil { result.warnings = found.concerns(about: chosen) }
      if change.dryRun {
        result.plan = [
          RecordChange(
            .set, key, field: found.conflict.field, from: found.conflict.shown, to: chosen)
        ]
      }
      return result
    }
  }

  /// The value that `--mine` or `--theirs` means.
  ///
  /// - Throws: ``SyncError`` `usage` if this is not exactly one value.
  private func candidate(of found: DomainConflict) throws -> Conflict.Candidate {
    let candidates = found.conflict.candidates
    let own = candidates.filter(\.isMine)
    let others = candidates.filter { !$0.isMine }
    if mine, let first = own.first { return first }
    if theirs, candidates.count == 2, own.count == 1, let other = others.first { return other }
    let list = candidates.map { "\(Sanitized.line($0.value.text)) (\($0.device.shown))" }
    throw SyncError(
      .usage,
      mine
        ? "none of the values is this device's own"
        : "there is not exactly one other value",
      hint: "use --value with one of \(list.joined(separator: ", "))")
  }
}
