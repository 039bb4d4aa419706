import ArgumentParser
import CommandFoundation
import SyncKitHTTP
import SyncKit
import SyncWire

/// `cloudsync share role SHARE PERSON reader|writer`.
struct ShareRole: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "role", abstract: "Make a participant a reader or a writer.",
    discussion: examples(
      "cloudsync share role Anna Ben writer", "cloudsync share role Weekend Carl reader --json"))

  @Argument(help: "The share: its title or id.") var share: String
  @Argument(help: "The name or id of the participant.") var person: String
  @Argument(help: "reader or writer.") var role: GuestRole
  @OptionGroup var server: ServerOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    var (share, server) = try await session.share(share, server.remote, isOwn: true)
    let person = try share.participant(person)
    let changed = try await server.client.setRole(role.value, of: person.id, in: share.id)
    try await session.set([person.id], mayWrite: role.value == .writer, in: share, server)
    share.participants = share.participants.map { known in
      var known = known
      if known.id == changed.id { known.role = changed.role }
      return known
    }
    context.print(share, on: server.name)
  }
}
