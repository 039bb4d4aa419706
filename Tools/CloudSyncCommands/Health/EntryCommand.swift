import ArgumentParser
import CommandFoundation

/// The command `cloudsync health entry`.
struct EntryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "entry", abstract: "Measurements, medicines, diagnoses and other entries.",
    discussion: examples(
      "cloudsync health entry add Anna blood '120/80 mmHg'",
      "cloudsync health entry list Anna --kind weight"),
    subcommands: [EntryAdd.self, EntryList.self])
}
