import CommandFoundation
import SyncKit

/// Which domains use a remote that is added.
///
/// A remote never gets a domain that the configuration keeps away from it. An existing remote keeps its domains,
/// and a removed one gets its former domains back. A new one gets all enabled domains if they all use the same
/// remotes; otherwise the person has to choose.
struct DomainChoice {
  private let session: Session
  private let remote: NamedRemote

  init(_ session: Session, _ remote: NamedRemote) {
    self.session = session
    self.remote = remote
  }

  /// The domains; `text` is the option's value: names separated by commas, `all`, or nil without the option.
  ///
  /// - Throws: ``SyncError`` `usage` for a name that no enabled domain has, and when the choice is left to a person
  ///   who cannot be asked.
  func domains(_ text: String?, _ context: CommandContext) throws -> [String] {
    if let text { return try named(text) }
    // Adding an existing remote again does not change its domains.
    if !present.isEmpty { return present }
    let proposal = proposal
    if context.mayAsk, !context.assumesYes {
      return try context.ask(
        "domains that will use '\(remote.name)', separated by commas",
        fallback: proposal.map { $0.joined(separator: ",") } ?? "none"
      ) { answer throws(SyncError) in
        guard answer != "none" else { throw undecided }
        return try named(answer)
      }
    }
    guard let proposal else { throw undecided }
    return proposal
  }

  private var present: [String] {
    session.enabledDomains.filter { session.remoteNames(of: $0).contains(remote.name) }
  }

  /// The domains that follow from the configuration; nil when none do.
  private var proposal: [String]? {
    let removed = SetupRecord(in: session.directories.data).removed
    let enabled = session.enabledDomains
    let past =
      removed[remote.name]
      ?? removed.sorted { $0.key < $1.key }
      .first { $0.value.url == remote.url.location.url }?.value
    if let past {
      let again = enabled.filter(past.domains.contains)
      return again.isEmpty ? nil : again
    }
    let areAlike = Set(enabled.map { Set(session.remoteNames(of: $0)) }).count <= 1
    // A domain that was kept from a removed remote may now look like the others, and is not.
    let wereAlike = removed.values.allSatisfy(\.others.isEmpty)
    return areAlike && wereAlike ? enabled : nil
  }

  private var undecided: SyncError {
    SyncError(
      .usage,
      "your domains use different remotes, so name the ones that will use '\(remote.name)'",
      hint:
        "use --domains with names, such as --domains \(session.enabledDomains.first ?? "NAME"), or "
        + "--domains all")
  }

  private func named(_ text: String) throws(SyncError) -> [String] {
    let enabled = session.enabledDomains
    if text.trimmingSpaces == "all" { return enabled }
    let names = try text.split(separator: ",").map { part throws(SyncError) in
      try DomainRegistry.domain(part.trimmingSpaces).name
    }
    guard !names.isEmpty else { throw SyncError(.usage, "--domains is empty") }
    for name in names where !enabled.contains(name) {
      throw SyncError(
        .usage, "the domain '\(name)' is disabled on this device",
        hint: "enable it with 'cloudsync config set domains.\(name).enabled true'")
    }
    return enabled.filter(names.contains)
  }
}
