import SyncKitText
import Hummingbird
import SyncWire

extension ServerRoutes {
  static let vaultRoutes: [ServerRoute] = [
    ServerRoute(
      .get, "/v1/vault", .read, about: .account, "Lists the ids of the account's vaults.",
      gives: [200: "Vault"]
    ) { request in
      let roots = try await request.storage.roots(request.caller)
      return request.answer(["roots": .array(roots.map { .string($0) })])
    },
    ServerRoute(
      .put, "/v1/vault/{root}", .sync, about: .account, "Adds the id of a vault.",
      gives: [204: nil]
    ) { request in
      try await request.storage.add(root: request.part("root"), request.caller)
      return request.done()
    },
    ServerRoute(
      .delete, "/v1/vault/{root}", .manage, about: .account, "Removes the id of a vault.",
      gives: [204: nil]
    ) { request in
      try await request.storage.remove(root: request.part("root"), request.caller)
      return request.done()
    },
  ]
}
