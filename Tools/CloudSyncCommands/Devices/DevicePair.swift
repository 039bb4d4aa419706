import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKitHTTP
import SyncKit
import SyncKitEncryption
import SyncKitText
import SyncWire

/// `cloudsync device pair`.
struct DevicePair: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "pair", abstract: "Make a code that lets another device join your account.",
    discussion: examples(
      "cloudsync device pair", "cloudsync device pair --json",
      after: """
        The code is valid for one device and ten minutes. On the other device, run 'cloudsync init \
        --join LINK', or 'cloudsync remote add NAME URL --join LINK' if cloudsync is already set \
        up there. Anyone who has the code gets your data: show it to no one else. The link \
        includes a fingerprint that is configured or given here; you have to copy a certificate \
        file yourself. Where the data is encrypted, the link also has the key for it, which the \
        server never sees; any other encrypted remote needs the key alone, with 'cloudsync init \
        --remote NAME=PLACE --code KEY'.
        """))

  @OptionGroup var server: ServerOption
  @OptionGroup var trust: TrustOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    if let remote = try place(session) { return try await invite(to: remote, session, context) }
    let trust = try trust.trust(context)
    let server = try session.server(
      server.remote, for: "pairing devices", trusting: trust)
    var key: RecoveryCode?
    if let remote = session.configuration[remote: server.name], remote.isEncrypted {
      key = try await session.invite(to: remote).code
    }
    let code = try await server.client.makePairingCode()
    let link = ServerLink(
      .join, at: server.client.address, secret: code.code, fingerprint: server.trust.fingerprint,
      key: key?.text
    ).text
    // The other device needs the certificates that this one trusts, unless the link has their fingerprint.
    let needsFile = server.trust.fingerprint == nil && server.trust.certificates != nil
    let command = "cloudsync init --join '\(link)'\(needsFile ? " --ca-file FILE" : "")"
    let expires = Timestamp.format(milliseconds: code.expires)
    context.print(
      Report(
        "cloudsync.pairing/1",
        [
          "code": .string(code.code), "link": .string(link), "expires": .string(expires),
          "key": key.map { .string($0.text) } ?? .null, "remote": .string(server.name),
          "command": .string(command),
        ],
        table: ReportTable(
          [ReportTable.Column("code"), ReportTable.Column("link"), ReportTable.Column("expires")],
          rows: [[ReportTable.Cell(code.code), ReportTable.Cell(link), ReportTable.Cell(expires)]]),
        text: text(
          code.code, key?.text, link, LocalTime.text(code.expires), command, context)))
    if needsFile, let file = server.trust.certificates {
      context.note("FILE is a copy of \(file), which this device trusts")
    }
  }

  /// The encrypted folder or file by which another device joins; nil for a server.
  private func place(_ session: Session) throws -> Configuration.Remote? {
    let remotes = session.configuration.remotes.filter { $0.isEncrypted && !$0.location.isServer }
    if let name = server.remote { return remotes.first { $0.name == name } }
    return session.configuration.remotes.contains { $0.location.isServer } ? nil : remotes.first
  }

  private func invite(
    to remote: Configuration.Remote, _ session: Session, _ context: CommandContext
  ) async throws {
    let (code, expires) = try await session.invite(to: remote)
    let shown = remote.location.shown(context.directoryRequest)
    let options = remote.location.optionsBesideAddress
    let words =
      ["--remote", ShellWords.quoted("\(remote.name)=\(shown)")] + options + ["--code", code.text]
    let command = "cloudsync init \(words.joined(separator: " "))"
    context.print(
      Report(
        "cloudsync.pairing/1",
        [
          "code": .null, "link": .null,
          "key": .string(code.text), "expires": .string(Timestamp.format(milliseconds: expires)),
          "remote": .string(remote.name), "command": .string(command),
        ],
        table: ReportTable(
          [ReportTable.Column("key"), ReportTable.Column("expires")],
          rows: [[ReportTable.Cell(code.text), ReportTable.Cell(LocalTime.text(expires))]]),
        text: picture(of: command, context)
          + Sanitized.block(
            """
            key  \(code.text)
            valid for one device until \(LocalTime.text(expires)); run there, with the place as that device sees it:
            \(command)

            """)))
    if options.contains(where: { $0.hasSuffix("=FILE") }) {
      context.note("FILE is a copy of the file that this device uses")
    }
  }

  private func text(
    _ code: String, _ key: String?, _ link: String, _ expires: String, _ command: String,
    _ context: CommandContext
  ) -> String {
    let words = Sanitized.block(
      """
      code  \(code)
      \(key.map { "key   \($0)\n" } ?? "")link  \(link)
      valid for one device until \(expires); run there:
      \(command)

      """)
    return picture(of: link, context) + words
  }

  /// A text as a QR code for a camera; empty where there is no terminal that has room for it.
  private func picture(of text: String, _ context: CommandContext) -> String {
    let terminal = context.terminal
    guard terminal.isOutputTerminal, terminal.environment["TERM"] != "dumb",
      let picture = QRCode(text), picture.width + 4 <= terminal.columns ?? 80
    else { return "" }
    return picture.terminalText + "\n"
  }
}
