import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKitHTTP
import SyncKit
import SyncKitEncryption
import SyncWire

/// The roles of a guest.
enum GuestRole: String, ExpressibleByArgument, CaseIterable {
  case reader, writer

  var value: ZoneAccess.Role { self == .reader ? .reader : .writer }
}

/// The command `cloudsync <domain> share RECORD --with NAME`, for domains whose roots can be shared.
struct RecordShare<D: DomainRegistration>: ContextCommand {
  static var configuration: CommandConfiguration {
    let name = D.domain.name
    let noun = D.sharedNoun ?? "record"
    return CommandConfiguration(
      commandName: "share",
      abstract: "Let other people view or edit a \(noun) and everything below it.",
      discussion: examples(
        "cloudsync \(name) share \(D.shareExample) --with Anna",
        "cloudsync \(name) share \(D.shareExample) --with Anna --with Ben --role writer",
        after: """
          Prints a link for each person; it is valid for one person and seven days. Give it to no \
          one else. The guest runs 'cloudsync share accept LINK'. A \(noun) that is only on this \
          device is published first, after a confirmation. Use 'cloudsync share' to see and change \
          the share.
          """))
  }

  @Argument(help: "What to share: its id or its name.", completion: recordCompletion(D.self))
  var record: String
  @Option(name: .customLong("with"), help: ArgumentHelp("Whom to invite.", valueName: "name"))
  var guests: [String] = []
  @Option(help: ArgumentHelp("What they may do: reader or writer.", valueName: "role"))
  var role: GuestRole = .reader
  @OptionGroup var server: ServerOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    guard !guests.isEmpty else { throw ValidationError("name a guest: --with NAME") }
    for guest in guests where guest.trimmingSpaces.isEmpty || guest.utf8.count > 100 {
      throw ValidationError("a guest's name must have 1 to 100 bytes")
    }
  }

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let domain = D.domain.name
    let store = try session.store(domain)
    let server = try session.sharingServer(of: domain, server.remote)
    let encrypted = session.configuration[remote: server.name].flatMap { $0.isEncrypted ? $0 : nil }
    if let encrypted { try await session.checkCard(on: encrypted) }
    let root = try root(in: store)
    let title = D.shareTitle(of: root)
    if let access = root.access, access.role.isGuest {
      throw SyncError(
        .shareReadOnly, "'\(Sanitized.line(title))' belongs to \(Sanitized.line(access.owner))",
        hint: "only its owner can share it")
    }
    if root.scope == .local {
      let name = Sanitized.line(title)
      guard try context.confirm("\(name) is on this device only. Publish and share it?") else {
        throw SyncError(.usage, "nothing was shared: '\(name)' stays on this device")
      }
      try store.setScope(.synced, of: root.key)
    }
    // The server shares its own data, under the current name of the tree.
    try await session.exchange(domain, with: server.name)
    let zone = try self.root(in: store).key.zone
    let share: WireShare
    if let encrypted {
      let place = try session.encrypted(encrypted, for: domain).place(of: zone, in: domain)
      share = try await server.client.share(
        place.zone, of: place.domain, title: Session.concealed)
    } else {
      share = try await server.client.share(zone, of: domain, title: title)
    }
    var personal = try session.personal(share, on: server)
    (personal.domain, personal.zone, personal.title) = (domain, zone, title)
    let invitations = try await invite(to: personal, session, server, encrypted)
    try await session.exchange(domain, with: server.name)
    let now = try await server.client.shares().first { $0.id == share.id }
    print(
      try now.map { try session.personal($0, on: server) } ?? personal, invitations, server, context
    )
  }

  // MARK: Steps

  private func root(in store: SyncStore) throws -> Record {
    guard let collection = D.domain.schema.collections.first(where: { $0.placement == .root })
    else { throw SyncError(.usage, "the domain \(D.domain.name) has nothing to share") }
    let prefix = "\(collection.name)/"
    let record =
      self.record.hasPrefix(prefix) ? String(self.record.dropFirst(prefix.count)) : self.record
    let address = try RecordAddress(record, in: D.domain, collection: collection.name.text)
    do {
      return try address.liveRecord(in: store)
    } catch let error as SyncError where error.code == .notFound {
      let wanted = record.lowercased()
      let named = try store.records(collection.name).filter {
        D.shareTitle(of: $0).lowercased() == wanted
      }
      guard let first = named.first else { throw error }
      guard named.count == 1 else {
        throw SyncError(
          .usage, "several are called '\(Sanitized.line(record))'",
          hint: "name one by its id: \(named.map(\.key.id.text).joined(separator: ", "))")
      }
      return first
    }
  }

  private func invite(
    to share: PersonalShare, _ session: Session, _ server: Session.Server,
    _ encrypted: Configuration.Remote?
  ) async throws -> [(name: String, link: String?, expires: Int64?)] {
    var made: [(name: String, link: String?, expires: Int64?)] = []
    for guest in guests.map(\.trimmingSpaces) {
      let known = share.participants.filter { $0.name.lowercased() == guest.lowercased() }
      if known.contains(where: { $0.state == .accepted }) {
        made.append((guest, nil, nil))
        continue
      }
      // Its link may be lost; the new one must be the only one.
      for pending in known where pending.state == .pending {
        try await session.remove(pending.id, from: share, server)
      }
      let invitation = try await server.client.invite(
        encrypted == nil ? guest : Session.concealed, to: share.id, as: role.value)
      var code: RecoveryCode?
      if let encrypted {
        code = try await session.invite(
          invitation.participant, called: guest, to: share.zone, of: share.domain,
          titled: share.title, on: encrypted)
      }
      let link = ServerLink(
        .share, at: server.client.address, secret: invitation.secret, key: code?.text)
      made.append((guest, link.text, invitation.expires))
    }
    return made
  }

  private func print(
    _ share: PersonalShare, _ invitations: [(name: String, link: String?, expires: Int64?)],
    _ server: Session.Server, _ context: CommandContext
  ) {
    var text = "\(share.title): \(share.summary)\n"
    for invitation in invitations {
      guard let link = invitation.link, let expires = invitation.expires else {
        text += "\(invitation.name) already takes part\n"
        continue
      }
      text += "for \(invitation.name), until \(LocalTime.text(expires)):\n  \(link)\n"
    }
    context.print(
      share, on: server.name,
      [
        "invitations": .array(
          invitations.map { invitation in
            [
              "name": .string(invitation.name),
              "link": invitation.link.map { .string($0) } ?? .null,
              "expires": invitation.expires.map {
                .string(Timestamp.format(milliseconds: $0))
              } ?? .null,
            ]
          })
      ], text: text)
  }
}
