import ArgumentParser
import CommandFoundation

/// `cloudsync backup`.
struct BackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Back up and restore everything on this device.",
    discussion: examples(
      "cloudsync backup create ~/backup-$(date +%F).zip.age",
      "cloudsync backup restore backup.zip.age"),
    subcommands: [BackupCreate.self, BackupVerify.self, BackupRestore.self])
}
