import ArgumentParser
import CommandFoundation
import SyncKit

/// The command `cloudsync conflicts show ID`.
struct ConflictShow: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show one conflict with its values.",
    discussion: examples(
      "cloudsync conflicts show airports/mapping/ABC/code",
      "cloudsync conflicts show airports/mapping/ABC/code --json"))

  @Argument(help: "The conflict: domain/collection/record/field.", completion: conflictCompletion)
  var id: String
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    context.print(try Session(context).conflict(id).report)
  }
}

/// The ids of all conflicts.
let conflictCompletion = CompletionKind.custom { words, _, prefix in
  guard let session = try? Session(completing: words),
    let conflicts = try? session.conflicts(session.enabledDomains)
  else { return [] }
  return conflicts.map(\.id).filter { $0.hasPrefix(prefix) }
}
