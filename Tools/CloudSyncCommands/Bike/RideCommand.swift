import ArgumentParser
import BikeService
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The command `cloudsync bike ride`.
struct RideCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ride",
    abstract: "Rides on this device, from files, services or entered by hand; they never sync.",
    discussion: examples(
      "cloudsync bike ride import export_12345.zip", "cloudsync bike ride list --sort modified",
      "cloudsync bike ride add --bike b1 --date 2026-11-20 --km 42.5 --time 1h45m"),
    subcommands: [
      RideImportCommand.self, RideAdd.self, RideList.self, RecordShow<StravaRegistration>.self,
      RideSet.self, RideRemove.self, RecordRestore<StravaRegistration>.self, RideExport.self,
    ])
}
