import SyncKitFormats
import SyncKit
import SyncKitTesting
import SyncWire

@testable import SyncKitServer

/// The callers in the authorization matrix.
enum AuthorizationRole: String, CaseIterable, Sendable {
  case anonymous, malformed, expired, revoked
  case readToken, syncToken, manageToken
  case guestReader, guestWriter, invited, removedGuest, leftGuest, otherAccount

  var hasToken: Bool {
    switch self {
    case .anonymous, .malformed, .expired, .revoked: false
    default: true
    }
  }

  var scope: TokenScope {
    switch self {
    case .readToken: .read
    case .syncToken: .sync
    default: .manage
    }
  }

  /// Whether it asks by a token of the account that owns what is shared.
  var isOwner: Bool {
    switch self {
    case .readToken, .syncToken, .manageToken: true
    default: false
    }
  }
}

/// What is asked about.
enum AuthorizationTarget: String, CaseIterable, Sendable {
  /// Of the account that asks, and no other.
  case own
  /// Of an account that shares it, with the caller in the part that the role says.
  case shared
  /// Of another account.
  case foreign
  /// Of no account.
  case absent
}

/// Everything that one cell of the matrix can ask about, fresh for each.
struct AuthorizationWorld: Sendable {
  var token: String?
  var device: String
  var otherToken: String
  var zone: ZoneID
  var cursor: UInt64
  var share: String
  var participant: String
  var secret: String
  /// A token with which the owner of what is asked about looks at it afterwards; nil when absent.
  var ownerToken: String?

  static func make(
    _ server: TestServer, _ role: AuthorizationRole, _ target: AuthorizationTarget
  ) async throws -> AuthorizationWorld {
    let storage = server.state.storage
    let caller = try await person(server, "caller")
    let sharer = role.isOwner ? caller : try await person(server, "sharer")
    let foreigner = try await person(server, "foreigner")
    let owner: Human? =
      switch target {
      case .own: caller
      case .shared: sharer
      case .foreign: foreigner
      case .absent: nil
      }
    let token = try await token(server, role, caller)
    let zone = ZoneID("zone-" + random().prefix(12))
    guard let owner else {
      return AuthorizationWorld(
        token: token, device: random(), otherToken: String(random().prefix(13)), zone: zone,
        cursor: 9_000_000, share: String(random().prefix(16)),
        participant: String(random().prefix(16)),
        secret: TokenText(.invitation, from: server.environment).text, ownerToken: nil)
    }
    let manage = owner.caller
    let segment = try TestSegments(zone: zone).segment(1)
    let stored = try await storage.store([.checked(segment)], in: TestSegments.domain, manage)
    let cursor = stored[0].cursor ?? 0
    let device = random()
    let code = try await storage.pair(manage)
    _ = try await storage.join(
      JoinRequest(code: code.code, device: WireName(id: device, name: "Spare")), address: "test")
    let spare = try await storage.makeToken("Spare", .read, expires: nil, manage)
    var world = AuthorizationWorld(
      token: token, device: device, otherToken: spare.id, zone: zone, cursor: cursor, share: "",
      participant: "", secret: "", ownerToken: owner.token)

    let request = ShareRequest(domain: TestSegments.domain, zone: zone, title: "Shared")
    world.share = try await storage.share(request, manage).share.id
    let invitation = try await storage.invite(
      InvitationRequest(role: role == .guestWriter ? .writer : .reader, name: "Guest"),
      to: world.share, manage)
    world.participant = invitation.participant.id
    world.secret = try await storage.invite(
      InvitationRequest(role: .reader, name: "Second"), to: world.share, manage
    ).secret
    if target == .shared, !role.isOwner {
      try await take(invitation, role, world, caller, manage, storage)
    } else if target == .foreign, let secret = TokenText(world.secret) {
      let friend = try await person(server, "friend")
      _ = try await storage.accept(secret, showing: nil, friend.caller)
    }
    return world
  }

  private static func take(
    _ invitation: Invitation, _ role: AuthorizationRole, _ world: AuthorizationWorld,
    _ guest: Human, _ owner: Caller, _ storage: any ServerStorage
  ) async throws {
    switch role {
    case .guestReader, .guestWriter, .removedGuest, .leftGuest: break
    default: return
    }
    guard let secret = TokenText(invitation.secret) else { return }
    _ = try await storage.accept(secret, showing: nil, guest.caller)
    let participant = invitation.participant.id
    if role == .removedGuest {
      try await storage.remove(participant: participant, of: world.share, owner)
    } else if role == .leftGuest {
      try await storage.remove(participant: participant, of: world.share, guest.caller)
    }
  }

  private struct Human {
    var account: String
    var token: String
    var caller: Caller
  }

  private static func person(_ server: TestServer, _ name: String) async throws -> Human {
    let account = try await server.administration.makeAccount("\(name) \(random())")
    let token = try await server.administration.makeToken(
      for: account.id, name: "All", scope: .manage)
    guard let text = token.secret, let parsed = TokenText(text) else {
      throw TestFailure("a token bears no secret")
    }
    return Human(
      account: account.id, token: text,
      caller: Caller(parsed, needs: .manage, address: "test"))
  }

  private static func token(
    _ server: TestServer, _ role: AuthorizationRole, _ caller: Human
  ) async throws -> String? {
    switch role {
    case .anonymous: return nil
    case .malformed: return caller.token.dropLast() + (caller.token.hasSuffix("a") ? "b" : "a")
    case .expired:
      let token = try await server.administration.makeToken(
        for: caller.account, name: "Short", scope: .manage, expires: server.clock.now + 1_000)
      server.clock.advance(by: 2_000)
      return token.secret
    case .revoked:
      let token = try await server.administration.makeToken(
        for: caller.account, name: "Lost", scope: .manage)
      try await server.administration.revoke(token: token.id)
      return token.secret
    case .readToken, .syncToken:
      return try await server.administration.makeToken(
        for: caller.account, name: "Narrow", scope: role.scope
      ).secret
    default: return caller.token
    }
  }

  private static func random() -> String {
    Base32.encode((0..<16).map { _ in UInt8.random(in: .min ... .max) })
  }
}

struct TestFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
