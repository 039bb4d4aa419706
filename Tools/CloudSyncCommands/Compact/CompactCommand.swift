import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// `cloudsync compact`.
struct CompactCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Make few the files that this device has written on the remotes.",
    discussion: examples(
      "cloudsync compact", "cloudsync compact --domain airports --dry-run",
      after: """
        Every sync keeps few what it has brought; this syncs, merges what is left at once, and \
        removes what a merged file holds as well. Nothing is forgotten, and nobody merges what other \
        devices have written. Domains kept as one document are left as they are, and those that are \
        paused are passed over.
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

/// What a compaction may do, on the command line.
struct CompactOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Only this remote.", valueName: "remote"), completion: remoteCompletion)
  var remote: [String] = []
  @OptionGroup var change: DryRunOption
}
