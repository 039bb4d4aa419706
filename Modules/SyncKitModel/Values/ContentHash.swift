/// The first 128 bits of a SHA-256: names bytes, and chains the changes of a log.
///
/// It detects accidents, clones and forks. It does not protect against an attacker who forges changes; the
/// author's signature is reserved for that.
public struct ContentHash: Hashable, Comparable, Sendable {
  /// The first 64 bits.
  public let high: UInt64
  /// The last 64 bits.
  public let low: UInt64

  /// Makes a hash from its two halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Takes the first 16 bytes of a digest; missing bytes count as zero.
  public init(digest: some Sequence<UInt8>) {
    var bytes = Array(digest.prefix(16))
    while bytes.count < 16 { bytes.append(0) }
    self.init(high: UInt64(bigEndian: bytes[0..<8]), low: UInt64(bigEndian: bytes[8..<16]))
  }

  public static func < (left: ContentHash, right: ContentHash) -> Bool {
    left.high != right.high ? left.high < right.high : left.low < right.low
  }

  /// The 16 bytes, most significant first.
  public var bytes: [UInt8] { high.bigEndianBytes + low.bigEndianBytes }
}

extension ContentHash: CustomStringConvertible {
  public var description: String { Base32.encode(bytes) }
}

/// How the core hashes bytes; SegmentFormat supplies SHA-256.
public protocol ContentHashing: Sendable {
  /// The hash of the parts, one after the other.
  func hash(_ parts: [UnsafeRawBufferPointer]) -> ContentHash
}

extension ContentHashing {
  /// The hash that stands before a series' first change.
  package func root(zone: ZoneID, replica: ReplicaID) -> ContentHash {
    let bytes = Array("cloudsync series 1\u{0}\(zone.text)\u{0}".utf8) + replica.bytes
    return bytes.withUnsafeBytes { hash([$0]) }
  }

  /// The hash of a change: it names all changes before it too.
  package func chain(_ previous: ContentHash, _ change: UnsafeRawBufferPointer) -> ContentHash {
    previous.bytes.withUnsafeBytes { hash([$0, change]) }
  }

  package func chain(_ previous: ContentHash, _ change: [UInt8]) -> ContentHash {
    change.withUnsafeBytes { chain(previous, $0) }
  }
}
