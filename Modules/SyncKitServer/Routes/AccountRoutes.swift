import SyncKitText
import Hummingbird
import SyncWire

extension ServerRoutes {
  static let accountRoutes: [ServerRoute] = [
    ServerRoute(
      .get, "/v1/account", .read, about: .account, "Shows the account, its usage and its limits.",
      gives: [200: "AccountState"]
    ) { request in
      request.answer(try await request.storage.account(request.caller))
    },
    ServerRoute(
      .get, "/v1/audit", .manage, about: .account,
      "Lists what was done to the account, newest first.",
      gives: [200: "Audit"]
    ) { request in
      let limit = try request.limit(usual: 100, most: 1_000)
      let entries = try await request.storage.audit(request.caller, limit: limit)
      return request.answer(["entries": .array(entries.map(\.json))])
    },
  ]
}
