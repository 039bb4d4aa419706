import SyncKitText
import Hummingbird
import SyncKit
import SyncWire

extension ServerRoutes {
  static let participantRoutes: [ServerRoute] = [
    ServerRoute(
      .patch, "/v1/shares/{share}/participants/{participant}", .manage, about: .participant,
      "Changes a participant's role.", body: .json, takes: "Role",
      gives: [200: "Participant"]
    ) { request in
      let share = try request.part("share")
      let participant = try request.part("participant")
      let text = try await request.json().required("role")
      guard let role = ZoneAccess.Role(rawValue: text), role == .reader || role == .writer else {
        throw WireFault("'role' must be 'reader' or 'writer'")
      }
      return request.answer(
        try await request.storage.change(
          participant: participant, of: share, to: role, request.caller))
    },
    ServerRoute(
      .delete, "/v1/shares/{share}/participants/{participant}", .sync, about: .participant,
      "Removes a participant, or leaves the share.", gives: [204: nil]
    ) { request in
      try await request.storage.remove(
        participant: request.part("participant"), of: request.part("share"), request.caller)
      return request.done()
    },
  ]
}
