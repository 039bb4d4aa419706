import ArgumentParser
import CommandFoundation
import SyncKit

/// The command `cloudsync history list`.
struct HistoryList: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List batches, newest first.",
    discussion: examples(
      "cloudsync history list --since 7d", "cloudsync history list --record mapping/JFK --json",
      "cloudsync history list --domain airports --device laptop --limit 0",
      after: """
        A batch is what one command has done. Its id is the same on every device; 'cloudsync undo' \
        takes it back.
        """))

  @Option(
    help: ArgumentHelp("Only this domain.", valueName: "domain"),
    completion: .list(DomainRegistry.names))
  var domain: [String] = []
  @OptionGroup var options: HistoryOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let domains = try domain.map { try DomainRegistry.stored($0).name }
    try HistoryListing(session: session, options: options)
      .print(domains.isEmpty ? session.enabledStores : domains)
  }
}

/// The command `cloudsync <domain> history`.
struct RecordHistory<D: DomainRegistration>: ContextCommand {
  static var configuration: CommandConfiguration {
    let name = D.domain.name
    return CommandConfiguration(
      commandName: "history", abstract: "List what was done, newest first.",
      discussion: examples(
        "cloudsync \(name) history", "cloudsync \(name) history --record \(D.example.id) --json"))
  }

  @OptionGroup var options: HistoryOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try HistoryListing(session: Session(context), options: options).print(
      [D.domain.name] + D.localStores.map { $0.name })
  }
}
