import SyncKitFormats
import SyncKit
import SyncWire

@testable import SyncKitServer

/// A row of the authorization matrix: how a route is asked, and what it has to answer.
struct AuthorizationRow: Sendable {
  /// What is sent.
  enum Body: Sendable {
    case none
    case json(JSON)
    case segments([UInt8])
  }

  /// The caller's relation to what is asked about.
  enum Relation: Sendable {
    case owner, reader, writer, invited, removed, left, stranger
  }

  let body: @Sendable (AuthorizationWorld) throws -> Body
  /// The status for a caller whose token is good and of the right scope.
  let status: @Sendable (Relation, AuthorizationRole, AuthorizationTarget) -> Int

  init(
    body: @escaping @Sendable (AuthorizationWorld) throws -> Body = { _ in .none },
    _ status: @escaping @Sendable (Relation, AuthorizationRole, AuthorizationTarget) -> Int
  ) {
    self.body = body
    self.status = status
  }

  init(
    body: @escaping @Sendable (AuthorizationWorld) throws -> Body = { _ in .none }, _ status: Int
  ) {
    self.init(body: body) { _, _, _ in status }
  }

  static func relation(_ role: AuthorizationRole, _ target: AuthorizationTarget) -> Relation {
    switch target {
    case .own: return .owner
    case .foreign, .absent: return .stranger
    case .shared: break
    }
    switch role {
    case .readToken, .syncToken, .manageToken: return .owner
    case .guestReader: return .reader
    case .guestWriter: return .writer
    case .invited: return .invited
    case .removedGuest: return .removed
    case .leftGuest: return .left
    default: return .stranger
    }
  }

  /// One row for each route, by method and path.
  static let all: [String: AuthorizationRow] = [
    "GET /healthz": Self(200),
    "GET /openapi.json": Self(200),
    "GET /readyz": Self(200),
    "POST /v1/join": Self(
      body: { _ in
        .json(JoinRequest(code: "0000-0000", device: WireName(id: "x", name: "X")).json)
      }, 410),
    "GET /v1/account": Self(200),
    "GET /v1/audit": Self(200),
    "GET /v1/devices": Self(200),
    "PATCH /v1/devices/{device}": Self(body: { _ in .json(["name": "Renamed"]) }) {
      relation, _, _ in
      relation == .owner ? 200 : 404
    },
    "DELETE /v1/devices/{device}": Self { relation, _, _ in relation == .owner ? 200 : 404 },
    "GET /v1/devices/{device}/made": Self { relation, _, _ in relation == .owner ? 200 : 404 },
    "POST /v1/pairings": Self(201),
    "GET /v1/tokens": Self(200),
    "POST /v1/tokens": Self(body: { _ in .json(["name": "Made", "scope": "read"]) }, 201),
    "DELETE /v1/tokens/{token}": Self { relation, _, _ in relation == .owner ? 200 : 404 },
    "GET /v1/tokens/{token}/made": Self { relation, _, _ in relation == .owner ? 200 : 404 },
    "GET /v1/vault": Self(200),
    "PUT /v1/vault/{root}": Self(204),
    "DELETE /v1/vault/{root}": Self(404),
    "GET /v1/domains/{domain}/feed": Self(200),
    "POST /v1/domains/{domain}/segments": Self(
      body: { world in
        let series = ReplicaID(high: .random(in: .min ... .max), low: 1)
        var bytes: [UInt8] = []
        SegmentFrames.append(
          try TestSegments(zone: world.zone, series: series).segment(1).bytes, to: &bytes)
        return .segments(bytes)
      }, 200),
    "POST /v1/domains/{domain}/segments/fetch": Self(
      body: { .json(["cursors": [.int(Int64($0.cursor))]]) }, 200),
    "POST /v1/domains/{domain}/segments/remove": Self(
      body: { .json(["cursors": [.int(Int64($0.cursor))]]) }, 200),
    "POST /v1/domains/{domain}/segments/clear": Self(
      body: { .json(["cursors": [.int(Int64($0.cursor))]]) }, 200),
    "GET /v1/domains/{domain}/segments/{cursor}": Self { relation, _, _ in
      relation == .owner || relation == .reader || relation == .writer ? 200 : 404
    },
    // A caller without a part in the zone withdraws its own zone of the same name.
    "PUT /v1/domains/{domain}/zones/{zone}/erasure": Self(
      body: { _ in .json(["confirmations": []]) }
    ) { relation, role, _ in
      switch relation {
      case .owner, .stranger, .invited: role.scope == .manage ? 204 : 403
      case .reader, .writer, .removed, .left: 403
      }
    },
    "GET /v1/events": Self(200),
    "GET /v1/shares": Self(200),
    "POST /v1/shares": Self(
      body: {
        .json(ShareRequest(domain: TestSegments.domain, zone: $0.zone, title: "Again").json)
      }
    ) { relation, _, _ in relation == .owner ? 200 : 404 },
    "DELETE /v1/shares/{share}": Self { relation, _, _ in ofOwner(relation, 204) },
    "POST /v1/shares/{share}/invitations": Self(
      body: { _ in .json(InvitationRequest(role: .reader, name: "Third").json) }
    ) { relation, _, _ in ofOwner(relation, 201) },
    "POST /v1/invitations/accept": Self(body: { .json(["secret": .string($0.secret)]) }) {
      relation, _, target in
      switch (relation, target) {
      case (.owner, _): 409
      case (_, .shared): 200
      // Another account's is spent, one of no account was never given.
      default: 410
      }
    },
    "PATCH /v1/shares/{share}/participants/{participant}": Self(
      body: { _ in .json(["role": "writer"]) }
    ) { relation, _, _ in ofOwner(relation, 200) },
    "DELETE /v1/shares/{share}/participants/{participant}": Self { relation, role, _ in
      switch relation {
      case .owner: role.scope == .manage ? 204 : 403
      case .reader, .writer, .removed, .left: 204
      case .invited, .stranger: 404
      }
    },
  ]

  private static func ofOwner(_ relation: Relation, _ status: Int) -> Int {
    switch relation {
    case .owner: status
    case .reader, .writer: 403
    case .invited, .removed, .left, .stranger: 404
    }
  }
}
