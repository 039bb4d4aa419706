import ArgumentParser
import Formats
import SyncKit

/// `cloudsync remote test NAME`.
struct RemoteTest: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Find out whether a remote is there and ours; change nothing.",
    discussion: examples("cloudsync remote test folder", "cloudsync remote test folder --json"))

  @Argument(help: "The remote.", completion: remoteCompletion) var name: String
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    guard let configured = session.configuration[remote: name] else {
      throw SyncError.unknownName("remote", name, among: session.configuration.remotes.map(\.name))
    }
    var options = SyncOptions()
    options.isDryRun = true
    var segments = 0
    var notes: [String] = []
    for domain in session.enabledDomains where session.remoteNames(of: domain).contains(name) {
      let remote = try session.remote(configured, for: domain)
      try await SyncEngine(store: session.store(domain), remotes: [remote]).attach(options)
      let inventory = try await remote.transport.inventory(of: domain)
      segments += inventory.segments.count
      notes += inventory.notes
    }
    context.print(
      Report(
        "cloudsync.remote-test/1",
        [
          "name": .string(name), "url": .string(configured.location.url), "reachable": true,
          "segments": .int(Int64(segments)), "notes": .array(notes.map { .string($0) }),
        ],
        table: Table(
          [Table.Column("name"), Table.Column("url"), Table.Column("segments", numeric: true)],
          rows: [[Table.Cell(name), Table.Cell(configured.location.url), Table.Cell(segments)]])))
    for note in notes { context.warn(note) }
  }
}
