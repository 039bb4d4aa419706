import SyncCrypto
import SyncKit

/// What things are called where they are stored.
///
/// Equal names have equal pseudonyms, so that what is stored twice is stored once; without the directory key
/// nothing can be told from them, and nothing tried.
struct Pseudonyms: Sendable {
  private enum Kind: UInt8 {
    case domain = 1
    case zone, series, number, head
  }

  private let key: [UInt8]

  init(_ keys: VaultKeys) { key = keys.directory }

  func domain(_ domain: String) -> String {
    Base32.encode(code(.domain) { $0.write(text: domain) }.prefix(16))
  }

  func zone(_ zone: ZoneID, of domain: String) -> ZoneID {
    let code = code(.zone) {
      $0.write(text: domain)
      $0.write(text: zone.text)
    }
    return ZoneID(Base32.encode(code.prefix(16)))
  }

  /// The name of what is to be stored: the zone, the series, the number and the head of a sealed segment.
  func name(of reference: SegmentReference, in domain: String) -> SegmentReference {
    let series = code(.series) {
      $0.write(text: domain)
      $0.write(text: reference.zone.text)
      $0.write(raw: reference.series.bytes)
    }
    let number = code(.number) { Self.write(reference, domain, to: &$0) }
    let head = code(.head) { Self.write(reference, domain, to: &$0) }
    // 52 bits, and from 1, as numbers of changes are.
    let place = UInt64(bigEndian: number.prefix(8)) >> 12 + 1
    return SegmentReference(
      zone: zone(reference.zone, of: domain), series: ReplicaID(series: series), first: place,
      last: place, head: ContentHash(digest: head), size: reference.size,
      location: reference.location, isHere: reference.isHere)
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

  private func code(_ kind: Kind, _ content: (inout ByteWriter) -> Void) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(byte: kind.rawValue)
    content(&writer)
    return MessageCode.of(writer.bytes, key: key)
  }
}

extension ReplicaID {
  fileprivate init(series code: [UInt8]) {
    self.init(high: UInt64(bigEndian: code[0..<8]), low: UInt64(bigEndian: code[8..<16]))
  }
}
