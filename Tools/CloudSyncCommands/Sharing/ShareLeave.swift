import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKitHTTP
import SyncKit
import SyncKitEncryption
import SyncWire

/// `cloudsync share leave SHARE`.
struct ShareLeave: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "leave", abstract: "Leave a share and remove its records from all your devices.",
    discussion: examples(
      "cloudsync share leave Anna", "cloudsync share leave Weekend --yes",
      after: """
        The records disappear here at once and do not come back, unless you are invited again. \
        Unsent edits stop the command (77) unless you use --discard-unsent.
        """))

  @Argument(help: "The share: its title or id.") var share: String
  @Flag(help: "Discard unsent edits.") var discardUnsent = false
  @OptionGroup var server: ServerOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    var (share, server) = try await session.share(share, server.remote, isOwn: false)
    let title = Sanitized.line(share.title)
    if !discardUnsent { try refuseUnsent(in: share, session) }
    guard try context.confirm("Remove '\(title)' and everything below it from your devices?") else {
      throw SyncError(.usage, "nothing was changed")
    }
    // The server first: a share that ends only here would come back.
    if share.role == .reader || share.role == .writer {
      guard let own = share.participants.first(where: { $0.state != .removed }) else {
        throw SyncError(.notFound, "you do not take part in '\(title)'")
      }
      try await server.client.remove(participant: own.id, from: share.id)
    }
    if share.isEncrypted, let remote = session.configuration[remote: server.name],
      DomainRegistry.names.contains(share.domain)
    {
      let place = share.place
      try await session.change(on: remote, for: share.domain) {
        [environment = session.environment] in $0.leave(place, from: environment)
      }
    }
    if DomainRegistry.names.contains(share.domain) {
      let store = try session.store(share.domain)
      if let access = try store.access(to: share.zone), access.role.isGuest {
        // It was asked for above, before the server was told.
        try store.leave(share.zone, discardingUnsent: true)
      }
    }
    share.role = .left
    context.print(share, on: server.name, text: "left '\(title)'\n")
  }

  /// Refuses to remove edits that only this device has.
  private func refuseUnsent(in share: PersonalShare, _ session: Session) throws {
    guard DomainRegistry.names.contains(share.domain) else { return }
    let store = try session.store(share.domain)
    guard try store.access(to: share.zone)?.role.isGuest == true else { return }
    let count = try store.unsentChanges(
      in: share.zone, remotes: session.remoteNames(of: share.domain))
    guard count > 0 else { return }
    throw SyncError(
      .storeUnsent,
      "\(Plural(count, "change")) to '\(Sanitized.line(share.title))' \(count == 1 ? "was" : "were") "
        + "not sent and would be lost",
      hint:
        "run 'cloudsync sync' or 'cloudsync \(share.domain) export' first, or use --discard-unsent")
  }
}
