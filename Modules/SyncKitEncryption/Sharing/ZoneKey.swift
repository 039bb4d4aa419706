import SyncKit

/// Which key of a zone it is.
struct ZoneKeyName: Hashable, Comparable, Sendable {
  /// The epoch of the owner's vault.
  let epoch: UInt64
  /// How often the zone had got a new key because people no longer took part.
  let share: UInt64

  /// The most keys that a zone has: with more, something is not of a device's making.
  static let most = 4_096

  static func < (one: Self, other: Self) -> Bool {
    (one.epoch, one.share) < (other.epoch, other.share)
  }

  init(epoch: UInt64, share: UInt64) { (self.epoch, self.share) = (epoch, share) }

  init(_ reader: inout ByteReader) throws {
    (epoch, share) = (try reader.varint(), try reader.varint())
    guard epoch > 0, share <= SealedSegments.mostShares else {
      throw ByteReader.damaged("a zone has no such key")
    }
  }

  func write(to writer: inout ByteWriter) {
    writer.write(varint: epoch)
    writer.write(varint: share)
  }
}

/// Where a shared zone lies: the names that the place has for it.
public struct SharedZoneName: Hashable, Sendable {
  /// The pseudonym of the domain.
  public let domain: String
  /// The pseudonym of the zone.
  public let zone: ZoneID

  /// Names a zone.
  public init(domain: String, zone: ZoneID) { (self.domain, self.zone) = (domain, zone) }
}
