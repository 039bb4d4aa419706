import ArgumentParser
import CommandFoundation
import SyncKit
import SyncKitEncryption
import SyncKitFormats

/// `cloudsync vault decrypt [REMOTE]`.
struct VaultDecrypt: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "decrypt",
    abstract: "Move an encrypted remote to plain, and remove what lies there encrypted.",
    discussion: examples(
      "cloudsync vault decrypt folder --unencrypted", "cloudsync vault decrypt folder --dry-run",
      "cloudsync vault decrypt folder --unencrypted --recovery-code k3zp-6wqa-o7mu-2fhd-x5bt-cnye-v4sl",
      after: """
        Whoever can read the place can read your data from then on. The first device takes the recovery \
        code, since only the owner of the vault can say so: no place and no stolen device can turn encryption \
        off. Every other device stores nothing there until you run the same command on it, which needs no \
        code; what it has not sent yet is not lost. If a run is cut off, run it again. What a drive has brought \
        encrypted meanwhile is taken in and removed when you run the command again, on any device that has the keys. \
        The place cannot be encrypted again with the same keys. An account of a server stays encrypted: make a \
        new one.
        """))

  @Argument(
    help: "The remote; it may be left out where only one is encrypted.",
    completion: remoteCompletion)
  var remote: String?
  @Flag(help: "Agree that whoever can read the place can read your data.")
  var unencrypted = false
  @Option(
    help: ArgumentHelp(
      "What the remote is called on the device that moved it, where it is called otherwise here.",
      valueName: "name"))
  var closedAs: String?
  @OptionGroup var recovery: RecoveryOption
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let decryption = try VaultDecryption(session, of: remote)
    let name = decryption.remote.name
    let isPlain = try decryption.isPlain
    let closing = try await decryption.closing(knownAs: closedAs, isDryRun: change.dryRun)
    if change.dryRun { return report(decryption, try await decryption.preview(), context) }
    guard unencrypted || isPlain else {
      throw SyncError(
        .usage,
        "whoever can read \(decryption.remote.location.url) could read your data from then on",
        hint: "if you want that, run it with --unencrypted")
    }
    guard try isPlain || consents(decryption.remote, context) else {
      return context.note("nothing was changed")
    }
    if closing == nil {
      let code = try recovery.read(context, for: "moving '\(name)' to plain")
      try await decryption.begin(by: code)
    }
    report(decryption, try await decryption.finish(), context)
    if closing == nil {
      context.note(
        "other devices are refused until 'cloudsync vault decrypt \(name) --unencrypted' there")
    }
  }

  private func consents(
    _ remote: Configuration.Remote, _ context: CommandContext
  ) throws -> Bool {
    try context.confirm(
      "Whoever can read \(remote.location.url) can read your data from then on, "
        + "and the place cannot be encrypted again. Move \(remote.name) to plain?")
  }

  private func report(
    _ decryption: VaultDecryption, _ moves: [VaultMove], _ context: CommandContext
  ) {
    let name = decryption.remote.name
    context.print(
      Report(
        "cloudsync.vault.decrypt/1",
        [
          "remote": .string(name), "dryRun": .bool(change.dryRun),
          "domains": VaultMove.json(moves),
        ],
        records: "domains",
        table: VaultMove.table(moves), text: ""))
    let amount = VaultMove.amount(moves, of: "encrypted object")
    guard !change.dryRun else {
      return context.note("would move \(name) to plain and remove \(amount)")
    }
    context.note(
      "\(name) is not encrypted" + (moves.contains { $0.removed > 0 } ? "; removed \(amount)" : ""))
    for move in moves where move.left > 0 {
      context.warn(
        "\(move.domain): left \(Plural(move.left, "segment")) encrypted on \(name), since this device does not take "
          + "that in or send it, such as what is local here; run 'cloudsync vault decrypt \(name) --unencrypted' on the "
          + "device that does")
    }
  }
}
