import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKitHTTP
import SyncKit
import SyncWire

/// `cloudsync device rename NAME`.
struct DeviceRename: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Rename this device, here and on its servers.",
    discussion: examples(
      "cloudsync device rename laptop", "cloudsync device rename 'Anna’s phone' --dry-run"))

  @Argument(help: "The new name.") var name: String
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let name = name.trimmingSpaces
    try Self.check(name)
    let session = try Session(context)
    try session.requireSetUp()
    let device = try session.device()
    _ = try renamed(context, to: name).resolved()
    if !change.dryRun {
      // The servers first: an unreachable one leaves everything as it was.
      for remote in session.serverRemotes {
        try await session.server(remote).client.rename(device: device.id, to: name)
      }
      // Reads the file again, since others may have changed it during the requests.
      try await renamed(context, to: name).save()
    }
    context.print(
      Report(
        "cloudsync.device/1",
        ["id": .string(device.id), "name": .string(name), "dryRun": .bool(change.dryRun)],
        table: ReportTable(
          [ReportTable.Column("id"), ReportTable.Column("name")],
          rows: [[ReportTable.Cell(device.id), ReportTable.Cell(name)]]), text: ""))
    context.note("\(change.dryRun ? "would rename" : "renamed") this device to '\(name)'")
  }

  /// Refuses a name that no server accepts, or that is too long for lists.
  static func check(_ name: String) throws(SyncError) {
    guard !name.isEmpty, name.utf8.count <= 100 else {
      throw SyncError(.usage, "a device's name must have 1 to 100 bytes")
    }
    guard PersonName.isGood(name) else {
      throw SyncError(
        .usage, "this cannot be a device's name", hint: "a name is \(PersonName.rule)")
    }
  }

  /// The configuration with the name.
  private func renamed(_ context: CommandContext, to name: String) throws -> ConfigFile {
    var file = try ConfigFile(context)
    if !file.exists { try file.set(["version"], to: "1") }
    try file.set(["device", "name"], to: YAMLText.scalar(name))
    return file
  }
}
