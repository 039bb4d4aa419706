import Hummingbird
import NIOCore
import SyncKitFormats

extension WebSite {
  static let newsRoutes: [Route] = [
    Route(.get, "news") { site, _ in site.news() }
  ]

  /// How often the state is asked for while a page is open.
  private static let pause = Duration.seconds(2)
  /// How often when a sync runs.
  private static let shortPause = Duration.milliseconds(500)

  /// Tells a page that is open, as server-sent events, whenever the state of the domains has changed.
  ///
  /// It ends with the connection, or with the process.
  private func news() -> WebAnswer {
    let site = self
    return WebAnswer(
      stream: ResponseBody { writer in
        var writer = writer
        var known: String?
        while !Task.isCancelled {
          let state = try? await site.state()
          if let state, state.text != known {
            // The first state is what the page shows already.
            let event = known == nil ? ": \n\n" : "event: change\ndata: {}\n\n"
            known = state.text
            try await writer.write(ByteBuffer(string: event))
          } else {
            try await writer.write(ByteBuffer(string: ": \n\n"))
          }
          try await Task.sleep(for: state?.isSyncing == true ? Self.shortPause : Self.pause)
        }
        try await writer.finish(nil)
      }, "text/event-stream")
  }

  /// What a page shows of the domains, and whether one syncs.
  private func state() async throws -> (text: String, isSyncing: Bool) {
    let document = try await document(["status"])
    let domains = document["domains"]?.array ?? []
    return (
      document.text(), domains.contains { $0["state"]?.string == "syncing" }
    )
  }
}
