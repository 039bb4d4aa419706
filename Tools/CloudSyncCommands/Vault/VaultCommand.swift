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
      "cloudsync vault", "cloudsync vault recovery test", "cloudsync vault rotate"),
    subcommands: [
      VaultShow.self, VaultEncrypt.self, VaultDecrypt.self, VaultRotate.self, VaultRecovery.self,
      VaultPassphrase.self,
    ],
    defaultSubcommand: VaultShow.self)
}

/// `cloudsync vault show`.
struct VaultShow: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the devices that have the keys.",
    discussion: examples(
      "cloudsync vault show", "cloudsync vault show --json",
      after: """
        Each device has six words of its own. If they are the same on two screens, it is the same \
        device. A device is listed once it has synced.
        """))

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let ring = try session.keyring()
    let remotes = session.configuration.remotes
    let membership = ring?.keys.membership
    let own = ring?.keys.device
    let devices = membership?.members ?? []
    context.print(
      Report(
        "cloudsync.vault/1",
        [
          "vault": ring.map { .string($0.keys.vault.text) } ?? .null,
          "epoch": ring.map { .int(Int64(clamping: $0.keys.vault.epoch)) } ?? .null,
          "devices": .array(
            devices.map { device in
              [
                "id": .string(device.id), "name": .string(device.name),
                "fingerprint": .string(device.fingerprint), "self": .bool(device == own),
              ]
            }),
          "remotes": .array(
            remotes.map { ["name": .string($0.name), "encrypted": .bool($0.isEncrypted)] }),
        ],
        records: "devices",
        table: ReportTable(
          [
            ReportTable.Column("device", flexible: true), ReportTable.Column("words"),
            ReportTable.Column("remark"),
          ],
          rows: devices.map { device in
            [
              ReportTable.Cell(device.name), ReportTable.Cell(device.fingerprint),
              ReportTable.Cell(device == own ? "this device" : ""),
            ]
          })))
    for remote in remotes {
      context.note("\(remote.name) is \(remote.isEncrypted ? "" : "not ")encrypted")
    }
    guard let ring else {
      context.note("this device has no keys")
      return
    }
    if ring.keys.isLeftOut { context.warn("this device was let go, and needs new keys") }
    if membership?.isSplit == true {
      context.warn("\(Self.split); 'cloudsync vault rotate' ends that")
    }
  }

  /// What a person is told when two devices have let others go at once.
  static let split =
    "two devices have begun a new epoch at once, so one that was let go may still read"
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
      "cloudsync vault recovery new --recovery-code k3zp-6wqa-o7mu-2fhd-x5bt-cnye-v4sl",
      "cloudsync vault recovery new --lost",
      after: """
        The code is printed once. It opens your data on every encrypted remote of this device when \
        all your devices are gone. All of these remotes must be reachable. With the code before it, \
        everything that comes is encrypted with a new key, too. If that code is lost, --lost makes \
        one that opens your data, but with which no device can be let go.
        """))

  @OptionGroup var former: RecoveryOption
  @Flag(help: "Make a code without the one before, which is lost.") var lost = false

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let before = lost ? nil : try former.read(context, for: "a new recovery code")
    let code = try await session.renewRecovery(from: before)
    context.print(
      Report(
        "cloudsync.vault.recovery/1",
        ["recovery": .string(code.text), "remotes": .array(session.encryptedRemotes.json)],
        table: ReportTable([ReportTable.Column("recovery")], rows: [[ReportTable.Cell(code.text)]]),
        text: lost ? VaultCode.lesserPaper(code) : VaultCode.paper(code)))
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
    let code = try RecoveryOption.read(
      code, context, for: "a test", hint: "pass it as an argument")
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
}

extension [Configuration.Remote] {
  fileprivate var json: [JSON] { map { .string($0.name) } }
}
