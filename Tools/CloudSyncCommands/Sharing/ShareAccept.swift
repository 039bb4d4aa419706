import LocalMachine
import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKitHTTP
import SyncKit
import SyncKitEncryption
import SyncWire

/// `cloudsync share accept URL`.
struct ShareAccept: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept", abstract: "Accept an invitation to a share.",
    discussion: examples(
      "cloudsync share accept 'https://sync.example.org/share#csi_…'",
      "cloudsync share accept - < link.txt",
      after: """
        The link must come from a server where you have an account: a link of any other host is \
        refused, and nothing is sent there. '-' reads it from standard input, which keeps it out \
        of the shell's history.
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
        .shareOtherHost, "the link leads to \(link.server), which is not one of your servers",
        hint: session.serverRemotes.isEmpty
          ? "join an account there first, with 'cloudsync remote add NAME URL --join CODE'"
          : "yours: \(session.serverRemotes.map(\.location.url).joined(separator: ", "))")
    }
    let server = try session.server(remote)
    guard remote.isEncrypted == (link.key != nil) else {
      throw SyncError(
        .shareEncrypted,
        remote.isEncrypted
          ? "what is shared is not encrypted, and your account on '\(remote.name)' is"
          : "what is shared is encrypted, and your account on '\(remote.name)' is not",
        hint: remote.isEncrypted
          ? "ask for an invitation from an encrypted account; nothing was accepted"
          : "encrypt your account with 'cloudsync vault encrypt \(remote.name)', then accept")
    }
    let share: PersonalShare
    if let key = link.key {
      share = try await session.accept(link, RecoveryCode(typed: key), on: remote)
    } else {
      share = PersonalShare(try await server.client.accept(invitation: link.secret))
    }
    context.print(share, on: server.name)
    if share.isUnverified(PersonalShare.owner) {
      context.note(
        "to be sure whose record it is, compare words: 'cloudsync share verify \(share.id)'")
    }
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
        .usage, "this is not a link to a share",
        hint:
          "it looks like https://HOST/share#csi_…; put it in quotes, or the shell cuts it at '#'")
    }
    return link
  }

  /// Fetches the shared records at once, if the domain is in use.
  private func bring(
    _ share: PersonalShare, _ server: Session.Server, _ session: Session
  ) async throws {
    guard session.enabledDomains.contains(share.domain),
      session.remoteNames(of: share.domain).contains(server.name)
    else {
      session.context.warn(
        "the domain '\(Sanitized.line(share.domain))' does not sync with '\(server.name)' on this device;"
          + " the shared records arrive once it does")
      return
    }
    try await session.exchange(share.domain, with: server.name)
  }
}

extension SyncError.Code {
  /// An invitation from a server where this device has no account.
  static let shareOtherHost = Self("share.other-host", exit: 77)
  /// Of a share and the account that is to take part, one is encrypted and one is not.
  static let shareEncrypted = Self("share.encrypted", exit: 78)
}
