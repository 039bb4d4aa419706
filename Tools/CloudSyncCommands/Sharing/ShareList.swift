import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit
import SyncWire

/// `cloudsync share list`.
struct ShareList: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List what you share and what is shared with you.",
    discussion: examples("cloudsync share list", "cloudsync share list --json"))

  @OptionGroup var server: ServerOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let shares = try await Session(context).shares(server.remote)
    var listing = context.listing(
      "cloudsync.shares/1", records: "shares", columns: PersonalShare.columns)
    for (share, server) in shares {
      listing.add(.object(share.document(on: server.name)), share.cells)
    }
    listing.finish()
    if shares.isEmpty { context.note("nothing is shared; only you see your records") }
  }
}
