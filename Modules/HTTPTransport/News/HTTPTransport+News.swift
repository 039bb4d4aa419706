import Formats
import NIOCore
public import SyncKit
import SyncWire

extension HTTPTransport: LiveTransport {
  public func news() -> AsyncThrowingStream<RemoteNews, any Error> {
    let connection = connection
    // Whoever listens takes them at once; who does not is told that it has missed some.
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: RemoteNews.self, bufferingPolicy: .bufferingOldest(256))
    let task = Task {
      do {
        var request = ServerRequest.get("/events")
        request.answerType = WireProtocol.events
        let body = try await connection.stream(request)
        try await connection.told {
          do {
            try await Self.forward(body, from: connection.settings.address) { news in
              if case .enqueued = continuation.yield(news) { return true }
              return false
            }
          } catch {
            try Task.checkCancellation()
            throw ServerFailure(error, from: connection.settings.address, hasAnswer: true)
          }
        }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  /// Reads events until the stream ends or nobody takes them any more.
  private static func forward(
    _ body: some AsyncSequence<ByteBuffer, any Error>, from server: ServerAddress,
    to take: (RemoteNews) -> Bool
  ) async throws {
    var parser = EventParser()
    for try await chunk in body {
      guard let events = parser.take(chunk.readableBytesView) else {
        throw ServerFailure.broken(server, "an event has no end")
      }
      for event in events {
        switch event.name {
        case "ready": guard take(RemoteNews(domain: nil)) else { return }
        case "news":
          let json = try? JSON(
            parsing: Array(event.data.utf8), maximumDepth: WireProtocol.maximumDepth)
          guard let domain = json?["domain"]?.string else {
            throw ServerFailure.broken(server, "news name no domain")
          }
          guard take(RemoteNews(domain: domain)) else { return }
        default: break
        }
      }
    }
  }
}
