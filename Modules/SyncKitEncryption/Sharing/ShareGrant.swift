import SegmentFormat
import SyncCrypto
import SyncKit

/// What a person needs to read and write another person's zone: whose it is, what it is called, and its keys.
struct ShareGrant: Hashable, Sendable {
  /// The owner.
  let card: PersonCard
  /// The domain, and the zone in it, as the owner calls them.
  let domain: String
  let zone: ZoneID
  /// The names of its objects.
  let names: ZoneNames
  /// What the owner calls the record.
  let title: String
  /// Whether the guest may write.
  let mayWrite: Bool
  /// The number of the entry at that time: an older one is none.
  let number: UInt64
  /// The keys of the zone at that time.
  let keys: [ZoneKeyName: [UInt8]]

  private static let textLimit = 512
  private static let nameLimit = 64

  init(
    card: PersonCard, domain: String, zone: ZoneID, names: ZoneNames, title: String,
    mayWrite: Bool, number: UInt64, keys: [ZoneKeyName: [UInt8]]
  ) {
    (self.card, self.domain, self.zone, self.names) = (card, domain, zone, names)
    // A title that is cut off is better than none.
    self.title = SentInvitation.cut(title)
    (self.mayWrite, self.number, self.keys) = (mayWrite, number, keys)
  }

  init(_ reader: inout ByteReader) throws {
    card = try PersonCard(&reader)
    domain = try reader.text(limit: Self.nameLimit)
    zone = ZoneID(try reader.text(limit: Self.nameLimit))
    names = ZoneNames(
      domain: try reader.text(limit: Self.nameLimit),
      zone: ZoneID(try reader.text(limit: Self.nameLimit)), key: try reader.block())
    title = try reader.text(limit: Self.textLimit)
    mayWrite = try reader.flag()
    number = try reader.varint()
    var keys: [ZoneKeyName: [UInt8]] = [:]
    for _ in 0..<(try reader.count(of: 2)) {
      let name = try ZoneKeyName(&reader)
      keys[name] = try reader.block()
    }
    self.keys = keys
    guard names.key.count == VaultKeys.keyLength,
      keys.values.allSatisfy({ $0.count == VaultKeys.keyLength }), !keys.isEmpty,
      keys.count <= ZoneKeyName.most,
      // What a stranger chooses becomes names of folders and tables here.
      [domain, zone.text, names.domain, names.zone.text].allSatisfy(SegmentLayout.isFolderName),
      zone != .home, zone != .local, zone != ErasureWord.zone
    else { throw ByteReader.damaged("it is no share of a zone") }
  }

  func write(to writer: inout ByteWriter) {
    card.write(to: &writer)
    writer.write(text: domain)
    writer.write(text: zone.text)
    writer.write(text: names.domain)
    writer.write(text: names.zone.text)
    writer.write(block: names.key)
    writer.write(text: title)
    writer.write(byte: mayWrite ? 1 : 0)
    writer.write(varint: number)
    writer.write(count: keys.count)
    for (name, key) in keys.sorted(by: { $0.key < $1.key }) {
      name.write(to: &writer)
      writer.write(block: key)
    }
  }
}

/// An invitation as it lies in the zone to which it invites: only who has its code can read it.
enum ShareInvitation {
  private static let magic = "cloudsync/1/share-invitation"

  static func seal(
    _ grant: ShareGrant, code: RecoveryCode, from environment: SyncEnvironment
  ) -> [UInt8] {
    var message = ByteWriter()
    grant.write(to: &message)
    return ShelfBytes.seal(
      message.bytes, magic, key: key(code), context: context(grant.names.domain, grant.names.zone),
      salt: environment.randomBytes(32))
  }

  /// What an invitation grants; nil when it is another one, or lies elsewhere than where it was stored.
  static func open(_ bytes: [UInt8], code: RecoveryCode, at place: SharedZoneName) -> ShareGrant? {
    let message = ShelfBytes.open(
      bytes, magic, key: key(code), context: context(place.domain, place.zone))
    let grant = try? message?.reading(allowingRest: true) { try ShareGrant(&$0) }
    guard let grant, SharedZoneName(domain: grant.names.domain, zone: grant.names.zone) == place
    else { return nil }
    return grant
  }

  private static func key(_ code: RecoveryCode) -> [UInt8] {
    KeyDerivation.expand(
      KeyDerivation.extract(code.secret, salt: []), for: Array(magic.utf8))
  }

  private static func context(_ domain: String, _ zone: ZoneID) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(text: domain)
    writer.write(text: zone.text)
    return writer.bytes
  }
}

/// How what is said of a share lies in its zone: a word that tells what it is, then an envelope.
enum ShelfBytes {
  static func seal(
    _ message: [UInt8], _ magic: String, key: [UInt8], context: [UInt8], salt: [UInt8]
  ) -> [UInt8] {
    let padding = PaddedLength.of(message.count) - message.count
    return head(magic)
      + Envelope.seal(
        message + [UInt8](repeating: 0, count: padding), context: head(magic) + context, key: key,
        salt: salt)
  }

  static func open(
    _ bytes: [UInt8], _ magic: String, key: [UInt8], context: [UInt8]
  ) -> [UInt8]? {
    let head = head(magic)
    guard bytes.starts(with: head) else { return nil }
    return Envelope.open(
      Array(bytes.dropFirst(head.count)), context: head + context, key: key)
  }

  private static func head(_ magic: String) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(text: magic)
    return writer.bytes
  }
}

extension ByteReader {
  /// One byte that is 0 or 1.
  mutating func flag() throws -> Bool {
    switch try byte() {
    case 0: return false
    case 1: return true
    default: throw ByteReader.damaged("a yes or no is neither")
    }
  }
}
