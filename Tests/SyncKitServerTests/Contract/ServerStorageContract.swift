import SyncKit
import SyncKitTesting
import SyncWire

@testable import SyncKitServer

/// A fresh storage, and what its operator does to it.
struct ServerStoragePlace: Sendable {
  var storage: any ServerStorage
  var clock: VirtualClock
  /// Makes an account with a quota, and a code with which its first device joins.
  var account: @Sendable (_ name: String, _ maximumBytes: Int64?) async throws -> String
}

/// What every ``ServerStorage`` promises, as checks.
struct ServerStorageContract: Sendable {
  let make: @Sendable () async throws -> ServerStoragePlace

  static let domain = TestSegments.domain

  /// A person with a device.
  struct Person: Sendable {
    var account: String
    var token: TokenText

    func asks(_ scope: TokenScope = .manage) -> Caller {
      Caller(token, needs: scope, address: "contract")
    }
  }

  static func person(
    _ place: ServerStoragePlace, _ name: String, maximumBytes: Int64? = nil
  ) async throws -> Person {
    let code = try await place.account(name, maximumBytes)
    let device = WireName(id: "device", name: "Device")
    let joined = try await place.storage.join(
      JoinRequest(code: code, device: device), address: "contract")
    guard let token = TokenText(joined.token) else { throw ContractViolation("no token") }
    return Person(account: joined.account.id, token: token)
  }

  static func expect(_ condition: Bool, _ observation: @autoclosure () -> String) throws {
    guard condition else { throw ContractViolation(observation()) }
  }

  static func expectRefusal(
    _ code: WireError.Code, _ what: String, _ body: () async throws -> Void
  ) async throws {
    do {
      try await body()
    } catch let error as WireError {
      return try expect(error.code == code, "\(what) was refused with '\(error.code)'")
    }
    throw ContractViolation("\(what) was not refused")
  }

  static func store(
    _ segments: [Segment], _ person: Person, _ place: ServerStoragePlace
  ) async throws -> [StoreResult] {
    try await place.storage.store(
      segments.map { .checked($0) }, in: domain, person.asks(.sync))
  }

  static func feed(
    _ person: Person, _ place: ServerStoragePlace, epoch: String? = nil, after: UInt64 = 0,
    inside: String? = nil, limit: Int = 5_000
  ) async throws -> FeedPage {
    try await place.storage.feed(
      domain,
      FeedQuestion(
        epoch: epoch, after: after, inside: inside.flatMap { FeedOffset($0) }, limit: limit),
      person.asks(.read))
  }

  /// Lets a guest into a zone.
  static func share(
    _ zone: ZoneID, of owner: Person, with guest: Person, as role: ZoneAccess.Role,
    _ place: ServerStoragePlace
  ) async throws -> (share: String, participant: String) {
    let share = try await place.storage.share(
      ShareRequest(domain: domain, zone: zone, title: "Shared"), owner.asks()
    ).share.id
    let invitation = try await place.storage.invite(
      InvitationRequest(role: role, name: "Guest"), to: share, owner.asks())
    guard let secret = TokenText(invitation.secret) else { throw ContractViolation("no secret") }
    _ = try await place.storage.accept(secret, showing: nil, guest.asks(.sync))
    return (share, invitation.participant.id)
  }
}
