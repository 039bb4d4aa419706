import ArgumentParser
import HTTPTransport
import SyncKit
import SyncWire

/// `cloudsync share leave SHARE`.
struct ShareLeave: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "leave", abstract: "Be rid of what somebody shares with you, on all your devices.",
    discussion: examples(
      "cloudsync share leave Anna", "cloudsync share leave Weekend --yes",
      after: "It is removed here at once and does not come back, unless you are invited again."))

  @Argument(help: "The share: its title or id.") var share: String
  @OptionGroup var server: ServerOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    var (share, server) = try await session.share(share, server.remote, isOwn: false)
    let title = Sanitized.line(share.title)
    guard try context.confirm("Remove '\(title)' and all below it from your devices?") else {
      throw SyncError(.usage, "nothing was changed")
    }
    // The server first: a part that ends only here would come back.
    if share.role == .reader || share.role == .writer {
      guard let own = share.participants.first(where: { $0.state != .removed }) else {
        throw SyncError(.notFound, "you have no part in '\(title)'")
      }
      try await server.client.remove(participant: own.id, from: share.id)
    }
    if DomainRegistry.names.contains(share.domain) {
      let store = try session.store(share.domain)
      if let access = try store.access(to: share.zone), access.role.isGuest {
        try store.leave(share.zone)
      }
    }
    share.role = .left
    context.print(share, on: server.name, text: "left '\(title)'\n")
  }
}
