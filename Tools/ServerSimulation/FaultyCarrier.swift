import SyncKitFormats
import SyncKitHTTP
import SyncKitTesting
import SyncWire
import Synchronization

/// The connection between a device and the server of its world.
struct FaultyCarrier: RequestCarrier {
  /// The connection broke; the request may or may not have had its effect.
  private struct Broken: Error {}

  let server: ServedRemote
  let isFaulty: Bool

  func carry(_ request: CarriedRequest) async throws -> CarriedAnswer {
    guard isFaulty else { return try await server.host.answer(request) }
    if server.state.withLock({ $0.strikes(.errorBefore, 12) }) {
      guard server.state.withLock({ $0.random.chance(50) }) else { throw Broken() }
      let refusal = WireError(.unavailable, "The simulated server is unavailable.")
      return CarriedAnswer(
        status: refusal.code.status,
        headers: [
          (WireProtocol.header, "\(WireProtocol.version)"), ("Content-Type", WireProtocol.json),
        ], body: refusal.json.serialized())
    }
    var answer = try await server.host.answer(request)
    if server.state.withLock({ $0.strikes(.duplicate, 10) }) {
      answer = try await server.host.answer(request)
    }
    if isStoring(request) { server.state.withLock { $0.stores += 1 } }
    if server.state.withLock({ $0.strikes(.errorAfter, 12) }) { throw Broken() }
    return answer
  }

  private func isStoring(_ request: CarriedRequest) -> Bool {
    request.method == "POST" && request.path.hasSuffix("/segments") || request.method == "PUT"
  }
}
