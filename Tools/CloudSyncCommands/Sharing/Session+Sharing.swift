import CommandFoundation
import SyncKitHTTP
import SyncKit
import SyncWire

extension Session {
  /// The server on which a domain's records are shared.
  ///
  /// - Throws: ``SyncError`` `remote.no-server` if the domain has only folders and files, `usage` if
  ///   it has several servers and none is named.
  func sharingServer(of domain: String, _ name: String?) throws -> Server {
    let own = remoteNames(of: domain).compactMap { configuration[remote: $0] }
    let servers = own.filter(\.location.isServer)
    if let name {
      guard own.contains(where: { $0.name == name }) else {
        throw SyncError(
          .usage, "the domain '\(domain)' does not sync with a remote '\(Sanitized.line(name))'",
          hint: own.isEmpty ? nil : "it syncs with \(own.map(\.name).joined(separator: ", "))")
      }
      return try server(name, for: "sharing")
    }
    guard let first = servers.first else { throw SyncError.noServer("sharing", own.first) }
    guard servers.count == 1 else {
      throw SyncError(
        .usage,
        "'\(domain)' syncs with several servers: \(servers.map(\.name).joined(separator: ", "))",
        hint: "choose one with --remote NAME")
    }
    return try server(first)
  }

  /// All shares of all servers, or of one, with the server that each is on.
  func shares(_ name: String?) async throws -> [(share: PersonalShare, server: Server)] {
    let servers =
      name == nil && serverRemotes.count > 1
      ? try serverRemotes.map { try server($0) } : [try server(name, for: "sharing")]
    var found: [(share: PersonalShare, server: Server)] = []
    for server in servers {
      if let remote = configuration[remote: server.name], remote.isEncrypted {
        // What the person's other devices have said gives things their names.
        try await exchangeStatements(
          on: remote, for: enabledDomains.first ?? DomainRegistry.names[0])
      }
      for share in try await server.client.shares() {
        found.append((try personal(share, on: server), server))
      }
    }
    return found
  }

  /// The share for a text, one's own or another's, or either when that is not said: by its id, the start of it, its title, or
  /// words of its title.
  ///
  /// - Throws: ``SyncError`` `record.not-found`, or `usage` if several fit.
  func share(
    _ text: String, _ remote: String?, isOwn: Bool? = nil
  ) async throws -> (share: PersonalShare, server: Server) {
    let shares = NameResolver<(share: PersonalShare, server: Server)>(
      id: { $0.share.id }, name: { $0.share.title }, takesWords: true, plural: "shares",
      list: "cloudsync share list")
    let all = try await self.shares(remote).filter { share in
      isOwn.map { $0 == (share.share.role == .owner) } ?? true
    }
    return try shares.one(text, of: all) { "there is no such share '\($0)'" }
  }

  /// Syncs one domain with one server, so that both sides have the current state of a share.
  ///
  /// - Throws: ``SyncError`` of the run; `store.busy` if another one is active for half a minute.
  @discardableResult
  func exchange(_ domain: String, with remote: String) async throws -> SyncReport {
    let lock = try await lock(domain, wait: .seconds(30))
    defer { lock.release() }
    var options = SyncOptions()
    let settings = configuration[domain: domain]?.settings ?? configuration.defaults
    options.massDeleteGuard = MassDeleteGuard(share: settings.maximumDelete.fraction)
    if let configured = configuration[remote: remote] {
      try await exchangeStatements(on: configured, for: domain)
      try await updateShares(on: configured, for: domain)
    }
    let engine = try SyncEngine(
      store: store(domain), remotes: [self.remote(remote, for: domain)])
    return try await engine.syncNow(options)
  }
}

extension PersonalShare {
  /// The participant for a name or id; former ones are ignored.
  ///
  /// - Throws: ``SyncError`` `record.not-found`, or `usage` if several fit.
  func participant(_ text: String) throws -> WireParticipant {
    let people = NameResolver<WireParticipant>(
      id: { $0.id }, name: { $0.name }, plural: "participants",
      list: "cloudsync share list --json")
    let there = share.participants.filter { $0.state != .removed || $0.id == text }
    return try people.one(text, of: there) {
      "'\($0)' does not take part in '\(Sanitized.line(share.title))'"
    }
  }
}
