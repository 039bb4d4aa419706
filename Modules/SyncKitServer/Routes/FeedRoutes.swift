import Hummingbird
import SyncWire

extension ServerRoutes {
  static let feedRoutes: [ServerRoute] = [
    ServerRoute(
      .get, "/v1/domains/{domain}/feed", .read, about: .domain,
      "Lists what a domain has received after a position.", gives: [200: "FeedPage"]
    ) { request in
      let inside = try request.query("inside").map { text in
        guard let place = FeedOffset(text) else {
          throw WireError(.invalid, "'inside' must be the value from the previous page.")
        }
        return place
      }
      let question = FeedQuestion(
        epoch: request.query("epoch"), after: try request.number("after") ?? 0, inside: inside,
        limit: try request.limit(usual: WireProtocol.pageCount, most: WireProtocol.pageCount))
      return request.answer(
        try await request.storage.feed(request.part("domain"), question, request.caller))
    }
  ]
}
