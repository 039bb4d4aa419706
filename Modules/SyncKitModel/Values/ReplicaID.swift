/// The id under which a replica numbers changes in a zone: random, 128 bits, written as 26 lowercase base32 digits.
public struct ReplicaID: Hashable, Comparable, Sendable {
  /// The first 64 bits.
  public let high: UInt64
  /// The last 64 bits.
  public let low: UInt64

  /// Makes an id from its two halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Draws a new id from the given source of randomness.
  public init(from environment: SyncEnvironment) {
    self.init(high: environment.random(), low: environment.random())
  }

  /// Reads the 26-digit text form; nil if it is anything else.
  public init?(_ text: some StringProtocol) {
    guard let bytes = Base32.decode(text), bytes.count == 16 else { return nil }
    self.init(high: UInt64(bigEndian: bytes[0..<8]), low: UInt64(bigEndian: bytes[8..<16]))
  }

  public static func < (left: ReplicaID, right: ReplicaID) -> Bool {
    left.high != right.high ? left.high < right.high : left.low < right.low
  }

  /// The 16 bytes, most significant first.
  public var bytes: [UInt8] { high.bigEndianBytes + low.bigEndianBytes }
}

extension ReplicaID {
  /// The first half of the ids under which snapshots lie among the series: the word "snapshot".
  private static let snapshots: UInt64 = 0x736E_6170_7368_6F74

  /// Names a snapshot; no replica numbers changes under such an id.
  package static func snapshot(_ hash: ContentHash) -> ReplicaID {
    ReplicaID(high: snapshots, low: hash.high)
  }

  /// Whether a snapshot lies under this id, and no changes.
  package var isSnapshot: Bool { high == Self.snapshots }
}

extension ReplicaID: CustomStringConvertible {
  public var description: String { Base32.encode(bytes) }
}

extension UInt64 {
  @inlinable package init(bigEndian bytes: some Sequence<UInt8>) {
    self = bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  @inlinable package var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
