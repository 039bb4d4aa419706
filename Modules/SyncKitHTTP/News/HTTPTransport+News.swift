import SyncKitText
public import SyncKit
import SyncWire

extension HTTPTransport: LiveTransport {
  public func news() -> AsyncThrowingStream<RemoteNews, any Error> {
    let connection = connection
    // A listener takes them at once; one that does not is told that it has missed some.
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: RemoteNews.self, bufferingPolicy: .bufferingOldest(256))
    let task = Task {
      do {
        var request = ServerRequest.get("/events")
        request.answerType = WireProtocol.events
        var parser = EventParser()
        let server = connection.settings.address
        try await connection.stream(request) { part in
          for news in try Self.news(in: part, &parser, from: server) {
            guard case .enqueued = continuation.yield(news) else { return false }
          }
          return true
        }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  /// The news in what has come of a stream.
  private static func news(
    in part: [UInt8], _ parser: inout EventParser, from server: ServerAddress
  ) throws -> [RemoteNews] {
    guard let events = parser.take(part) else {
      throw ServerFailure.broken(server, "an event has no end")
    }
    return try events.compactMap { event in
      switch event.name {
      case "ready": return RemoteNews(domain: nil)
      case "news":
        let json = try? JSON(
          parsing: Array(event.data.utf8), maximumDepth: WireProtocol.maximumDepth)
        guard let domain = json?["domain"]?.string else {
          throw ServerFailure.broken(server, "an event names no domain")
        }
        return RemoteNews(domain: domain)
      default: return nil
      }
    }
  }
}
