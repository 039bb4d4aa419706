import ArgumentParser
import CommandFoundation

/// `cloudsync backup`.
struct BackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Keep a copy of all that this device has, and put it back.",
    discussion: examples(
      "cloudsync backup create ~/backup-$(date +%F).zip", "cloudsync backup restore backup.zip"),
    subcommands: [BackupCreate.self, BackupVerify.self, BackupRestore.self])
}
