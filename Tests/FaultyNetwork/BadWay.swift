package import SyncKitHTTP
import SyncKitTesting
import Synchronization

/// A way to a real service that cuts, refuses, repeats and shows old listings, by chance.
package final class BadWay: Sendable {
  private struct CarriedListing {
    let status: Int
    let body: [UInt8]
  }

  private struct State {
    var random: SeededRandom
    var isBad = true
    var listings: [String: CarriedListing] = [:]
    var faults = 0
  }

  private let state: Mutex<State>
  private let isListing: @Sendable (CarriedRequest) -> Bool

  /// Begins to be bad.
  ///
  /// - Parameters:
  ///   - seed: Where every chance comes from.
  ///   - isListing: Whether a request asks what is there.
  package init(seed: UInt64, isListing: @escaping @Sendable (CarriedRequest) -> Bool) {
    state = Mutex(State(random: SeededRandom(seed: seed)))
    self.isListing = isListing
  }

  /// How many faults there were.
  package var faults: Int { state.withLock(\.faults) }

  /// Ends all faults.
  package func heal() { state.withLock { $0.isBad = false } }

  /// A number below a hundred; no fault is at 99.
  private func draw() -> UInt64 {
    state.withLock { state in
      guard state.isBad else { return 99 }
      let number = state.random.next() % 100
      if number < 40 { state.faults += 1 }
      return number
    }
  }

  /// Carries a request, or does not.
  @Sendable package func carry(
    _ request: CarriedRequest, _ forward: TwistedCarrier.Forward
  ) async throws -> CarriedAnswer {
    switch draw() {
    case 0..<7: throw CarrierFailure.unreachable("reset", wasSent: false)
    case 7..<16:
      // It has happened, and nobody hears of it.
      _ = try await forward(request)
      throw CarrierFailure.unreachable("cut", wasSent: true)
    case 16..<22: return CarriedAnswer(status: 500)
    case 22..<26: return CarriedAnswer(status: 503, headers: [("Retry-After", "1")])
    case 26..<29: return CarriedAnswer(status: 502)
    case 29..<33:
      _ = try await forward(request)
      return try await forward(request)
    case 33..<36 where request.method == "GET" && !isListing(request):
      let answer = try await forward(request)
      let bytes = try await answer.bytes(upTo: 1 << 24)
      return CarriedAnswer(status: answer.status, body: Array(bytes.prefix(bytes.count / 2)))
    case 33..<40 where isListing(request):
      if let old = state.withLock({ $0.listings[request.path] }) {
        return CarriedAnswer(status: old.status, body: old.body)
      }
      fallthrough
    default:
      let answer = try await forward(request)
      guard isListing(request), 200..<300 ~= answer.status else { return answer }
      let listing = CarriedListing(
        status: answer.status, body: try await answer.bytes(upTo: 1 << 24))
      state.withLock { $0.listings[request.path] = listing }
      return CarriedAnswer(status: listing.status, body: listing.body)
    }
  }
}
