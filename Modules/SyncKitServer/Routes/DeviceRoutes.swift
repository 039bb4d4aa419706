import SyncKitText
import Hummingbird
import SyncWire

extension ServerRoutes {
  static let deviceRoutes: [ServerRoute] = [
    ServerRoute(
      .get, "/v1/devices", .read, about: .account, "Lists the devices of the account.",
      gives: [200: "Devices"]
    ) { request in
      let devices = try await request.storage.devices(request.caller)
      return request.answer(["devices": .array(devices.map(\.json))])
    },
    ServerRoute(
      .patch, "/v1/devices/{device}", .manage, about: .device, "Renames a device.", body: .json,
      takes: "Name", gives: [200: "Device"]
    ) { request in
      let device = try request.part("device")
      let name = try await request.json().required("name")
      return request.answer(
        try await request.storage.rename(device: device, name, request.caller))
    },
    ServerRoute(
      .delete, "/v1/devices/{device}", .manage, about: .device,
      "Removes a device; its tokens and event streams end, with everything made with them.",
      gives: [200: "Ended"]
    ) { request in
      request.answer(
        try await request.storage.remove(device: request.part("device"), request.caller))
    },
    ServerRoute(
      .get, "/v1/devices/{device}/made", .manage, about: .device,
      "Lists what would end with a device, and what it has let in.", gives: [200: "Ended"]
    ) { request in
      request.answer(
        try await request.storage.made(byDevice: request.part("device"), request.caller))
    },
    ServerRoute(
      .post, "/v1/pairings", .manage, about: .account, "Creates a code for another device.",
      gives: [201: "PairingCode"]
    ) { request in
      request.answer(try await request.storage.pair(request.caller), .created)
    },
  ]
}

extension JSON {
  /// A text that has to be there.
  func required(_ key: String) throws -> String {
    guard let text = self[key]?.string else { throw WireFault("'\(key)' must be a string") }
    return text
  }
}
