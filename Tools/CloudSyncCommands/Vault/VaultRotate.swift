import ArgumentParser
import CommandFoundation
import SyncKit
import SyncKitEncryption
import SyncKitFormats

/// `cloudsync vault rotate`.
struct VaultRotate: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate", abstract: "Encrypt what comes from now on with a new key.",
    discussion: examples(
      "cloudsync vault rotate",
      "cloudsync vault rotate --recovery-code k3zp-6wqa-o7mu-2fhd-x5bt-cnye-v4sl",
      "cloudsync vault rotate --reencrypt",
      after: """
        All devices of the vault get the new key with their next sync. Pending codes of 'device \
        pair' end; the recovery code stays. What is on the remotes already stays encrypted with the \
        key before, unless --reencrypt encrypts that again, too. If that is cut off, run it again: it \
        goes on, and takes no code. Who has made a copy before can still read the copy. To let a device \
        go, see 'cloudsync device revoke'.
        """))

  @Flag(help: "Encrypt what is on the remotes already with the new key, too.")
  var reencrypt = false
  @OptionGroup var recovery: RecoveryOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let reencryption = try reencrypt ? VaultReencryption(session) : nil
    if reencryption?.isUnfinished != true {
      let code = try recovery.read(context, for: "a new key")
      try await session.beginEpoch(
        by: code, lettingGo: [], reencrypting: reencryption?.names ?? [])
    }
    let done = try await reencryption?.perform() ?? []
    let epoch = try session.keyring()?.keys.vault.epoch ?? 1
    var keys: JSONObject = [
      "epoch": .int(Int64(clamping: epoch)),
      "remotes": .array(session.encryptedRemotes.map { .string($0.name) }),
    ]
    if reencryption != nil {
      keys["reencrypted"] = .array(
        done.map { one in
          [
            "remote": .string(one.remote), "segments": .int(Int64(one.done.objects)),
            "bytes": .int(Int64(one.done.bytes)), "left": .int(Int64(one.done.left)),
            "refused": .int(Int64(one.done.refused)),
          ]
        })
    }
    context.print(
      Report(
        "cloudsync.vault.epoch/1", keys,
        table: ReportTable(
          [ReportTable.Column("epoch", numeric: true)], rows: [[ReportTable.Cell(Int(epoch))]]),
        text: ""))
    context.note("a new key is in use; this is epoch \(epoch)")
    reencryption?.tell(done)
  }
}
