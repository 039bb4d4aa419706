import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit
import SyncKitServer
import SyncWire

/// `cloudsync server account lock NAME`.
struct ServerAccountLock: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock", abstract: "Lock an account until it is unlocked; its data stay.",
    discussion: examples(
      "\(program) server account lock anna", "\(program) server account lock anna --json",
      after: """
        Within a second, the server refuses the account's devices and tokens and tells them why. People \
        keep what the account shares with them.
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
    commandName: "unlock", abstract: "Unlock a locked account.",
    discussion: examples(
      "\(program) server account unlock anna", "\(program) server account unlock anna --json"))

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
    let state = isLocked ? "locked" : "unlocked"
    context.note(isNew ? "'\(name)' is now \(state)" : "'\(name)' was already \(state)")
  }
}
