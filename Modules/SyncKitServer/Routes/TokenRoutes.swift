import SyncKitText
import Hummingbird
import SyncWire

extension ServerRoutes {
  static let tokenRoutes: [ServerRoute] = [
    ServerRoute(
      .get, "/v1/tokens", .manage, about: .account, "Lists the tokens, without their secrets.",
      gives: [200: "Tokens"]
    ) { request in
      let tokens = try await request.storage.tokens(request.caller)
      return request.answer(["tokens": .array(tokens.map(\.json))])
    },
    ServerRoute(
      .post, "/v1/tokens", .manage, about: .account, "Creates a token; its secret is shown once.",
      body: .json, takes: "TokenRequest", gives: [201: "Token"]
    ) { request in
      let json = try await request.json()
      let name = try json.required("name")
      guard let scope = TokenScope(rawValue: try json.required("scope")) else {
        throw WireFault("'scope' must be 'read', 'sync' or 'manage'")
      }
      var expires: Int64?
      if let value = json["expires"], !value.isNull {
        guard let number = value.int else { throw WireFault("'expires' must be an integer") }
        expires = number
      }
      let token = try await request.storage.makeToken(
        name, scope, expires: expires, request.caller)
      return request.answer(token, .created)
    },
    ServerRoute(
      .delete, "/v1/tokens/{token}", .manage, about: .token,
      "Ends a token at once, with everything made with it.", gives: [200: "Ended"]
    ) { request in
      request.answer(
        try await request.storage.revoke(token: request.part("token"), request.caller))
    },
    ServerRoute(
      .get, "/v1/tokens/{token}/made", .manage, about: .token,
      "Lists what would end with a token, and what it has let in.", gives: [200: "Ended"]
    ) { request in
      request.answer(
        try await request.storage.made(byToken: request.part("token"), request.caller))
    },
  ]
}
