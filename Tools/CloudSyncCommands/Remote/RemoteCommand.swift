import ArgumentParser
import CommandFoundation

/// `cloudsync remote`.
struct RemoteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remote", abstract: "Manage the places where devices meet.",
    discussion: examples(
      "cloudsync remote list", "cloudsync remote add folder file:~/Nextcloud/cloudsync"),
    subcommands: [RemoteList.self, RemoteAdd.self, RemoteTest.self, RemoteRemove.self],
    defaultSubcommand: RemoteList.self)
}
