import ArgumentParser
import CommandFoundation

/// The command `cloudsync health subject`.
struct SubjectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "subject", abstract: "People and pets.",
    discussion: examples(
      "cloudsync health subject add 'Anna Schmidt' personalBirthdate=1980-02-29",
      "cloudsync health subject list"),
    subcommands: [SubjectAdd.self, SubjectList.self])
}
