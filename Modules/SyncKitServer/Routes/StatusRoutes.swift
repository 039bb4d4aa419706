import SyncKitText
import Hummingbird
import SyncWire

extension ServerRoutes {
  static let statusRoutes: [ServerRoute] = [
    ServerRoute(
      .get, "/healthz", nil, about: .open, "Says whether the process answers.",
      gives: [200: "Health"]
    ) { $0.answer(["status": "ok"]) },
    ServerRoute(
      .get, "/readyz", nil, about: .open, "Says whether the server can store what it gets.",
      gives: [200: "Health"]
    ) { request in
      try await request.storage.probe()
      return request.answer(["status": "ok"])
    },
    ServerRoute(
      .get, "/openapi.json", nil, about: .open, "Returns this description.",
      gives: [200: "Description"]
    ) { $0.answer(OpenAPIDocument.json) },
  ]
}
