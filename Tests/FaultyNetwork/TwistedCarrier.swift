package import SyncKitHTTP
import Synchronization

/// The way to a real service on which something happens to requests and answers.
package final class TwistedCarrier: RequestCarrier {
  /// Carries a request as it is.
  package typealias Forward = @Sendable (CarriedRequest) async throws -> CarriedAnswer
  /// What happens to a request.
  package typealias Twist = @Sendable (CarriedRequest, Forward) async throws -> CarriedAnswer

  private let inner: any RequestCarrier
  private let twist: Twist
  private let log: RequestLog

  /// Puts something between a client and what carries its requests.
  package init(_ inner: any RequestCarrier, _ log: RequestLog, _ twist: @escaping Twist) {
    (self.inner, self.log, self.twist) = (inner, log, twist)
  }

  package func carry(_ request: CarriedRequest) async throws -> CarriedAnswer {
    log.add(request)
    return try await twist(request) { try await self.inner.carry($0) }
  }
}

/// The requests that were sent, and the pauses between.
package final class RequestLog: Sendable {
  private let state = Mutex<(requests: [CarriedRequest], pauses: [Duration])>(([], []))

  /// Begins an empty one.
  package init() {}

  package var methods: [String] { state.withLock { $0.requests.map(\.method) } }
  package var requests: [CarriedRequest] { state.withLock { $0.requests } }
  package var pauses: [Duration] { state.withLock { $0.pauses } }

  package func add(_ request: CarriedRequest) { state.withLock { $0.requests.append(request) } }
  package func add(_ pause: Duration) { state.withLock { $0.pauses.append(pause) } }
  package func forget() { state.withLock { $0 = ([], []) } }
}
