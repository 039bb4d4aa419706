import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKitHTTP
import SyncKit
import SyncWire

/// `cloudsync share accept URL`.
struct ShareAccept: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept", abstract: "Take part in what somebody shares with you.",
    discussion: examples(
      "cloudsync share accept 'https://sync.example.org/share#csi_…'",
      "cloudsync share accept - < link.txt",
      after: """
        The link must be one of a server whose account you have joined: a link of any other host is \
        refused, and nothing is sent there. '-' reads it from standard input, so that it stays out of \
        the shell's history.
        """))

  @Argument(help: ArgumentHelp("The link, in quotes; - for standard input.", valueName: "url"))
  var url: String
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let link = try link(context)
    guard
      let remote = session.serverRemotes.first(where: { remote in
        ServerAddress(remote.location.url) == link.server
      })
    else {
      throw SyncError(
        .shareOtherHost, "the link leads to \(link.server), which is none of your servers",
        hint: session.serverRemotes.isEmpty
          ? "join an account there first, with 'cloudsync remote add NAME URL --join CODE'"
          : "yours: \(session.serverRemotes.map(\.location.url).joined(separator: ", "))")
    }
    let server = try session.server(remote)
    let share = try await server.client.accept(invitation: link.secret)
    context.print(share, on: server.name)
    try await bring(share, server, session)
  }

  private func link(_ context: CommandContext) throws -> ServerLink {
    var text = url
    if text == "-" {
      do {
        text = String(decoding: try context.terminal.readAll().prefix(4_096), as: UTF8.self)
      } catch {
        throw SyncError(error)
      }
    }
    let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    guard let link = ServerLink(line.trimmingSpaces), link.purpose == .share else {
      throw SyncError(
        .usage, "this is no link to a share",
        hint:
          "it looks like https://HOST/share#csi_…; put it in quotes, or the shell cuts it at '#'")
    }
    return link
  }

  /// Brings what is shared at once, where the domain is in use.
  private func bring(
    _ share: WireShare, _ server: Session.Server, _ session: Session
  ) async throws {
    guard session.enabledDomains.contains(share.domain),
      session.remoteNames(of: share.domain).contains(server.name)
    else {
      session.context.warn(
        "the domain '\(Sanitized.line(share.domain))' does not meet '\(server.name)' on this device;"
          + " what is shared comes when it does")
      return
    }
    try await session.exchange(share.domain, with: server.name)
  }
}

extension SyncError.Code {
  /// An invitation of a server that this device has no account at.
  static let shareOtherHost = Self("share.other-host", exit: 77)
}
