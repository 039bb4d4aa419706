import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// `cloudsync status [DOMAIN]`.
struct StatusCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show the state of each domain, without contacting a remote.",
    discussion: examples(
      "cloudsync status", "cloudsync status airports --json", "cloudsync status --check",
      after: """
        Times are relative; --verbose shows them in full.
        With --check the exit status is the first of these that applies: 1 a domain failed; 5 a domain is \
        stale, or has not synced since this device was set up; 4 a conflict needs a decision; 2 changes \
        are waiting to be sent or received; 0 otherwise, also while a remote is offline and nothing waits \
        for it. On a device that was never set up it is 78.
        """))

  @Argument(
    help: ArgumentHelp("Only this domain.", valueName: "domain"),
    completion: .list(DomainRegistry.names))
  var domain: String?
  @OptionGroup var options: StatusOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try await StatusReport.print(Session(context), only: domain, check: options.check)
  }
}

/// `cloudsync <domain> status`.
struct DomainStatusCommand<D: DomainRegistration>: ContextCommand {
  static var configuration: CommandConfiguration {
    let name = D.domain.name
    return CommandConfiguration(
      commandName: "status", abstract: "The same as 'cloudsync status \(name)'.",
      discussion: examples("cloudsync \(name) status", "cloudsync \(name) status --check"))
  }

  @OptionGroup var options: StatusOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try await StatusReport.print(Session(context), only: D.domain.name, check: options.check)
  }
}

struct StatusOptions: ParsableArguments {
  @Flag(help: "Report the state by the exit status.")
  var check = false
}
