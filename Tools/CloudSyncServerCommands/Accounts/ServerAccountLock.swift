import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit
import SyncKitServer
import SyncWire

/// `cloudsync server account lock NAME`.
struct ServerAccountLock: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock", abstract: "Shut an account, until it is unlocked; its data stay.",
    discussion: examples(
      "cloudsync server account lock anna", "cloudsync server account lock anna --json",
      after: """
        Within a second no device and no token of the account is let in any more, and its devices are \
        told so. What it shares stays with those it is shared with.
        """))

  @Argument(help: "The account.") var account: String
  @OptionGroup var folder: ServerFolderOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try await ServerAccountUnlock.set(true, account, folder, context)
  }
}

/// `cloudsync server account unlock NAME`.
struct ServerAccountUnlock: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlock", abstract: "Open an account that was locked.",
    discussion: examples(
      "cloudsync server account unlock anna", "cloudsync server account unlock anna --json"))

  @Argument(help: "The account.") var account: String
  @OptionGroup var folder: ServerFolderOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try await Self.set(false, account, folder, context)
  }

  @MainActor static func set(
    _ isLocked: Bool, _ account: String, _ folder: ServerFolderOption, _ context: CommandContext
  ) async throws {
    let (standing, isNew) = try await folder.work(context) { administration in
      let known = try await administration.known(account)
      let isNew = try await administration.setLocked(isLocked, known.id)
      return (try await administration.standing(of: known), isNew)
    }
    context.print(standing, ["changed": .bool(isNew)])
    let name = Sanitized.line(standing.account.name)
    let state = isLocked ? "locked" : "open"
    context.note(isNew ? "'\(name)' is \(state) now" : "'\(name)' was \(state) already")
  }
}
