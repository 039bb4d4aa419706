import ArgumentParser
import CommandFoundation
import SyncKit
import SyncKitFormats

/// `cloudsync vault passphrase`.
struct VaultPassphrase: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "passphrase",
    abstract: "Set a passphrase with which other devices can join, in place of the one before.",
    discussion: examples(
      "cloudsync vault passphrase", "cloudsync vault passphrase --remove",
      after: """
        It is that of --passphrase-file, else of vault.passphrase in the configuration, else you are \
        asked for it twice. A device joins with 'cloudsync init --passphrase-file PATH', or with \
        vault.passphrase in its configuration, which a command can print. Whoever can read a remote \
        can try passphrases, as many as his machines allow: take some words that do not belong \
        together. The passphrase lets no device go; that takes the recovery code.
        """))

  @Flag(help: "Have none from now on.") var remove = false
  @OptionGroup var passphrase: PassphraseOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let text = remove ? nil : try PassphraseSource(.vault, passphrase, session).new()
    try await session.setPassphrase(text)
    context.print(
      Report(
        "cloudsync.vault.passphrase/1",
        [
          "isSet": .bool(!remove),
          "remotes": .array(session.encryptedRemotes.map { .string($0.name) }),
        ],
        table: ReportTable(
          [ReportTable.Column("remote")],
          rows: session.encryptedRemotes.map { [ReportTable.Cell($0.name)] }), text: ""))
    context.note(
      remove ? "no passphrase opens the vault any more" : "the passphrase opens the vault")
  }
}
