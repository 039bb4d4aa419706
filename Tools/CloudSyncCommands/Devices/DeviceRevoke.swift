import ArgumentParser
import Formats
import HTTPTransport
import SyncKit
import SyncWire

/// `cloudsync device revoke ID`.
struct DeviceRevoke: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Shut a lost device out of your account, within a second.",
    discussion: examples(
      "cloudsync device revoke 'Anna’s phone'",
      "cloudsync device revoke 5a0c9c1e-0f43-4a52-9a3f-8f0b6a2d7c11 --yes",
      after: """
        The device keeps what it has, and gets and sends nothing more until it is paired again. What it \
        had written and sent stays.
        """))

  @Argument(help: "The device: its id, the start of it, or its name.") var id: String
  @OptionGroup var server: ServerOption
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let server = try session.server(server.remote, for: "revoking a device")
    let device = try await found(server)
    let name = Sanitized.line(device.device.name)
    if device.isSelf, !change.dryRun,
      try !context.confirm("This is the device you are at. Shut it out?")
    {
      throw SyncError(.usage, "nothing was revoked")
    }
    if !change.dryRun {
      try await server.client.revoke(device: device.device.id)
      if device.isSelf {
        do { try StoredToken.remove(server.name, in: session.directories.data) } catch {
          // The server takes it no more, so one that stays opens nothing.
          context.warn(error.message)
        }
      }
    }
    context.print(
      Report(
        "cloudsync.device/1",
        [
          "id": .string(device.device.id), "name": .string(device.device.name),
          "revoked": .bool(!change.dryRun), "dryRun": .bool(change.dryRun),
        ],
        table: Table(
          [Table.Column("id"), Table.Column("name")],
          rows: [[Table.Cell(device.device.id), Table.Cell(name)]]), text: ""))
    context.note("\(change.dryRun ? "would revoke" : "revoked") '\(name)'")
  }

  private func found(_ server: Session.Server) async throws -> WireDevice {
    let devices = Meant<WireDevice>(
      id: { $0.device.id }, name: { $0.device.name }, plural: "devices",
      list: "cloudsync device list")
    return try devices.one(id, of: try await server.client.devices()) {
      "the account has no device '\($0)'"
    }
  }
}
