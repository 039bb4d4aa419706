import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// `cloudsync verify`.
struct VerifyCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Read and check everything that is stored.",
    discussion: examples(
      "cloudsync verify", "cloudsync verify --domain airports --json",
      "cloudsync verify --remotes --repair",
      after: """
        Devices that have applied the same changes show the same digest: equal vectors with \
        different digests prove that something is wrong.
        With --repair a damaged store is moved aside unchanged, and a new one is built from the \
        readable part of its log; the next sync fetches what the remotes have.
        With --remotes it also reads every segment that the remotes list, as a new device would. \
        With --repair this device uploads damaged segments again if it has them, and removes from \
        a server what no device can read. A file that a cloud drive has not downloaded yet cannot \
        be checked. Each remote is tried as a sync would, with a file that is written and removed.
        Stores that never leave this device, such as airport-usage, are checked and repaired as \
        well.
        Exit status: 0 nothing is wrong, or it is repaired; 65 something is damaged and was not \
        changed; otherwise that of a sync.
        """))

  @Option(
    help: ArgumentHelp("Only this domain.", valueName: "domain"),
    completion: .list(DomainRegistry.stores.map { $0.name }))
  var domain: [String] = []
  @Flag(help: "Rebuild a damaged store from its log.")
  var repair = false
  @Flag(help: "Also read everything on the remotes.")
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
      context.warn("no remote was read: none of these domains syncs with one")
    }
    if let error = found.error { throw error }
  }
}
