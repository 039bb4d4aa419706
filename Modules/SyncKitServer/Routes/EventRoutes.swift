import SyncKitText
import HTTPTypes
import Hummingbird
import NIOCore
import SyncWire

extension ServerRoutes {
  static let eventRoutes: [ServerRoute] = [
    ServerRoute(
      .get, "/v1/events", .read, about: .account, "Streams news as they arrive.",
      gives: [200: "Events"]
    ) { request in
      let identity = try await request.storage.identity(request.caller)
      guard let listener = request.state.news.listen(identity) else {
        throw WireError(.unavailable, "The server is shutting down; try again.", retryAfter: 1)
      }
      return Response(
        status: .ok, headers: [.contentType: WireProtocol.events],
        body: EventStream.body(listener, request))
    }
  ]
}

/// The bytes of a stream of news, as server-sent events.
///
/// Source: [HTML, server-sent events](https://html.spec.whatwg.org/multipage/server-sent-events.html).
enum EventStream {
  static let ready = "event: ready\ndata: {}\n\n"
  static let beat = ": \n\n"

  static func text(_ word: NewsHub.Word) -> String {
    switch word {
    case .beat: return beat
    case .news(let domains, let id):
      return domains.map { domain in
        let data: JSON = ["domain": .string(domain)]
        return "event: news\nid: \(id)\ndata: \(data.text())\n\n"
      }.joined()
    }
  }

  static func body(_ listener: Listener, _ request: ServerRequest) -> ResponseBody {
    let state = request.state
    let incoming = request.request.body
    let caller = request.sender
    // Also when the body is never asked for.
    let guardian = Guardian(listener, state.news)
    return ResponseBody { writer in
      defer { guardian.leave() }
      var output = writer
      try await incoming.consumeWithInboundCloseHandler { _ in
        // The token may have ended between the look at it and the listening.
        guard let caller, (try? await state.storage.identity(caller)) != nil else { return }
        try await output.write(ByteBuffer(string: ready))
        while let word = await listener.next() {
          try await output.write(ByteBuffer(string: text(word)))
        }
      } onInboundClosed: {
        listener.end()
      }
      try await output.finish(nil)
    }
  }

  /// Ends a listener when the answer is done, or is thrown away unwritten.
  private final class Guardian: Sendable {
    private let listener: Listener
    private let hub: NewsHub

    init(_ listener: Listener, _ hub: NewsHub) {
      self.listener = listener
      self.hub = hub
    }

    func leave() { hub.leave(listener) }
    deinit { leave() }
  }
}
