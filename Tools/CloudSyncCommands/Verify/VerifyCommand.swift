import ArgumentParser
import CommandFoundation
import Formats
import SyncKit

/// `cloudsync verify`.
struct VerifyCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Read everything that is stored and check it.",
    discussion: examples(
      "cloudsync verify", "cloudsync verify --domain airports --json",
      "cloudsync verify --remotes --repair",
      after: """
        Devices that have applied the same changes show the same digest: equal vectors with different \
        digests are a proof that something is wrong.
        With --repair a damaged store is moved aside byte for byte, and a new one is made from what \
        can be read of its log; the next sync brings what a remote has.
        With --remotes every segment that the remotes list is read as well, as a new device would; with \
        --repair what is damaged there is brought again by this device, if it has it, and what no device \
        can read is removed from a server. What a cloud drive has yet to bring is not here yet, and nothing \
        can be said of it. Each remote is tried as a sync would meet it, with a file that is written and \
        removed.
        Stores that never leave this device, such as airport-usage, are read and repaired as well.
        Exit status: 0 nothing wrong, or repaired; 65 something is damaged, and it was left as it is; \
        else what a sync would end with.
        """))

  @Option(
    help: ArgumentHelp("Only this domain.", valueName: "domain"),
    completion: .list(DomainRegistry.stores.map { $0.name }))
  var domain: [String] = []
  @Flag(help: "Make a damaged store anew from its log.")
  var repair = false
  @Flag(help: "Also read everything that the remotes hold.")
  var remotes = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    if remotes { try await session.enter() }
    for name in domain { _ = try DomainRegistry.stored(name) }
    var found = Verification(asksRemotes: remotes, isRepairing: repair)
    let names = domain.isEmpty ? session.storesToRead : domain
    let line = ProgressLine(context)
    for (index, name) in names.enumerated() {
      line.begin("verifying \(name) (\(index + 1) of \(names.count))")
      await found.look(at: name, session)
    }
    line.clear()
    context.print(found.report)
    for warning in found.warnings { context.warn(warning) }
    for note in found.notes { context.note(note) }
    if remotes, found.hasMetNothing {
      context.warn("no remote was read: none of these domains meets one")
    }
    if let error = found.error { throw error }
  }
}
