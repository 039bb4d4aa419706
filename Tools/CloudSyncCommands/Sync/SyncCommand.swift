import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// `cloudsync sync [JOB…]`.
struct SyncCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Sync this device with its remotes.",
    discussion: examples(
      "cloudsync sync",
      "cloudsync sync --domain airports --remote folder",
      "cloudsync sync quick --fail-on-conflict",
      "cloudsync sync --dry-run --json",
      after: """
        Without arguments, every enabled domain syncs with all of its remotes. Without a terminal, a \
        successful run prints nothing, so cron sends no mail. A device without a remote says so and ends \
        with 0.
        Exit status: 0 success; 3 several jobs failed in different ways; 4 a conflict needs a decision \
        and --fail-on-conflict was given; 69 a remote is unavailable; 75 another run is in progress; 77 \
        refused because of the marker, the vault or the mass-delete guard; 78 this device was never set up.
        """))

  @Argument(help: ArgumentHelp("Run these jobs of the configuration.", valueName: "job"))
  var jobs: [String] = []
  @Flag(help: "Sync every enabled domain with all its remotes; the default.")
  var all = false
  @Option(name: [.long], help: ArgumentHelp("Only this domain.", valueName: "domain"))
  var domain: [String] = []
  @OptionGroup var options: SyncRunOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    guard jobs.isEmpty || !all else {
      throw ValidationError("--all and names of jobs cannot be used together")
    }
  }

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    try await session.enter()
    let plan = try SyncPlan(
      session.configuration, enabled: session.enabledDomains, jobs: jobs, domains: domain,
      remotes: options.remote)
    try await SyncRun(session, options).perform(plan, names: jobs)
  }
}

/// `cloudsync <domain> sync`.
struct DomainSync<D: DomainRegistration>: ContextCommand {
  static var configuration: CommandConfiguration {
    let name = D.domain.name
    return CommandConfiguration(
      commandName: "sync", abstract: "The same as 'cloudsync sync --domain \(name)'.",
      discussion: examples("cloudsync \(name) sync", "cloudsync \(name) sync --pull-only"))
  }

  @OptionGroup var options: SyncRunOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    try await session.enter()
    let plan = try SyncPlan(
      session.configuration, enabled: session.enabledDomains, jobs: [],
      domains: [D.domain.name], remotes: options.remote)
    try await SyncRun(session, options).perform(plan)
  }
}

/// The options of a run.
struct SyncRunOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Only this remote.", valueName: "remote"), completion: remoteCompletion)
  var remote: [String] = []
  @Flag(help: "Send changes only.")
  var pushOnly = false
  @Flag(help: "Receive changes only.")
  var pullOnly = false
  @Option(
    help: ArgumentHelp(
      "Stop a pull that deletes more than this share of a zone.", valueName: "percent"))
  var maxDelete: Percent?
  @Flag(help: "Allow a pull to delete any number of records.")
  var allowMassDelete = false
  @Flag(help: "End with 4 if a conflict needs a decision.")
  var failOnConflict = false
  @Option(
    help: ArgumentHelp("Wait up to this long for another run to end.", valueName: "duration"),
    transform: durationArgument)
  var lockWait: Duration = .zero
  @OptionGroup var change: DryRunOption
  @Flag(help: "With --dry-run: end with 2 if there is something to do.")
  var check = false

  /// The defaults.
  static var usual: SyncRunOptions { (try? parse([])) ?? SyncRunOptions() }

  func validate() throws {
    guard !pushOnly || !pullOnly else {
      throw ValidationError("--push-only and --pull-only cannot be used together")
    }
    guard !check || change.dryRun else {
      throw ValidationError("--check needs --dry-run")
    }
  }
}

@Sendable private func durationArgument(_ text: String) throws -> Duration {
  guard let milliseconds = DurationText.parse(text), milliseconds >= 0 else {
    throw ValidationError("'\(text)' is not a duration; write 30s, 5m or 1h")
  }
  return .milliseconds(milliseconds)
}

/// The remotes of the configuration, for completion.
let remoteCompletion = CompletionKind.custom { _, _, _ in
  guard let context = try? CommandContext(GlobalOptions.parse([]), .process()),
    let configuration = try? context.configuration()
  else { return [] }
  return configuration.values.remotes.map(\.name)
}

extension Percent: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}
