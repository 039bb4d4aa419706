import ArgumentParser
import CommandFoundation

/// The root of the command line.
///
/// A new command is one row in ``configuration``; see ``ContextCommand`` for its form.
struct CloudSync: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: Program.current.name,
    abstract: "Keep data in sync across your devices, through storage of your own.",
    discussion: examples(
      "cloudsync init --remote folder=file:~/Nextcloud/cloudsync",
      "cloudsync sync",
      "cloudsync help exit-codes",
      after: """
        Every command accepts options such as --json, --profile and --quiet; see its help.
        Topics: \(HelpTopic.names), as in `cloudsync help config`.
        """),
    version: Version.text,
    groupedSubcommands: [
      CommandGroup(
        name: "Setup",
        subcommands: [
          InitCommand.self, DemoCommand.self, RemoteCommand.self, DeviceCommand.self,
          VaultCommand.self, AccountCommand.self, ConfigCommand.self,
        ]),
      CommandGroup(
        name: "Sync",
        subcommands: [
          SyncCommand.self, WatchCommand.self, StatusCommand.self, PauseCommand.self,
          ResumeCommand.self, ShareCommand.self,
        ]),
      CommandGroup(name: "Data", subcommands: DomainRegistry.commands),
      CommandGroup(
        name: "History and conflicts",
        subcommands: [
          ConflictsCommand.self, HistoryCommand.self, UndoCommand.self, RestoreCommand.self,
          LogCommand.self,
        ]),
      CommandGroup(
        name: "Maintenance",
        subcommands: [
          DoctorCommand.self, DiagnoseCommand.self, VerifyCommand.self, CompactCommand.self,
          BackupCommand.self,
          TimerCommand.self,
        ]),
    ] + separate + [
      CommandGroup(
        name: "Help", subcommands: [HelpCommand.self, VersionCommand.self, CompletionsCommand.self])
    ])

  /// The commands of separate programs, which read the folders of `cloudsync` and of no other program.
  private static var separate: [CommandGroup] {
    guard Program.current.name == Program.usualName else { return [] }
    return [
      CommandGroup(name: "Browser", subcommands: [WebCommand.self]),
      CommandGroup(
        name: "Server", subcommands: [ServeCommand.self, TokenCommand.self, ServerCommand.self]),
    ]
  }
}
