import Hummingbird
import SyncWire

extension ServerRoutes {
  static let joinRoutes: [ServerRoute] = [
    ServerRoute(
      .post, "/v1/join", nil, about: .open, "Lets a device in with a code.", body: .json,
      takes: "JoinRequest", gives: [201: "Joined"]
    ) { request in
      try request.state.limits.check(.joins, request.address)
      let message = try await request.message(JoinRequest.self)
      do {
        let joined = try await request.storage.join(message, address: request.address)
        return request.answer(joined, .created)
      } catch let error as WireError where error.code == .gone {
        try request.state.limits.take(.joins, request.address)
        throw error
      }
    }
  ]
}
