import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKitHTTP
import SyncKit
import SyncKitEncryption

/// `cloudsync remote add NAME URL`.
struct RemoteAdd: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a remote and choose the domains that use it.",
    discussion: examples(
      "cloudsync remote add folder ~/Nextcloud/cloudsync",
      "cloudsync remote add nas /mnt/nas/cloudsync --domains airports,media",
      "cloudsync remote add folder ~/Nextcloud/cloudsync --reinit",
      "cloudsync remote add usb /media/usb/cloudsync --adopt",
      "cloudsync remote add home https://sync.example.org --join 4F7K-92QD",
      "cloudsync remote add home https://sync.home.arpa --ca-file our-ca.pem --join 4F7K-92QD",
      "cloudsync remote add cloud webdav:https://anna@cloud.example.org/remote.php/dav/files/anna/cloudsync",
      after: """
        The location is a path, file:PATH, sqlite:PATH for one file, the https: address of a server, or the \
        URL of another service; 'cloudsync help remotes' shows all kinds. A service that wants a password \
        gets it from --password-file or --password-keyring, or a terminal asks for it once; --set sets any other key; see 'cloudsync help config'.
        Without --domains, a terminal asks which domains use the remote. Without a terminal, a remote that \
        exists keeps its domains, a removed one gets its former domains back, and a new one gets every \
        enabled domain if they all use the same remotes; otherwise --domains is required.
        A folder is made if its parent exists, over WebDAV with its parents; a bucket is never made. A known \
        remote whose marker is missing is refused unless --reinit allows it to be filled again from this device; one that belongs to another vault, unless \
        --adopt says that both are yours. A server needs a token: --join gets one with the code or link \
        that 'cloudsync device pair' prints on another device. A server with its own certificate is \
        trusted with --ca-file or --fingerprint, which the configuration keeps.
        """))

  @Argument(help: "Name of the remote.") var name: String
  @Argument(
    help: "Where it is: \(TransportRegistry.forms).", completion: .directory)
  var location: String
  @Option(
    help: ArgumentHelp("Domains that use it, separated by commas, or 'all'.", valueName: "a,b"))
  var domains: String?
  @Flag(help: "The remote has lost its marker; fill it again from this device.")
  var reinit = false
  @Flag(help: "The remote belongs to another vault that is also yours.")
  var adopt = false
  @Option(
    help: ArgumentHelp("Join the server's account with a code or link.", valueName: "code|link"))
  var join: String?
  @OptionGroup var signIn: SignInOptions
  @OptionGroup var encryption: EncryptionOptions
  @OptionGroup var trust: TrustOptions
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    guard !reinit || !adopt else {
      throw ValidationError("--reinit and --adopt exclude one another")
    }
  }

  func run(_ context: CommandContext) async throws {
    var remote = try NamedRemote(name, at: location, context.directoryRequest)
    remote.url.location = try signIn.applied(to: remote.url.location, context)
    let before = try Session(context)
    try refuse(another: before.configuration[remote: remote.name], remote)
    let trust = try trust(in: remote, context)
    var known =
      before.configuration[remote: remote.name]
      ?? Configuration.Remote(name: remote.name, location: remote.url.location)
    known.location = try signIn.applied(to: known.location, context)
    var configured = known.trusting(trust)
    let domains = try DomainChoice(before, remote).domains(domains, context)
    try await enter(configured, remote, before)
    let typed = change.dryRun ? nil : try await before.askSecret(of: configured)
    do {
      let (recovery, place) = try await attach(&configured, domains, before)
      if !change.dryRun {
        try await configure(remote, trust, configured.isEncrypted, domains, context)
        try await remember(remote, context)
      }
      var warnings: [String] = []
      if !change.dryRun, let place {
        warnings = await before.survey(place.remote, for: place.domain)
      }
      report(remote, configured, domains, recovery, warnings, context)
    } catch {
      // If that fails, too, the first failure is the one to report.
      try? typed?.takeBack()
      throw error
    }
  }

  /// Attaches the stores of the domains to the remote, and opens or makes its vault.
  ///
  /// - Returns: The recovery code of a new vault, and the remote as it was attached last.
  private func attach(
    _ configured: inout Configuration.Remote, _ domains: [String], _ session: Session
  ) async throws -> (RecoveryCode?, place: (remote: Remote, domain: String)?) {
    let consent: RemoteIdentity.Consent = reinit ? .reinitialise : adopt ? .adopt : .none
    let opening = try session.opening(encryption.code, encryption.passphrase, join: join)
    configured.encryption = try await session.decideEncryption(
      of: configured, encryption.wish ?? (opening == nil ? nil : .encrypted))
    var recovery: RecoveryCode?
    if configured.isEncrypted, !change.dryRun {
      recovery = try await session.openVault(on: configured, by: opening, consent)
    }
    var options = SyncOptions()
    options.consent = consent
    options.isDryRun = change.dryRun
    var place: (remote: Remote, domain: String)?
    for domain in domains {
      let remote = try session.remote(configured, for: domain, creating: !change.dryRun)
      try await SyncEngine(store: session.store(domain), remotes: [remote]).attach(options)
      place = (remote, domain)
    }
    return (recovery, place)
  }

  /// How the options or the link trust the server's certificate.
  private func trust(in remote: NamedRemote, _ context: CommandContext) throws -> ServerTrust {
    var fingerprint: CertificateFingerprint?
    if let join, case .link(let link) = try JoinText(join) { fingerprint = link.fingerprint }
    let trust = try trust.trust(context, link: fingerprint)
    try trust.check(for: [remote])
    return trust
  }

  /// Refuses a name that another remote has.
  private func refuse(
    another known: Configuration.Remote?, _ remote: NamedRemote
  ) throws(SyncError) {
    guard let known, known.location.url != remote.url.location.url else { return }
    throw SyncError(
      .usage, "the remote '\(remote.name)' already exists, at \(known.location.url)",
      hint: move(of: known, to: remote)
        ?? "use another name, or remove it first with 'cloudsync remote rm \(remote.name)'")
  }

  /// How to move the remote to the other location; nil when that is of another kind.
  private func move(of known: Configuration.Remote, to remote: NamedRemote) -> String? {
    let settings = remote.url.location.settings
    guard known.location.type == remote.url.location.type, settings.count == 1,
      let setting = settings.first
    else { return nil }
    return "if it has moved, run 'cloudsync config set remotes.\(remote.name).\(setting.key) "
      + "\(setting.value)', which keeps its domains; otherwise use another name"
  }

  /// Remembers since when the remote exists, and forgets what was kept of an earlier one of this name.
  private func remember(_ remote: NamedRemote, _ context: CommandContext) async throws {
    let session = try Session(context)
    let (names, now) = (session.configuration.remotes.map(\.name), session.environment.now())
    try await SetupRecord.change(in: session.directories.data) { record in
      record.note(names, at: now)
      record.removed[remote.name] = nil
    }
  }

  /// Joins the account of a server with `--join`.
  private func enter(
    _ configured: Configuration.Remote, _ remote: NamedRemote, _ session: Session
  ) async throws {
    guard let join else { return }
    let text = try JoinText(join)
    guard configured.location.isServer else {
      throw SyncError(
        .usage, "only a server has an account to join, and '\(remote.name)' is not one")
    }
    if case .link(let link) = text, !link.leads(to: remote) {
      throw SyncError(.usage, "the link belongs to another server, \(link.server)")
    }
    if !change.dryRun { try await session.join(text.code, at: configured) }
  }

  private func configure(
    _ remote: NamedRemote, _ trust: ServerTrust, _ isEncrypted: Bool, _ domains: [String],
    _ context: CommandContext
  ) async throws {
    var file = try ConfigFile(context)
    if !file.exists { try file.set(["version"], to: "1") }
    // Attaching takes time, in which another process may add remotes.
    let present = try file.resolved().values
    try refuse(another: present[remote: remote.name], remote)
    if present[remote: remote.name] == nil {
      try file.set(["remotes", remote.name], to: remote.url.entry(trust, encryption: isEncrypted))
    } else {
      let told = signIn.isEmpty ? [] : remote.url.location.settings
      for (key, value) in told + trust.settings {
        try file.set(["remotes", remote.name, key], to: value)
      }
      try file.set(["remotes", remote.name, "encrypted"], to: "\(isEncrypted)")
    }
    for domain in domains {
      let names = present[domain: domain]?.remotes ?? []
      guard !names.contains(remote.name) else { continue }
      let all = (names + [remote.name]).map(YAMLText.scalar).joined(separator: ", ")
      // Of 'remote' and 'remotes' a domain has one; the longer form holds both kinds.
      if !names.isEmpty { try file.remove(["domains", domain, "remote"]) }
      try file.set(["domains", domain, "remotes"], to: "[\(all)]")
    }
    try await file.save()
  }

  private func report(
    _ remote: NamedRemote, _ configured: Configuration.Remote, _ domains: [String],
    _ recovery: RecoveryCode?, _ warnings: [String], _ context: CommandContext
  ) {
    context.print(
      Report(
        "cloudsync.remote/1",
        [
          "name": .string(remote.name), "url": .string(remote.url.location.url),
          "domains": .array(domains.map { .string($0) }), "dryRun": .bool(change.dryRun),
          "recovery": recovery.map { .string($0.text) } ?? .null,
          "notes": .array(warnings.map { .string($0) }),
        ],
        table: ReportTable(
          [ReportTable.Column("name"), ReportTable.Column("url")],
          rows: [[ReportTable.Cell(remote.name), remote.url.location.cell(context)]]),
        text: recovery.map(VaultCode.paper) ?? ""))
    context.note(
      change.dryRun
        ? "would add '\(remote.name)' for \(domains.joined(separator: ", "))"
        : "added '\(remote.name)' for \(domains.joined(separator: ", ")); next: cloudsync sync")
    context.note(configured.encryptionNote)
    for warning in warnings { context.warn(warning) }
  }
}
