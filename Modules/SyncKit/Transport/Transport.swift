/// A segment that a remote says it has; nothing of it is trusted before it has been read.
public struct SegmentReference: Hashable, Sendable {
  /// The zone.
  public var zone: ZoneID
  /// The series, as its author named it.
  public var series: ReplicaID
  /// The number of the first change.
  public var first: UInt64
  /// The number of the last change.
  public var last: UInt64
  /// The chained hash of the last change.
  public var head: ContentHash
  /// The size of the file in bytes as it lies there now; nil when the medium does not tell.
  public var size: Int?
  /// Where the transport finds it; means nothing to anybody else.
  public var location: String

  /// Names a segment.
  public init(
    zone: ZoneID, series: ReplicaID, first: UInt64, last: UInt64, head: ContentHash,
    size: Int?, location: String
  ) {
    self.zone = zone
    self.series = series
    self.first = first
    self.last = last
    self.head = head
    self.size = size
    self.location = location
  }
}

/// What a remote has of one domain.
public struct Inventory: Sendable {
  /// The segments, in no particular order; the same one may be there under several locations.
  public var segments: [SegmentReference]
  /// The zones whose content was taken back, with who has removed it and what they keep.
  public var erased: [ZoneID: Confirmations]
  /// Things that lie there and are passed over, each as a sentence for a person.
  public var notes: [String]

  /// Makes an inventory.
  public init(
    segments: [SegmentReference] = [], erased: [ZoneID: Confirmations] = [:], notes: [String] = []
  ) {
    self.segments = segments
    self.erased = erased
    self.notes = notes
  }
}

/// What a store knows of the place it is about to meet.
public struct Acquaintance: Sendable {
  /// How to treat a place that is not the known one.
  public enum Consent: Sendable {
    /// Refuse it.
    case none
    /// Make the known place anew: its marker is gone and the caller says that this is right.
    case reinitialise
    /// Take another vault's place as one's own from now on.
    case adopt
  }

  /// The ids of the vault the store belongs to; empty before its first sync.
  public var vault: Set<String>
  /// Whether the store has met this very remote before.
  public var isKnown: Bool
  /// A new id, for a place that has no marker yet.
  public var newVault: String
  /// What the caller allows.
  public var consent: Consent
  /// Whether the place may be written to; false when the caller only looks.
  public var mayWrite: Bool

  /// Describes what is known.
  public init(
    vault: Set<String>, isKnown: Bool, newVault: String, consent: Consent = .none,
    mayWrite: Bool = true
  ) {
    self.vault = vault
    self.isKnown = isKnown
    self.newVault = newVault
    self.consent = consent
    self.mayWrite = mayWrite
  }

  /// What to do about the markers that were found.
  public enum Decision: Equatable, Sendable {
    /// Go on; write these markers first, and belong to all of `vault` from now on.
    case proceed(write: Set<String>, vault: Set<String>)
  }

  /// Decides by the markers that lie at the place; the same rule for every transport.
  ///
  /// - Throws: ``SyncError`` `remote.marker` when a known place has lost its marker,
  ///   `remote.vault` when it belongs to another vault.
  public func decide(found: Set<String>, place: String) throws -> Decision {
    if found.isEmpty {
      guard !isKnown || consent != .none else {
        throw SyncError(
          .remoteMarker,
          "\(place) has lost its cloudsync marker; it may be unmounted, emptied or exchanged.",
          hint: "Bring the folder back, or refill it with 'cloudsync remote add NAME URL --reinit'."
        )
      }
      let mine = vault.isEmpty ? [newVault] : vault
      return .proceed(write: mayWrite ? mine : [], vault: mine)
    }
    if vault.isEmpty || !vault.isDisjoint(with: found) {
      return .proceed(write: [], vault: vault.union(found))
    }
    switch consent {
    case .adopt:
      return .proceed(write: mayWrite ? vault : [], vault: vault.union(found))
    case .none, .reinitialise:
      throw SyncError(
        .remoteVault, "\(place) belongs to another vault than this device's data.",
        hint: "If both are yours, join them with 'cloudsync remote add NAME URL --adopt'.")
    }
  }
}

/// A place where replicas leave segments for each other.
///
/// A transport stores what it is given and says what it has. It never merges and never looks
/// inside; its correctness needs no lock, no order, no reliable listing and no clock. Retry,
/// throttling, logging, encryption and faults are wrappers: a transport around a transport.
///
/// ## What every transport promises
///
/// - **Absence means nothing.** What is missing, short or damaged is "not here yet".
/// - **Whole or not.** Another replica never takes half a segment for a segment.
/// - **Durable.** When ``flush(_:)`` has returned, what was stored survives power loss on the medium.
/// - **Repeatable.** Storing the same segment again changes nothing, nor does erasing again.
///
/// `TransportContract` in SyncKitTesting checks a conformance.
public protocol Transport: Sendable {
  /// Finds out whether the place is the known one, and makes it ready when it is new.
  ///
  /// - Returns: The ids of the vault the store belongs to from now on.
  /// - Throws: ``SyncError`` `remote.unavailable`, `remote.marker`, `remote.vault`, `remote.layout`.
  func attach(_ acquaintance: Acquaintance, domain: String) async throws -> Set<String>

  /// Says what is there of a domain, all zones at once.
  func inventory(of domain: String) async throws -> Inventory

  /// Brings a segment; nil when it is not here yet or not what its name says.
  ///
  /// - Throws: ``SyncError`` `format.newer` when it can be read by newer versions only,
  ///   `remote.unavailable` or `remote.io` when the place as a whole does not answer.
  func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment?

  /// Stores a segment; at the latest ``flush(_:)`` makes it durable.
  func store(_ segment: OutboundSegment) async throws

  /// Removes everything of a zone for good, and leaves word of each replica that has done so too.
  ///
  /// The word is there before the first segment goes, and stays.
  func erase(_ zone: ZoneID, of domain: String, confirmedBy: Confirmations) async throws

  /// Brings to the medium what has been stored of a domain, all at once where that is cheaper.
  ///
  /// Called once at the end of each exchange that may write, also when nothing was stored: what lies
  /// at the place may need to be put in order. A transport that stores at once does nothing.
  func flush(_ domain: String) async throws
}

extension Transport {
  public func flush(_ domain: String) async throws {}
}
