import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKitHTTP
import SyncKit
import SyncKitEncryption
import SyncWire

/// `cloudsync device revoke ID`.
struct DeviceRevoke: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "End a lost device's access to your data.",
    discussion: examples(
      "cloudsync device revoke 'Anna’s phone'",
      "cloudsync device revoke phone --recovery-code k3zp-6wqa-o7mu-2fhd-x5bt-cnye-v4sl",
      "cloudsync device revoke 5a0c9c1e-0f43-4a52-9a3f-8f0b6a2d7c11 --yes",
      after: """
        A server refuses the device within a second. Where remotes are encrypted, everything that \
        comes is encrypted with a new key, which the other devices get with their next sync; that \
        takes the recovery code, so that nobody can do it with a stolen device. \
        The device keeps its data, but receives and sends nothing more until it is paired again. \
        What it has already sent stays. Tokens, codes and invitations that it made are revoked as \
        well. Devices and people that joined through them stay, and the output names them; \
        --with-joined revokes such devices too, and in turn those that joined through theirs.
        """))

  @Argument(help: "The device: its id, the start of it, or its name.") var id: String
  @Flag(help: "Also revoke devices that joined with its codes.") var withJoined = false
  @OptionGroup var recovery: RecoveryOption
  @OptionGroup var server: ServerOption
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let departure = VaultDeparture(
      session: session, recovery: recovery, isDryRun: change.dryRun)
    if server.remote == nil, session.serverRemotes.isEmpty, !session.encryptedRemotes.isEmpty {
      let device = try await session.vaultDevice(id, isDryRun: change.dryRun)
      try await departure.perform([device])
      return departure.report(device)
    }
    let server = try session.server(server.remote, for: "revoking a device")
    let device: WireDevice
    do { device = try await found(server) } catch let error as SyncError
      where error.code == .notFound && !session.encryptedRemotes.isEmpty
    {
      // The server may have let it go before.
      guard let device = try? await session.vaultDevice(id, isDryRun: change.dryRun) else {
        throw error
      }
      try await departure.perform([device])
      return departure.report(device)
    }
    if device.isSelf, !change.dryRun,
      try !context.confirm("This is the device that you are using. Revoke it?")
    {
      throw SyncError(.usage, "nothing was revoked")
    }
    let revoked = try await revoke(device, server)
    if revoked.contains(where: { $0.device.isSelf }), !change.dryRun {
      do { try StoredToken.remove(server.name, in: session.directories.data) } catch {
        // The server no longer accepts it, so a leftover token is harmless.
        context.warn(error.message)
      }
    }
    context.print(
      Report(
        "cloudsync.device/1",
        [
          "id": .string(device.device.id), "name": .string(device.device.name),
          "revoked": .bool(!change.dryRun), "dryRun": .bool(change.dryRun),
          "ended": revoked[0].ended.document,
          "withJoined": .array(
            revoked.dropFirst().map { revoked in
              var document = revoked.device.device.json.object ?? [:]
              document["ended"] = revoked.ended.document
              return .object(document)
            }),
        ],
        table: ReportTable(
          [ReportTable.Column("id"), ReportTable.Column("name")],
          rows: revoked.map {
            [ReportTable.Cell($0.device.device.id), ReportTable.Cell($0.device.device.name)]
          }),
        text: ""))
    let ids = Set(revoked.map { $0.device.device.id })
    for (device, ended) in revoked {
      let name = Sanitized.line(device.device.name)
      context.note("\(change.dryRun ? "would revoke" : "revoked") '\(name)'")
      var ended = ended
      ended.joined.removeAll { ids.contains($0.id) }
      context.tell(ended, of: name, isRehearsal: change.dryRun)
    }
    guard !revoked.contains(where: { $0.device.isSelf }) else { return }
    do {
      let departing = try await session.vaultDevices(ids, isDryRun: change.dryRun)
      if !departing.isEmpty { try await departure.perform(departing) }
    } catch let error as SyncError {
      throw SyncError(
        error.code,
        "the server refuses the device from now on, but it still has the keys: \(error.message)",
        hint: "run 'cloudsync device revoke \(id)' again with --recovery-code")
    }
  }

  /// Revokes the device, and those that joined by its codes where that is wanted; the device at hand comes
  /// last, as nothing can be asked after it.
  private func revoke(
    _ device: WireDevice, _ server: Session.Server
  ) async throws -> [(device: WireDevice, ended: Ended)] {
    var devices = [device]
    if withJoined {
      let all = try await server.client.devices()
      var index = 0
      while index < devices.count {
        let made = try await server.client.made(byDevice: devices[index].device.id)
        devices += made.joined.compactMap { joined in
          all.first { $0.device.id == joined.id && !devices.contains($0) }
        }
        index += 1
      }
    }
    var revoked: [(device: WireDevice, ended: Ended)] = []
    for device in devices.filter({ !$0.isSelf }) + devices.filter(\.isSelf) {
      let id = device.device.id
      revoked.append(
        (
          device,
          change.dryRun
            ? try await server.client.made(byDevice: id)
            : try await server.client.revoke(device: id)
        ))
    }
    let order = devices.map(\.device.id)
    return revoked.sorted {
      (order.firstIndex(of: $0.device.device.id) ?? 0)
        < (order.firstIndex(of: $1.device.device.id) ?? 0)
    }
  }

  private func found(_ server: Session.Server) async throws -> WireDevice {
    let devices = NameResolver<WireDevice>(
      id: { $0.device.id }, name: { $0.device.name }, plural: "devices",
      list: "cloudsync device list")
    return try devices.one(id, of: try await server.client.devices()) {
      "the account has no device '\($0)'"
    }
  }
}
