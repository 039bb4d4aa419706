import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKitHTTP
import SyncKit
import SyncWire

/// `cloudsync device pair`.
struct DevicePair: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "pair", abstract: "Make a code that lets another device join your account.",
    discussion: examples(
      "cloudsync device pair", "cloudsync device pair --json",
      after: """
        The code is valid for one device and ten minutes. On the other device, run 'cloudsync init \
        --join LINK', or 'cloudsync remote add NAME URL --join CODE' if cloudsync is already set \
        up there. Anyone who has the code gets your data: show it to no one else. The link \
        includes a fingerprint that is configured or given here; you have to copy a certificate \
        file yourself.
        """))

  @OptionGroup var server: ServerOption
  @OptionGroup var trust: TrustOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let trust = try trust.trust(context)
    let server = try session.server(
      server.remote, for: "pairing devices", trusting: trust)
    let code = try await server.client.makePairingCode()
    let link = ServerLink(
      .join, at: server.client.address, secret: code.code, fingerprint: server.trust.fingerprint
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
          "remote": .string(server.name),
        ],
        table: ReportTable(
          [ReportTable.Column("code"), ReportTable.Column("link"), ReportTable.Column("expires")],
          rows: [[ReportTable.Cell(code.code), ReportTable.Cell(link), ReportTable.Cell(expires)]]),
        text: text(code.code, link, LocalTime.text(code.expires), command, context)))
    if needsFile, let file = server.trust.certificates {
      context.note("FILE is a copy of \(file), which this device trusts")
    }
  }

  private func text(
    _ code: String, _ link: String, _ expires: String, _ command: String,
    _ context: CommandContext
  ) -> String {
    let words = Sanitized.block(
      """
      code  \(code)
      link  \(link)
      valid for one device until \(expires); run there:
      \(command)

      """)
    let terminal = context.terminal
    guard terminal.isOutputTerminal, terminal.environment["TERM"] != "dumb",
      let picture = QRCode(link), picture.width + 4 <= terminal.columns ?? 80
    else { return words }
    return picture.terminalText + "\n" + words
  }
}
