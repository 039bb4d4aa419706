import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// `cloudsync remote rm NAME`.
struct RemoteRemove: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "rm", abstract: "Stop using a remote; its files stay.",
    discussion: examples("cloudsync remote rm folder", "cloudsync remote rm folder --dry-run"))

  @Argument(help: "The remote.", completion: remoteCompletion) var name: String
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    var file = try ConfigFile(context)
    let session = try Session(context)
    let present = try file.resolved().values
    guard present[remote: name] != nil else {
      throw SyncError(
        .notFound, "there is no remote '\(Sanitized.line(name))'",
        hint: NearestName.hint(for: name, among: present.remotes.map(\.name)))
    }
    for domain in present.domains where domain.remotes.contains(name) {
      let rest = domain.remotes.filter { $0 != name }.map(YAMLText.scalar).joined(separator: ", ")
      try file.remove(["domains", domain.name, "remote"])
      // A list that names nothing is no list.
      if rest.isEmpty {
        try file.remove(["domains", domain.name, "remotes"])
      } else {
        try file.set(["domains", domain.name, "remotes"], to: "[\(rest)]")
      }
    }
    try file.remove(["remotes", name])
    let resolved = try file.resolved()
    guard resolved.values[remote: name] == nil else {
      throw SyncError(
        .configInvalid, "'\(name)' is configured outside of \(file.path)",
        hint: "see 'cloudsync config show --resolved'")
    }
    if !change.dryRun {
      // The token goes first: a token left behind would still open the account, and while the remote is
      // known, running the command again finishes the rest.
      try StoredToken.remove(name, in: session.directories.data)
      try await remember(session)
      if var ring = try session.keyring() {
        ring.note(name, isEncrypted: false)
        try ring.save(in: session.directories.data)
      }
      try await file.save()
      for domain in session.enabledDomains { try session.store(domain).forgetRemote(name) }
    }
    context.print(
      Report(
        "cloudsync.remote/1", ["name": .string(name), "dryRun": .bool(change.dryRun)],
        table: ReportTable([ReportTable.Column("name")], rows: [[ReportTable.Cell(name)]]), text: ""
      ))
    context.note(change.dryRun ? "would remove '\(name)'" : "removed '\(name)'")
  }

  /// Remembers which domains used it: if it is added again, no other domain goes there.
  private func remember(_ session: Session) async throws {
    let (name, enabled) = (name, session.enabledDomains)
    let url = session.configuration[remote: name]?.location.url ?? ""
    let domains = session.configuration.domains.filter { $0.remotes.contains(name) }.map(\.name)
    try await SetupRecord.change(in: session.directories.data) { record in
      record.removed[name] = SetupRecord.Removed(
        url: url, domains: domains, others: enabled.filter { !domains.contains($0) })
      record.remotes[name] = nil
    }
  }
}
