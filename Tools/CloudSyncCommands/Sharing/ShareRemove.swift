import ArgumentParser
import CommandFoundation
import SyncKitHTTP
import SyncKit
import SyncWire

/// `cloudsync share remove SHARE PERSON`.
struct ShareRemove: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Take somebody's part in a share away.",
    discussion: examples(
      "cloudsync share remove Anna Ben", "cloudsync share remove Weekend Carl --json",
      after: """
        From the next byte on the guest gets and sends nothing more. What has come to the guest's \
        devices stays there, to be read: nobody can take back what was seen.
        """))

  @Argument(help: "The share: its title or id.") var share: String
  @Argument(help: "Who: the name or id of a participant.") var person: String
  @OptionGroup var server: ServerOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    var (share, server) = try await session.share(share, server.remote, isOwn: true)
    let person = try share.participant(person)
    try await server.client.remove(participant: person.id, from: share.id)
    share.participants = share.participants.map { participant in
      var participant = participant
      if participant.id == person.id { participant.state = .removed }
      return participant
    }
    context.print(share, on: server.name)
  }
}
