import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// `cloudsync compact`.
struct CompactCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Compact this device's files on its remotes.",
    discussion: examples(
      "cloudsync compact", "cloudsync compact --domain airports --dry-run",
      after: """
        Every sync compacts as it goes; this command syncs, merges the remaining small segments at \
        once, and removes those that a merged one contains. No data is lost, and each device \
        compacts only the files that it has written. Domains kept as one document and paused \
        domains are skipped.
        Exit status: that of a sync.
        """))

  @Option(help: ArgumentHelp("Only this domain.", valueName: "domain"))
  var domain: [String] = []
  @OptionGroup var options: CompactOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try await CompactRun(Session(context), options).perform(domains: domain)
  }
}

/// `cloudsync <domain> compact`.
struct DomainCompact<D: DomainRegistration>: ContextCommand {
  static var configuration: CommandConfiguration {
    let name = D.domain.name
    return CommandConfiguration(
      commandName: "compact", abstract: "The same as 'cloudsync compact --domain \(name)'.",
      discussion: examples("cloudsync \(name) compact", "cloudsync \(name) compact --dry-run"))
  }

  @OptionGroup var options: CompactOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try await CompactRun(Session(context), options).perform(domains: [D.domain.name])
  }
}

/// The options of a compaction.
struct CompactOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Only this remote.", valueName: "remote"), completion: remoteCompletion)
  var remote: [String] = []
  @OptionGroup var change: DryRunOption
}
