import ArgumentParser
import CommandFoundation

/// `cloudsync server`.
struct ServerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: ServerProgram.server.name, abstract: ServerProgram.server.abstract,
    discussion: examples(
      "cloudsync server invite anna", "cloudsync server backup /backup/cloudsync-server.sqlite",
      after: """
        All but restore work while the server runs. What a backup holds are all data of all people; \
        keep it as you keep the server.
        """),
    subcommands: [
      ServerAccounts.self, ServerAccountCommand.self, ServerInvite.self,
      ServerInvitationsCommand.self, ServerAudit.self, ServerBackup.self, ServerCheck.self,
      ServerRestore.self,
    ])
}
