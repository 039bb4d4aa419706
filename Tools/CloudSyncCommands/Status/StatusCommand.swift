import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// `cloudsync status [DOMAIN]`.
struct StatusCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show how each domain stands; no remote is asked.",
    discussion: examples(
      "cloudsync status", "cloudsync status airports --json", "cloudsync status --check",
      after: """
        With --check the exit status tells, the first that holds: 1 a domain failed; 5 stale, also when \
        there was no sync since this device was set up; 4 a conflict needs a decision; 2 changes are \
        pending or awaited; 0 all is well. On a device that was never set up it is 78.
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
  @Flag(help: "Let the exit status tell.")
  var check = false
}
