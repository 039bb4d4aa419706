import ArgumentParser
import CommandFoundation
import SyncKitHTTP
import SyncKit
import SyncWire

/// `cloudsync share remove SHARE PERSON`.
struct ShareRemove: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a participant from a share.",
    discussion: examples(
      "cloudsync share remove Anna Ben", "cloudsync share remove Weekend Carl --json",
      after: """
        From the next byte on, the guest can neither receive nor send anything. Data already on \
        the guest's devices stays readable there.
        """))

  @Argument(help: "The share: its title or id.") var share: String
  @Argument(help: "The name or id of the participant.") var person: String
  @OptionGroup var server: ServerOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    var (share, server) = try await session.share(share, server.remote, isOwn: true)
    let person = try share.participant(person)
    try await session.remove(person.id, from: share, server)
    share.participants = share.participants.map { participant in
      var participant = participant
      if participant.id == person.id { participant.state = .removed }
      return participant
    }
    context.print(share, on: server.name)
  }
}
