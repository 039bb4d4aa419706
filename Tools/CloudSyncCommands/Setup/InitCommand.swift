import LocalMachine
import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKitHTTP
import SyncKit
import SyncKitEncryption

/// `cloudsync init`.
struct InitCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Set up this device: its name, its domains, its remotes.",
    discussion: examples(
      "cloudsync init --yes --remote folder=~/Nextcloud/cloudsync",
      "cloudsync init --device laptop --domains airports",
      "cloudsync init --join 'https://sync.example.org/join#4F7K-92QD'",
      "cloudsync init --join 4F7K-92QD --remote home=https://sync.example.org",
      "cloudsync init --join 4F7K-92QD --remote home=https://sync.home.arpa --ca-file our-ca.pem",
      after: """
        Writes the configuration and makes the folder of each remote if its parent exists, over WebDAV with \
        its parents. On a terminal it asks for what the options leave out. Without --remote or --join nothing leaves this \
        device. --join takes the code or link that 'cloudsync device pair' printed on another device, or \
        that the server's administrator sent; a link names the server, which is called 'home' unless \
        --remote says otherwise. A server with its own certificate is trusted with --ca-file or \
        --fingerprint, which the configuration keeps; a link may include the fingerprint. Running the same \
        command again ends with 0. Once the device is set up, other arguments end with 64: use \
        'cloudsync config set' and 'cloudsync remote add' to change it.
        """))

  @Option(help: ArgumentHelp("Name of this device.", valueName: "name"))
  var device: String?
  @Option(
    help: ArgumentHelp("A remote for every domain: a path or a URL.", valueName: "name=location"))
  var remote: [String] = []
  @Option(
    help: ArgumentHelp("Domains to use, separated by commas; default: all.", valueName: "a,b"))
  var domains: String?
  @Option(help: ArgumentHelp("Join an account with a code or link.", valueName: "code|link"))
  var join: String?
  @OptionGroup var signIn: SignInOptions
  @OptionGroup var encryption: EncryptionOptions
  @OptionGroup var trust: TrustOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let directories = try context.directories()
    var wish = try wish(context)
    let file = try ConfigFile(context)
    if file.exists {
      let present = try context.configuration().values
      guard wish.isEmpty || wish.matches(present) else {
        throw SyncError(
          .usage, "\(file.path) already exists and differs from these arguments",
          hint: "change it with 'cloudsync config set' or 'cloudsync remote add NAME LOCATION'")
      }
    } else {
      if context.mayAsk, !context.assumesYes { try ask(&wish, context) }
    }
    // Check the transports first: a device is set up whole or not at all.
    let host = TransportContext(
      environment: context.environment, variables: context.terminal.environment,
      data: directories.data)
    for remote in wish.remotes {
      _ = try TransportRegistry.transport(
        for: wish.configured(remote), host)
    }
    if !file.exists { try await write(wish, file) }
    var recovery: RecoveryCode?
    var typed: [TypedSecret] = []
    do {
      for remote in try Session(context).configuration.remotes where !file.exists {
        if let secret = try await Session(context).askSecret(of: remote) { typed.append(secret) }
      }
      try await join(wish, context)
      recovery = try await openVaults(context)
      try await attach(context)
      try await remember(isNew: !file.exists, context)
    } catch {
      // If something cannot be removed either, the first failure is the one to report.
      for secret in typed { try? secret.takeBack() }
      if !file.exists { try? LocalFile.remove(file.path) }
      throw error
    }
    context.print(try report(wish, directories, isNew: !file.exists, recovery, context))
  }

  /// Opens the vaults of encrypted remotes, or makes one.
  ///
  /// - Returns: The recovery code of a new one.
  private func openVaults(_ context: CommandContext) async throws -> RecoveryCode? {
    let opening = try Session(context).opening(
      encryption.code, encryption.passphrase, join: join)
    let remotes = try Session(context).configuration.remotes
    guard opening == nil || !remotes.isEmpty else {
      throw SyncError(
        .usage, "a key opens a remote, and this device has none",
        hint: "say where it is, such as --remote folder=~/Nextcloud/cloudsync")
    }
    var recovery: RecoveryCode?
    for remote in remotes {
      var remote = remote
      let session = try Session(context)
      if remote.encryption == nil {
        let isEncrypted = try await session.decideEncryption(
          of: remote, encryption.wish ?? (opening == nil ? nil : .encrypted))
        var file = try ConfigFile(context)
        try file.set(["remotes", remote.name, "encrypted"], to: "\(isEncrypted)")
        try await file.save()
        remote.encryption = isEncrypted
      }
      guard remote.isEncrypted else { continue }
      recovery = try await session.openVault(on: remote, by: opening) ?? recovery
    }
    return recovery
  }

  /// What the command line asks for.
  private func wish(_ context: CommandContext) throws -> SetupWish {
    let request = context.directoryRequest
    var remotes = try remote.map { try NamedRemote($0, request) }
    if !signIn.isEmpty {
      guard remotes.count == 1 else {
        throw SyncError(
          .usage, "--user, --password-file, --password-keyring and --set need exactly one --remote",
          hint: "add the others with 'cloudsync remote add'")
      }
      remotes[0].url.location = try signIn.applied(to: remotes[0].url.location, context)
    }
    let join = try self.join.map { text throws(SyncError) in try JoinText(text) }
    if case .link(let link) = join, !remotes.contains(where: { link.leads(to: $0) }) {
      remotes.append(try NamedRemote("home=\(link.server)", request))
    }
    let servers = remotes.filter(\.url.location.isServer)
    if let join {
      var matching = servers
      if case .link(let link) = join { matching = servers.filter { link.leads(to: $0) } }
      guard matching.count == 1 else {
        throw SyncError(
          .usage, "--join with a code needs exactly one --remote NAME=https://HOST",
          hint: "name the server with --remote, or pass the whole link instead of the code")
      }
    }
    let names = remotes.map(\.name)
    if let double = names.first(where: { name in names.filter { $0 == name }.count > 1 }) {
      throw SyncError(.usage, "the remote '\(double)' is given twice")
    }
    let domains = try self.domains.map { text in
      try text.split(separator: ",").map { part in
        try DomainRegistry.domain(part.trimmingSpaces).name
      }
    }
    if let domains, domains.isEmpty {
      throw SyncError(.usage, "--domains is empty")
    }
    if let device {
      try DeviceRename.check(device.trimmingSpaces)
    }
    var fingerprint: CertificateFingerprint?
    if case .link(let link) = join { fingerprint = link.fingerprint }
    let trust = try trust.trust(context, link: fingerprint)
    try trust.check(for: remotes)
    return SetupWish(device: device, remotes: remotes, domains: domains, trust: trust)
  }

  /// The answer that leaves the remote out for now.
  private static let later = "later"

  private func ask(_ wish: inout SetupWish, _ context: CommandContext) throws {
    if wish.device == nil {
      wish.device = try context.ask("name of this device", fallback: HostName.current) {
        name throws(SyncError) in
        try DeviceRename.check(name)
        return name
      }
    }
    if wish.remotes.isEmpty {
      let remote = try context.ask(
        "where your devices meet: a folder, or an address such as webdav:https://…, or 'later'",
        fallback: Self.later
      ) { answer throws(SyncError) -> NamedRemote? in
        guard answer != Self.later else { return nil }
        let remote = try NamedRemote("folder", at: answer, context.directoryRequest)
        try remote.url.checkPlace()
        return remote
      }
      wish.remotes = remote.map { [$0] } ?? []
    }
  }

  private func write(_ wish: SetupWish, _ file: ConfigFile) async throws {
    var file = file
    try file.set(["version"], to: "1")
    try file.set(["device"], to: "{ name: \(YAMLText.scalar(wish.deviceName)) }")
    for remote in wish.remotes {
      try file.set(["remotes", remote.name], to: remote.url.entry(wish.trust(in: remote)))
    }
    let names = wish.remotes.map { YAMLText.scalar($0.name) }.joined(separator: ", ")
    // A list that names nothing is no list.
    let wanted = names.isEmpty ? "{ enabled: true }" : "{ remotes: [\(names)] }"
    for domain in DomainRegistry.names {
      let isWanted = wish.domains?.contains(domain) ?? true
      try file.set(
        ["domains", domain], to: isWanted ? wanted : "{ enabled: false }")
    }
    try await file.save()
  }

  /// Joins the account of the server, unless this device has a token from an earlier try.
  private func join(_ wish: SetupWish, _ context: CommandContext) async throws {
    guard let text = join else { return }
    let join = try JoinText(text)
    let session = try Session(context)
    for remote in wish.remotes {
      guard remote.url.location.isServer,
        let configured = session.configuration[remote: remote.name]
      else { continue }
      if case .link(let link) = join, !link.leads(to: remote) { continue }
      if try session.hasToken(for: configured) { continue }
      try await session.join(join.code, at: configured)
    }
  }

  /// Attaches each store to each remote, so that a later loss of the marker is noticed.
  private func attach(_ context: CommandContext) async throws {
    let session = try Session(context)
    try session.keepDevice()
    var places: [String: (place: Remote, domain: String)] = [:]
    for domain in session.enabledDomains {
      let remotes = try session.remotes(of: domain, creating: true)
      try await SyncEngine(store: session.store(domain), remotes: remotes).attach()
      for remote in remotes { places[remote.name] = (remote, domain) }
    }
    for name in places.keys.sorted() {
      guard let (place, domain) = places[name] else { continue }
      for warning in await session.survey(place, for: domain) { context.warn(warning) }
    }
  }

  /// Remembers since when this device could have synced.
  private func remember(isNew: Bool, _ context: CommandContext) async throws {
    let session = try Session(context)
    let (names, now) = (session.configuration.remotes.map(\.name), session.environment.now())
    try await SetupRecord.change(in: session.directories.data) { record in
      if isNew { (record.since, record.remotes) = (now, [:]) }
      record.note(names, at: now)
    }
  }

  private func report(
    _ wish: SetupWish, _ directories: Directories, isNew: Bool, _ recovery: RecoveryCode?,
    _ context: CommandContext
  ) throws -> Report {
    let session = try Session(context)
    let device = try session.device()
    let domains = session.enabledDomains
    let remotes = session.configuration.remotes
    let next =
      remotes.isEmpty
      ? "nothing leaves this device; add a remote with 'cloudsync remote add NAME PATH'"
      : "next: cloudsync sync"
    return Report(
      "cloudsync.init/1",
      [
        "recovery": recovery.map { .string($0.text) } ?? .null,
        "config": .string(directories.configFile), "data": .string(directories.data),
        "created": .bool(isNew),
        "device": ["id": .string(device.id), "name": .string(device.name)],
        "domains": .array(domains.map { .string($0) }),
        "remotes": .array(
          remotes.map { remote in
            [
              "name": .string(remote.name), "url": .string(remote.location.url),
              "encrypted": .bool(remote.isEncrypted),
            ]
          }),
      ],
      table: ReportTable(
        [ReportTable.Column("key"), ReportTable.Column("value")],
        rows: [
          ["config", ReportTable.Cell(directories.configFile)],
          ["data", ReportTable.Cell(directories.data)],
          ["device", ReportTable.Cell(device.name)],
        ]),
      text: context.isQuiet
        ? recovery.map(VaultCode.paper) ?? ""
        : Sanitized.block(
          """
          \(isNew ? "wrote" : "nothing to do:") \(directories.configFile)
          stores in \(directories.data)
          \(remotes.map { $0.encryptionNote + "\n" }.joined())\(next)
          \(recovery.map(VaultCode.paper).map { "\n\($0)" } ?? "")
          """))
  }
}

extension ServerLink {
  /// Whether the link is one of a remote's server.
  func leads(to remote: NamedRemote) -> Bool {
    remote.url.location.serverAddress == server
  }
}

/// What `init` should set up.
struct SetupWish {
  var device: String?
  var remotes: [NamedRemote]
  var domains: [String]?
  var trust = ServerTrust()

  /// What the options say of a remote: nothing unless it is a server with encryption.
  func trust(in remote: NamedRemote) -> ServerTrust {
    remote.isEncryptedServer ? trust : ServerTrust()
  }

  /// A remote as the configuration will have it.
  func configured(_ remote: NamedRemote) -> Configuration.Remote {
    Configuration.Remote(name: remote.name, location: remote.url.location)
      .trusting(trust(in: remote))
  }

  var deviceName: String { device ?? HostName.current }

  /// Whether it asks for nothing that a configuration has.
  var isEmpty: Bool { device == nil && remotes.isEmpty && domains == nil }

  /// Whether a configuration says the same.
  func matches(_ present: Configuration) -> Bool {
    let enabled = DomainRegistry.names.filter { present[domain: $0]?.isEnabled ?? true }
    guard deviceName == present.deviceName ?? HostName.current,
      domains.map({ Set($0) == Set(enabled) }) ?? (enabled == DomainRegistry.names),
      present.remotes.count == remotes.count
    else { return false }
    return remotes.allSatisfy { remote in
      present[remote: remote.name].map { known in
        known.location.url == remote.url.location.url
          && known == known.trusting(trust(in: remote))
      } ?? false
    }
      && enabled.allSatisfy { domain in
        Set(present[domain: domain]?.remotes ?? []) == Set(remotes.map(\.name))
      }
  }
}

extension StringProtocol {
  /// The text without spaces and tabs at its ends.
  var trimmingSpaces: String {
    func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }
    let rest = drop(while: isSpace)
    return String(rest.reversed().drop(while: isSpace).reversed())
  }
}
