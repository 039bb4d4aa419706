import ArgumentParser
import CommandFoundation

/// `cloudsync server`.
struct ServerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: ServerProgram.server.name, abstract: ServerProgram.server.abstract,
    discussion: examples(
      "\(program) server invite anna", "\(program) server backup /backup/cloudsync-server.sqlite",
      after: """
        All commands but restore and migrate work while the server runs. A backup holds everyone's data; protect it \
        like the server.
        """),
    subcommands: [
      ServerAdmin.self, ServerAccounts.self, ServerAccountCommand.self, ServerInvite.self,
      ServerInvitationsCommand.self, ServerAudit.self, ServerBackup.self, ServerCheck.self,
      ServerRestore.self, ServerMigrate.self, ServerBucketCommand.self,
    ])
}
