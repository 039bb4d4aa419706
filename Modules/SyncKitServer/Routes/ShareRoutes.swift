import SyncKitText
import Hummingbird
import SyncWire

extension ServerRoutes {
  static let shareRoutes: [ServerRoute] = [
    ServerRoute(
      .get, "/v1/shares", .read, about: .account,
      "Lists the shares that the account owns or takes part in.", gives: [200: "Shares"]
    ) { request in
      let shares = try await request.storage.shares(request.caller)
      return request.answer(["shares": .array(shares.map(\.json))])
    },
    ServerRoute(
      .post, "/v1/shares", .manage, about: .account, "Shares a zone, or finds its share.",
      body: .json, takes: "ShareRequest", gives: [200: "Share", 201: "Share"]
    ) { request in
      let message = try await request.message(ShareRequest.self)
      let (share, isNew) = try await request.storage.share(message, request.caller)
      return request.answer(share, isNew ? .created : .ok)
    },
    ServerRoute(
      .delete, "/v1/shares/{share}", .manage, about: .share,
      "Ends a share: all participants are removed, the zone stays.", gives: [204: nil]
    ) { request in
      try await request.storage.end(share: request.part("share"), request.caller)
      return request.done()
    },
    ServerRoute(
      .post, "/v1/shares/{share}/invitations", .manage, about: .share,
      "Invites a person; the secret is shown once.", body: .json, takes: "InvitationRequest",
      gives: [201: "Invitation"]
    ) { request in
      let share = try request.part("share")
      let message = try await request.message(InvitationRequest.self)
      return request.answer(
        try await request.storage.invite(message, to: share, request.caller), .created)
    },
    ServerRoute(
      .post, "/v1/invitations/accept", .sync, about: .invitation,
      "Joins a share with an invitation.",
      body: .json, takes: "Acceptance", gives: [200: "Share"]
    ) { request in
      let message = try await request.message(Acceptance.self)
      guard let secret = TokenText(message.secret), secret.kind == .invitation else {
        throw Refusal.gone
      }
      return request.answer(
        try await request.storage.accept(secret, showing: message.card, request.caller))
    },
  ]
}
