import ArgumentParser
import CommandFoundation
import SyncKit
import SyncKitEncryption
import SyncKitFormats

/// `cloudsync vault encrypt [REMOTE]`.
struct VaultEncrypt: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "encrypt",
    abstract: "Encrypt a remote that is in use, and remove what lies there in plain.",
    discussion: examples(
      "cloudsync vault encrypt folder", "cloudsync vault encrypt folder --dry-run",
      "cloudsync vault encrypt folder --code k3zp-6wqa-o7mu-2fhd-x5bt-cnye-v4sl",
      after: """
        The first device stores everything again, encrypted, and then removes what lay there before. \
        From then on the remote takes nothing in plain: run the same command on each other device, with \
        the key that 'cloudsync device pair' prints on one that has it. What a device has not sent yet is \
        not lost. What a drive has brought in plain meanwhile is taken in and removed when you run the command \
        again, on any device; it asks first, or takes --yes. Backups and versions that the place's provider keeps are not \
        reached. A server's account cannot be encrypted later: make a new one.
        """))

  @Argument(
    help: "The remote; it may be left out where only one is not encrypted.",
    completion: remoteCompletion)
  var remote: String?
  @Option(
    help: ArgumentHelp(
      "The key of 'device pair', or the recovery code, where another device was first.",
      valueName: "code"))
  var code: String?
  @OptionGroup var passphrase: PassphraseOption
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let conversion = try VaultConversion(session, to: remote)
    if change.dryRun { return report(conversion, nil, try await conversion.preview(), context) }
    var takesIn = true
    if try conversion.isRepeated {
      let count = try await conversion.preview().reduce(0) { $0 + $1.removed }
      takesIn = count > 0
      guard try !takesIn || consents(conversion.remote.name, count, context) else {
        return context.note("nothing was changed")
      }
    }
    let opening = try session.opening(code, passphrase)
    let recovery = try await conversion.begin(by: opening)
    // At once: it is nowhere else, and the rest takes a while.
    if let recovery, context.format == .table {
      context.terminal.output.write(VaultCode.paper(recovery))
    }
    do {
      try await conversion.configure()
      report(conversion, recovery, takesIn ? try await conversion.finish() : [], context)
    } catch {
      if let recovery, context.format != .table { context.warn(VaultCode.paper(recovery)) }
      throw error
    }
  }

  /// Whether a person says that what lies in plain on a remote that was encrypted before is to count.
  private func consents(
    _ name: String, _ count: Int, _ context: CommandContext
  ) throws -> Bool {
    try context.confirm(
      "\(Plural(count, "segment")) in plain on \(name) may come from anyone who can write there. "
        + "Take in what they hold, and remove them there?")
  }

  private func report(
    _ conversion: VaultConversion, _ recovery: RecoveryCode?, _ moves: [VaultMove],
    _ context: CommandContext
  ) {
    let name = conversion.remote.name
    context.print(
      Report(
        "cloudsync.vault.encrypt/1",
        [
          "remote": .string(name), "recovery": recovery.map { .string($0.text) } ?? .null,
          "dryRun": .bool(change.dryRun),
          "domains": VaultMove.json(moves),
        ],
        records: "domains",
        table: VaultMove.table(moves), text: recovery == nil ? nil : ""))
    let amount = VaultMove.amount(moves, of: "segment", " in plain")
    let isNew = !conversion.remote.isEncrypted
    guard !change.dryRun else {
      return context.note("would \(isNew ? "encrypt \(name) and " : "")remove \(amount)")
    }
    context.note(
      "\(name) is encrypted" + (moves.contains { $0.removed > 0 } ? "; removed \(amount)" : ""))
    for move in moves where move.left > 0 {
      context.warn(
        "\(move.domain): left \(Plural(move.left, "segment")) in plain on \(name), since this device does not take "
          + "that in or send it, such as what is local here; run 'cloudsync vault encrypt \(name)' on the device that does"
      )
    }
    if isNew {
      context.note(
        "other devices are refused until 'cloudsync vault encrypt \(name)' there; one without keys adds --code KEY, with "
          + "a key of 'cloudsync device pair' here")
    }
  }
}
