import ArgumentParser
import CommandFoundation
import SyncKit

/// The command `cloudsync conflicts list`.
struct ConflictList: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the conflicts.",
    discussion: examples("cloudsync conflicts list", "cloudsync conflicts list --json"))

  @Option(
    help: ArgumentHelp("Only this domain.", valueName: "domain"),
    completion: .list(DomainRegistry.names))
  var domain: [String] = []
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let domains = try domain.map { try DomainRegistry.domain($0).name }
    context.print(
      DomainConflict.report(
        try session.conflicts(domains.isEmpty ? session.enabledDomains : domains)))
  }
}

/// The command `cloudsync <domain> conflicts`.
struct RecordConflicts<D: DomainRegistration>: ContextCommand {
  static var configuration: CommandConfiguration {
    let name = D.domain.name
    return CommandConfiguration(
      commandName: "conflicts", abstract: "List the conflicts of the domain.",
      discussion: examples("cloudsync \(name) conflicts", "cloudsync \(name) conflicts --json"))
  }

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    context.print(DomainConflict.report(try Session(context).conflicts([D.domain.name])))
  }
}
