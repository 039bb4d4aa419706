import ArgumentParser
import CommandFoundation
import SyncKit
import SyncKitEncryption
import SyncKitFormats

/// `cloudsync vault`.
struct VaultCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vault", abstract: "See to the keys with which your remotes are encrypted.",
    discussion: examples(
      "cloudsync vault", "cloudsync vault recovery test", "cloudsync vault recovery new"),
    subcommands: [VaultShow.self, VaultRecovery.self], defaultSubcommand: VaultShow.self)
}

/// `cloudsync vault show`.
struct VaultShow: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show whether this device has keys, and for which remotes.",
    discussion: examples("cloudsync vault show", "cloudsync vault show --json"))

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let ring = try session.keyring()
    let remotes = session.configuration.remotes
    context.print(
      Report(
        "cloudsync.vault/1",
        [
          "vault": ring.map { .string($0.keys.text) } ?? .null,
          "remotes": .array(
            remotes.map { ["name": .string($0.name), "encrypted": .bool($0.isEncrypted)] }),
        ],
        records: "remotes",
        table: ReportTable(
          [ReportTable.Column("remote"), ReportTable.Column("encrypted")],
          rows: remotes.map { remote in
            [
              ReportTable.Cell(remote.name), ReportTable.Cell(remote.isEncrypted ? "yes" : "no"),
            ]
          })))
    if ring == nil { context.note("this device has no keys") }
  }
}

/// `cloudsync vault recovery`.
struct VaultRecovery: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recovery",
    abstract: "Make a new recovery code, or find out whether yours works.",
    discussion: examples("cloudsync vault recovery test", "cloudsync vault recovery new"),
    subcommands: [RecoveryNew.self, RecoveryTest.self])
}

/// `cloudsync vault recovery new`.
struct RecoveryNew: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Make a new recovery code; the one before opens nothing more.",
    discussion: examples(
      "cloudsync vault recovery new", "cloudsync vault recovery new --json",
      after: """
        The code is printed once. It opens your data on every encrypted remote of this device when \
        all your devices are gone. All of these remotes must be reachable.
        """))

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let code = try await session.renewRecovery()
    context.print(
      Report(
        "cloudsync.vault.recovery/1",
        ["recovery": .string(code.text), "remotes": .array(session.encryptedRemotes.json)],
        table: ReportTable([ReportTable.Column("recovery")], rows: [[ReportTable.Cell(code.text)]]),
        text: VaultCode.paper(code)))
  }
}

/// `cloudsync vault recovery test`.
struct RecoveryTest: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Find out which remotes your recovery code opens.",
    discussion: examples(
      "cloudsync vault recovery test",
      "cloudsync vault recovery test k3zp-6wqa-o7mu-2fhd-x5bt-cnye-v4sl",
      after: "On a terminal the code is asked for when it is left out. It is not kept."))

  @Argument(help: "The recovery code.") var code: String?
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let code =
      try code.map { text throws(SyncError) in try RecoveryCode(typed: text) } ?? ask(context)
    var opens: [Configuration.Remote] = []
    for remote in session.encryptedRemotes where try await session.opens(remote, code) {
      opens.append(remote)
    }
    guard !opens.isEmpty else {
      throw SyncError(
        .wrongCode, "the code opens none of the remotes of this device",
        hint: "'cloudsync vault recovery new' makes a new one")
    }
    context.print(
      Report(
        "cloudsync.vault.recovery/1", ["recovery": .null, "remotes": .array(opens.json)],
        table: ReportTable(
          [ReportTable.Column("remote")], rows: opens.map { [ReportTable.Cell($0.name)] }),
        text: "the code opens \(opens.map(\.name).joined(separator: ", "))\n"))
  }

  private func ask(_ context: CommandContext) throws -> RecoveryCode {
    guard context.mayAsk, !context.assumesYes else {
      throw SyncError(.usage, "the recovery code is missing", hint: "pass it as an argument")
    }
    return try context.ask("recovery code", fallback: "") { answer throws(SyncError) in
      try RecoveryCode(typed: answer)
    }
  }
}

extension [Configuration.Remote] {
  fileprivate var json: [JSON] { map { .string($0.name) } }
}
