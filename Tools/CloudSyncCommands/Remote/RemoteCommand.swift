import ArgumentParser
import CommandFoundation

/// `cloudsync remote`.
struct RemoteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remote", abstract: "Manage the places that devices sync through.",
    discussion: examples(
      "cloudsync remote list", "cloudsync remote add folder ~/Nextcloud/cloudsync"),
    subcommands: [RemoteList.self, RemoteAdd.self, RemoteTest.self, RemoteRemove.self],
    defaultSubcommand: RemoteList.self)
}
