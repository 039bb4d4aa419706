import ArgumentParser
import CommandFoundation

/// `cloudsync device`.
struct DeviceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "device", abstract: "List, rename, add and revoke the devices of your account.",
    discussion: examples("cloudsync device list", "cloudsync device pair"),
    subcommands: [DeviceList.self, DevicePair.self, DeviceRename.self, DeviceRevoke.self],
    defaultSubcommand: DeviceList.self)
}
