import SegmentFormat
import SyncKit

/// A fresh remote for a transport, and what a test may do to it behind the transport's back.
public struct TestRemote: Sendable {
  /// Opens the remote as another device does.
  public var open: @Sendable () async throws -> any Transport
  /// Takes everything away, as when a drive is not mounted; nil when that cannot be played.
  public var empty: (@Sendable () async throws -> Void)?
  /// Cuts every segment that lies there in half; nil when that cannot be played.
  public var cut: (@Sendable () async throws -> Void)?

  /// Describes a remote.
  public init(
    open: @escaping @Sendable () async throws -> any Transport,
    empty: (@Sendable () async throws -> Void)? = nil,
    cut: (@Sendable () async throws -> Void)? = nil
  ) {
    self.open = open
    self.empty = empty
    self.cut = cut
  }
}

/// What every ``Transport`` promises, as checks.
public struct TransportContract: Sendable {
  let make: @Sendable () async throws -> TestRemote

  /// Prepares the checks.
  ///
  /// - Parameter make: Makes an unused remote; called once by each check.
  public init(_ make: @escaping @Sendable () async throws -> TestRemote) { self.make = make }

  /// All checks.
  public static let checks: [ContractCheck<TransportContract>] =
    markerChecks + segmentChecks + removalChecks + historyChecks + erasureChecks + emptyingChecks
    + replacingChecks

  static let domain = "contract"
  static let vault = "0f0e0d0c-0b0a-4908-8706-050403020100"
  static let other = "11111111-2222-4333-8444-555555555555"

  /// The acquaintance of a store that has never had a remote.
  static func stranger(_ id: String = vault) -> RemoteIdentity {
    RemoteIdentity(vault: [], isKnown: false, newVault: id)
  }

  /// Segments as a device makes them.
  struct Author {
    let coding = DeflateSegmentCoding()
    var zone: ZoneID = .home
    var series = ReplicaID(high: 0x0102_0304_0506_0708, low: 7)

    func segment(_ first: UInt64, count: Int = 1, size: Int = 200) throws -> OutboundSegment {
      let changes = (0..<count).map { index in
        (0..<size).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ ($0 >> 7) ^ index ^ Int(first)) }
      }
      var head = ContentHash(high: first, low: series.low)
      for change in changes { head = change.withUnsafeBytes { coding.hash([$0]) } }
      let info = SegmentInfo(
        domain: TransportContract.domain, zone: zone, series: series, first: first,
        last: first + UInt64(count) - 1, previous: ContentHash(high: first, low: 1), head: head,
        base: VersionVector(), operations: count, deletions: 0, newest: first)
      return try Self.release(coding.segment(info, changes: changes))
    }

    static func release(_ segment: Segment) throws -> OutboundSegment {
      guard let outbound = EgressPolicy(published: [segment.info.zone]).release(segment) else {
        throw ContractViolation("the egress policy keeps a published zone")
      }
      return outbound
    }
  }

  /// Stores a segment as an exchange of its own.
  static func put(_ segment: OutboundSegment, _ transport: any Transport) async throws {
    try await transport.store(segment)
    try await transport.flush(domain)
  }

  /// Fetches everything that an inventory offers; what gives nothing is left out.
  static func everything(_ transport: any Transport) async throws -> Set<Segment> {
    var found: Set<Segment> = []
    for reference in try await transport.inventory(of: domain).segments {
      if let segment = try await transport.fetch(reference, of: domain) { found.insert(segment) }
    }
    return found
  }

  static func expectRefusal(
    _ code: SyncError.Code, _ what: String, _ body: () async throws -> Void
  ) async throws {
    do {
      try await body()
    } catch let error as SyncError {
      return try expect(error.code == code, "\(what) was refused with '\(error)'")
    }
    throw ContractViolation("\(what) was not refused")
  }
}
