import SyncCrypto
import SyncKit

/// What domains and zones are called where they are stored.
///
/// Equal names have equal pseudonyms, so that what is stored twice is stored once; without the directory key
/// nothing can be told from them, and nothing tried.
struct Pseudonyms: Sendable {
  private let key: [UInt8]

  init(_ keys: VaultKeys) { key = keys.directory }

  func domain(_ domain: String) -> String {
    Base32.encode(NameKind.domain.code(key) { $0.write(text: domain) }.prefix(16))
  }

  func zone(_ zone: ZoneID, of domain: String) -> ZoneID {
    let code = NameKind.zone.code(key) {
      $0.write(text: domain)
      $0.write(text: zone.text)
    }
    return ZoneID(Base32.encode(code.prefix(16)))
  }

  /// What only the person's devices can say of a zone, and say once they withdraw it: then the place learns it.
  func withdrawal(of zone: ZoneID, in domain: String) -> ReplicaID {
    ReplicaID(
      series: NameKind.withdrawal.code(key) {
        $0.write(text: domain)
        $0.write(text: zone.text)
      })
  }

  /// What is needed to name the objects of a zone, and of no other one.
  func names(of zone: ZoneID, in domain: String) -> ZoneNames {
    var purpose = ByteWriter()
    purpose.write(raw: "cloudsync/1/names".utf8)
    purpose.write(text: domain)
    purpose.write(text: zone.text)
    return ZoneNames(
      domain: self.domain(domain), zone: self.zone(zone, of: domain),
      key: KeyDerivation.expand(key, for: purpose.bytes))
  }

  /// The name of what is to be stored: the zone, the series, the number and the head of a sealed segment.
  func name(of reference: SegmentReference, in domain: String) -> SegmentReference {
    names(of: reference.zone, in: domain).name(of: reference, in: domain)
  }
}

/// What is needed to name the objects of one zone.
struct ZoneNames: Hashable, Sendable {
  /// The pseudonym of the domain.
  let domain: String
  /// The pseudonym of the zone.
  let zone: ZoneID
  /// The key from which the names of objects follow.
  let key: [UInt8]

  /// The name of what is to be stored in the zone.
  ///
  /// - Parameters:
  ///   - reference: A segment of the zone.
  ///   - domain: The domain as the vault calls it.
  /// - Returns: The segment under its pseudonyms.
  func name(of reference: SegmentReference, in domain: String) -> SegmentReference {
    let series = NameKind.series.code(key) {
      $0.write(text: domain)
      $0.write(text: reference.zone.text)
      $0.write(raw: reference.series.bytes)
    }
    let number = NameKind.number.code(key) { Self.write(reference, domain, to: &$0) }
    let head = NameKind.head.code(key) { Self.write(reference, domain, to: &$0) }
    // 52 bits, and from 1, as numbers of changes are.
    let place = UInt64(bigEndian: number.prefix(8)) >> 12 + 1
    return SegmentReference(
      zone: zone, series: ReplicaID(series: series), first: place, last: place,
      head: ContentHash(digest: head), size: reference.size, location: reference.location,
      isHere: reference.isHere)
  }

  /// What makes one segment another: where it belongs, what it begins and ends with, and the hash of it all.
  private static func write(
    _ reference: SegmentReference, _ domain: String, to writer: inout ByteWriter
  ) {
    writer.write(text: domain)
    writer.write(text: reference.zone.text)
    writer.write(raw: reference.series.bytes)
    writer.write(fixed: reference.first)
    writer.write(fixed: reference.last)
    writer.write(reference.head)
  }
}

/// What a pseudonym stands for.
private enum NameKind: UInt8 {
  case domain = 1
  case zone, series, number, head, withdrawal

  func code(_ key: [UInt8], _ content: (inout ByteWriter) -> Void) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(byte: rawValue)
    content(&writer)
    return MessageCode.of(writer.bytes, key: key)
  }
}

extension ReplicaID {
  init(series code: [UInt8]) {
    self.init(high: UInt64(bigEndian: code[0..<8]), low: UInt64(bigEndian: code[8..<16]))
  }
}
