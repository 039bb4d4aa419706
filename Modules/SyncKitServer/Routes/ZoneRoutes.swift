import SyncKitText
import Hummingbird
import SyncKit
import SyncWire

extension ServerRoutes {
  static let zoneRoutes: [ServerRoute] = [
    ServerRoute(
      .put, "/v1/domains/{domain}/zones/{zone}/erasure", .sync, about: .zone,
      "Erases a zone for good, and notes which replicas have removed it.", body: .json,
      takes: "Erasure",
      gives: [204: nil]
    ) { request in
      let domain = try request.part("domain")
      let zone = ZoneID(try request.part("zone"))
      let json = try await request.json()
      guard let list = json["confirmations"] else {
        throw WireFault("'confirmations' must be a list")
      }
      let confirmations = try ErasureConfirmations(json: list).confirmations
      try await request.storage.erase(zone, of: domain, confirmations, request.caller)
      return request.done()
    }
  ]
}
