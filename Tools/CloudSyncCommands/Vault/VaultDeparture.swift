import CommandFoundation
import SyncKit
import SyncKitEncryption
import SyncKitFormats

/// Lets devices of an encrypted vault go.
struct VaultDeparture {
  let session: Session
  let recovery: RecoveryOption
  let isDryRun: Bool

  /// Lets devices go: what comes from now on is encrypted with a key that they do not get, and what they store from now on
  /// is left out.
  ///
  /// - Throws: ``SyncError`` `usage` without a recovery code, `crypto.wrong-code` for another one, and of the sync before
  ///   it: what the device has stored and this one does not have would count no more.
  func perform(_ devices: [VaultDevice]) async throws {
    let context = session.context
    if try devices.contains(where: { try $0 == session.keyring()?.keys.device }) {
      throw SyncError(
        .usage, "this is the device that you are using",
        hint: "let it go from another device of the vault")
    }
    if !isDryRun {
      let code = try recovery.read(context, for: "letting a device go")
      let plan = try SyncPlan(
        session.configuration, enabled: session.enabledDomains, jobs: [], domains: [], remotes: [])
      let jobs = await SyncRun(session, .usual).run(plan)
      if let error = SyncRun.failure(of: jobs) { throw error }
      try await session.beginEpoch(by: code, lettingGo: devices)
    }
    for device in devices {
      context.note(
        "\(isDryRun ? "would let" : "let") '\(Sanitized.line(device.name))' go: it keeps what it has, and can read and "
          + "write nothing new")
    }
  }

  /// Prints one device that was let go, where no server has an account of it.
  func report(_ device: VaultDevice) {
    session.context.print(
      Report(
        "cloudsync.device/1",
        [
          "id": .string(device.id), "name": .string(device.name),
          "fingerprint": .string(device.fingerprint), "revoked": .bool(!isDryRun),
          "dryRun": .bool(isDryRun),
        ],
        table: ReportTable(
          [ReportTable.Column("id"), ReportTable.Column("name")],
          rows: [[ReportTable.Cell(device.id), ReportTable.Cell(device.name)]]), text: ""))
  }
}
