import Synchronization

/// The present connections: decides which new ones are let in.
final class ConnectionCensus: Sendable {
  private struct State {
    var total = 0
    var byNetwork: [String: Int] = [:]
    var turnedAway = 0
  }

  private let limits: ConnectionLimits
  private let state = Mutex(State())

  init(_ limits: ConnectionLimits) { self.limits = limits }

  /// How many connections there are.
  var total: Int { state.withLock { $0.total } }

  /// How many were not let in.
  var turnedAway: Int { state.withLock { $0.turnedAway } }

  /// Lets a connection in, or not; report its end with ``leave(_:)``.
  ///
  /// - Parameter network: Whom it counts for; nil for those that are not counted one by one.
  /// - Returns: Whether it is in.
  func admit(_ network: String?) -> Bool {
    state.withLock { state in
      let mine = network.map { state.byNetwork[$0, default: 0] } ?? 0
      guard state.total < limits.connections,
        network == nil || mine < limits.connectionsPerAddress
      else {
        state.turnedAway += 1
        return false
      }
      state.total += 1
      if let network { state.byNetwork[network] = mine + 1 }
      return true
    }
  }

  /// A connection that was let in has ended.
  func leave(_ network: String?) {
    state.withLock { state in
      state.total -= 1
      guard let network, let count = state.byNetwork[network] else { return }
      state.byNetwork[network] = count > 1 ? count - 1 : nil
    }
  }

  /// Whom an address counts for: itself, or of IPv6 the network that one household has.
  static func network(of address: String) -> String {
    guard address.contains(":"), !address.hasPrefix("::ffff:") else { return address }
    let halves = address.split(separator: "::", omittingEmptySubsequences: false)
    var groups = halves[0].split(separator: ":").map(String.init)
    let after = halves.count > 1 ? halves[1].split(separator: ":").count : 0
    while groups.count + after < 8 { groups.append("0") }
    return groups.prefix(4).joined(separator: ":")
  }
}
