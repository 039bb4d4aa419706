import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKitHTTP
import SyncKit
import SyncWire

/// `cloudsync share stop SHARE`.
struct ShareStop: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop", abstract: "Stop sharing a record with everyone; it stays yours.",
    discussion: examples("cloudsync share stop Anna", "cloudsync share stop Weekend --yes"))

  @Argument(help: "The share: its title or id.") var share: String
  @OptionGroup var server: ServerOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    var (share, server) = try await session.share(share, server.remote, isOwn: true)
    let guests = share.participants.count { $0.state != .removed }
    if guests > 0, context.mayAsk {
      let title = Sanitized.line(share.title)
      guard try context.confirm("Take '\(title)' away from \(Plural(guests, "person", "people"))?")
      else {
        throw SyncError(.usage, "nothing was changed")
      }
    }
    try await server.client.stopSharing(share.id)
    try await session.set(share.participants.map(\.id), mayWrite: nil, in: share, server)
    share.participants = []
    if session.enabledDomains.contains(share.domain),
      session.remoteNames(of: share.domain).contains(server.name)
    {
      try await session.exchange(share.domain, with: server.name)
    }
    context.print(share, on: server.name)
  }
}
