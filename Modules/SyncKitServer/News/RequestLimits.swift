public import SyncKit
import SyncWire
import Synchronization

/// Counts requests by token and by address, and says which caller has to wait.
///
/// Each counter is a bucket that fills steadily. Addresses of one IPv6 network of 64 bits count as one,
/// as a single customer has them all.
public final class RequestLimits: Sendable {
  enum Kind: Hashable {
    case token, address, failures, joins
  }

  private struct Key: Hashable {
    var kind: Kind
    var name: String
  }

  private struct Bucket {
    var level: Double
    var time: Int64
  }

  /// The most counters kept; then those that are full again are forgotten.
  private static let limit = 20_000

  private let rates: RequestRates
  private let environment: SyncEnvironment
  private let buckets = Mutex<[Key: Bucket]>([:])

  /// Counts by the given rates.
  public init(_ rates: RequestRates, environment: SyncEnvironment) {
    self.rates = rates
    self.environment = environment
  }

  /// Counts one request.
  ///
  /// - Throws: ``WireError`` `rate-limited` with the seconds to wait.
  func take(_ kind: Kind, _ name: String) throws {
    try check(kind, name, taking: 1)
  }

  /// Refuses when there is nothing left, and takes nothing.
  func check(_ kind: Kind, _ name: String) throws { try check(kind, name, taking: 0) }

  private func check(_ kind: Kind, _ name: String, taking amount: Double) throws {
    let rate = rate(kind)
    let now = environment.now()
    let key = Key(kind: kind, name: kind == .token ? name : Self.network(name))
    let missing = buckets.withLock { buckets -> Double in
      var bucket = buckets[key] ?? Bucket(level: rate.burst, time: now)
      // A clock that goes back gives nothing and takes nothing.
      let elapsed = Double(max(0, now - bucket.time)) / 60_000
      bucket.level = min(rate.burst, bucket.level + elapsed * rate.perMinute)
      bucket.time = now
      defer { buckets[key] = bucket }
      guard bucket.level >= 1 else { return 1 - bucket.level }
      bucket.level -= amount
      if buckets.count >= Self.limit { forget(&buckets, now) }
      return 0
    }
    guard missing > 0 else { return }
    let seconds = Int((missing / rate.perMinute * 60).rounded(.up))
    throw WireError(
      .rateLimited, "Too many requests; wait.", retryAfter: min(max(seconds, 1), 3_600))
  }

  private func forget(_ buckets: inout [Key: Bucket], _ now: Int64) {
    buckets = buckets.filter { key, bucket in
      let rate = rate(key.kind)
      let elapsed = Double(max(0, now - bucket.time)) / 60_000
      return bucket.level + elapsed * rate.perMinute < rate.burst
    }
    // A caller with that many addresses meets fresh counters, and memory stays bounded.
    if buckets.count >= Self.limit { buckets = [:] }
  }

  private func rate(_ kind: Kind) -> RequestRates.Rate {
    switch kind {
    case .token: rates.token
    case .address: rates.address
    case .failures: rates.failures
    case .joins: rates.joins
    }
  }

  /// The part of an address that one customer cannot change.
  static func network(_ address: String) -> String {
    guard address.contains(":"), !address.contains(".") else { return address }
    let groups = address.split(separator: ":", omittingEmptySubsequences: false)
    guard let gap = groups.dropFirst().firstIndex(of: "") else {
      return groups.prefix(4).joined(separator: ":")
    }
    let head = groups[..<gap].filter { !$0.isEmpty }
    let zeros = Array(repeating: Substring("0"), count: 4)
    return (head + zeros).prefix(4).joined(separator: ":")
  }
}
