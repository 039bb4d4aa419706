import SegmentFormat
import SyncCrypto
import SyncKit

/// Seals segments, and opens what places give back.
struct SealedSegments: Sendable {
  /// The cipher suite of Documentation/Formats/Encryption.md.
  static let suite: UInt8 = 1
  /// Zones and domains have at most 64 bytes, a key 32, a signature 64.
  private static let nameLimit = 64

  let pseudonyms: Pseudonyms
  /// The shared zones.
  var shares: ShareBook
  private let keys: VaultKeys
  private let author: SigningKey
  private let coding: DeflateSegmentCoding
  private let environment: SyncEnvironment

  init(
    _ device: DeviceKeys, shares: ShareBook? = nil, environment: SyncEnvironment,
    coding: DeflateSegmentCoding = DeflateSegmentCoding()
  ) {
    keys = device.vault
    author = device.signing
    self.shares = shares ?? ShareBook(device)
    self.environment = environment
    self.coding = coding
    pseudonyms = Pseudonyms(keys)
  }

  /// The public key that signs what this device seals in a zone.
  func authorKey(in zone: ZoneID, of domain: String) -> [UInt8] {
    (shares.foreign(domain, zone) == nil ? author : shares.person ?? author).publicKey
  }

  /// What is needed to name the objects of a zone, the person's own or another's.
  func names(of zone: ZoneID, in domain: String) -> ZoneNames {
    shares.foreign(domain, zone)?.names ?? pseudonyms.names(of: zone, in: domain)
  }

  /// The keys of the zone of a domain that lies under a name.
  func cipher(_ name: SharedZoneName, of domain: String) -> ZoneCipher {
    if let zone = shares.foreign(at: name, of: domain), let person = shares.person {
      return ZoneCipher(zone, author: person)
    }
    return ZoneCipher(keys, name, share: shares.share(of: name), author: author)
  }

  /// A sealed segment that holds another one, under a name that follows from it.
  func seal(_ segment: Segment) throws -> Segment {
    let names = names(of: segment.info.zone, in: segment.info.domain)
    let name = names.name(of: SegmentReference(segment), in: segment.info.domain)
    let cipher = cipher(
      SharedZoneName(domain: names.domain, zone: names.zone), of: segment.info.domain)
    let info = info(
      name, names.domain, SegmentSeal(epoch: cipher.newest.epoch, suite: Self.suite),
      cipher.newest.share)
    let author = cipher.author
    var content = ByteWriter(reserving: PaddedLength.of(segment.bytes.count + 128))
    content.write(block: segment.bytes)
    content.write(block: author.publicKey)
    content.write(block: author.sign(statement(info, segment.bytes, of: cipher.vault)))
    let padding = PaddedLength.of(content.bytes.count) - content.bytes.count
    content.write(raw: repeatElement(0, count: padding))
    let salt = environment.randomBytes(32)
    let envelope = Envelope.seal(
      content.bytes,
      context: context(info, Envelope.length(of: content.bytes.count), of: cipher.vault),
      key: cipher.newestKey, salt: salt)
    return try coding.sealed(info, envelope: envelope)
  }

  /// A segment that was sealed, and the public key of the device that did.
  struct Opened {
    var segment: Segment
    var author: [UInt8]
    var digest: ContentHash
  }

  /// What names the bytes of a segment to those who judge whether it counts.
  ///
  /// A head names its changes, and neither what stands before them in the file nor what their author says to have seen.
  func digest(of segment: Segment) -> ContentHash {
    segment.bytes.withUnsafeBytes { coding.hash([$0]) }
  }

  /// The segment in a sealed one.
  ///
  /// - Throws: ``SyncError`` `crypto.*` that says what is wrong with it.
  func open(_ sealed: Segment, of domain: String) throws -> Opened {
    try unsealed(sealed, of: domain).opened
  }

  /// The same object sealed with the key of the newest epoch, under the same name and still signed by its author; nil when
  /// it is so already.
  ///
  /// - Throws: ``SyncError`` as ``open(_:of:)``: only what counts is sealed again.
  func reseal(_ sealed: Segment, of domain: String) throws -> Segment? {
    let cipher = cipher(
      SharedZoneName(domain: sealed.info.domain, zone: sealed.info.zone), of: domain)
    let share = max(cipher.newest.share, Self.share(sealed.info))
    if let seal = sealed.info.seal, seal.suite == Self.suite, seal.epoch >= keys.epoch,
      Self.share(sealed.info) == share
    {
      return nil
    }
    let content = try unsealed(sealed, of: domain).content
    var info = sealed.info
    info.seal = SegmentSeal(epoch: keys.epoch, suite: Self.suite)
    info.deletions = Int(share)
    guard
      let key = cipher.keys(ZoneKeyName(epoch: cipher.newest.epoch, share: share)).last
    else { return nil }
    let envelope = Envelope.seal(
      content, context: context(info, Envelope.length(of: content.count), of: cipher.vault),
      key: key, salt: environment.randomBytes(32))
    return try coding.sealed(info, envelope: envelope)
  }

  /// The segment in a sealed one, and all that was sealed.
  private func unsealed(
    _ sealed: Segment, of domain: String
  ) throws -> (opened: Opened, content: [UInt8]) {
    guard let seal = sealed.info.seal else { throw Self.refused(.plain, "is not encrypted") }
    // It says who takes part in a zone of which this device does not know yet that it is shared.
    guard seal.suite != ShareShelf.suite else { throw Self.notIntroduced }
    guard seal.suite == Self.suite else {
      throw SyncError(
        .formatNewer,
        "An object is encrypted in a way that only a newer version of cloudsync knows.",
        hint: "Upgrade cloudsync on this device.")
    }
    let place = SharedZoneName(domain: sealed.info.domain, zone: sealed.info.zone)
    let cipher = cipher(place, of: domain)
    let key = ZoneKeyName(epoch: seal.epoch, share: Self.share(sealed.info))
    guard cipher.hasKey(key) else {
      throw SyncError(
        .keyMissing, "An object is encrypted with a key that this device does not have yet.")
    }
    let envelope = try coding.envelope(of: sealed)
    // Nothing stands beside the envelope that it does not cover.
    guard try coding.sealed(sealed.info, envelope: envelope).bytes == sealed.bytes,
      let content = cipher.keys(key).lazy.compactMap({ key in
        Envelope.open(
          envelope, context: context(sealed.info, envelope.count, of: cipher.vault), key: key)
      }).first
    else { throw Self.refused(.forged, "was changed, or made by someone without the vault's keys") }
    let (bytes, author, signature) = try content.reading { reader in
      let parts = (try reader.block(), try reader.block(), try reader.block())
      // What follows is padding.
      while !reader.isAtEnd {
        guard try reader.byte() == 0 else { throw ByteReader.damaged("their padding is not empty") }
      }
      return parts
    }
    guard PaddedLength.of(content.count) == content.count,
      isSigned(sealed.info, bytes, signature, by: author, cipher)
    else { throw Self.refused(.forged, "has no valid signature of a device") }
    let segment = try coding.read(bytes)
    let names = names(of: segment.info.zone, in: segment.info.domain)
    let name = names.name(of: SegmentReference(segment), in: segment.info.domain)
    guard segment.info.domain == domain, segment.info.seal == nil, names.zone == place.zone,
      sealed.info == info(name, names.domain, seal, Self.share(sealed.info))
    else { throw Self.misplaced }
    let opened = Opened(segment: segment, author: author, digest: digest(of: segment))
    let standing =
      shares.foreign(at: place, of: domain).map {
        shares.standing(of: author, digest: opened.digest, in: $0)
      }
      ?? shares.standing(of: author, digest: opened.digest, in: place, epoch: seal.epoch)
    switch standing {
    case .counts: return (opened, content)
    case .letGo: throw Self.refused(.letGo, "is of a device that had been let go")
    case .readOnly: throw Self.refused(.readOnly, "is of a person who may only read what is there")
    case .unknown: throw Self.notIntroduced
    }
  }

  private static let notIntroduced = SyncError(
    .notIntroduced, "An object is of a device that no other one has named yet.")

  /// Whether an author has signed an object, in the epoch in which it is sealed or in an earlier one: whoever seals an
  /// object again has the key of the later epoch, and not that of its author.
  private func isSigned(
    _ info: SegmentInfo, _ bytes: [UInt8], _ signature: [UInt8], by author: [UInt8],
    _ cipher: ZoneCipher
  ) -> Bool {
    guard let seal = info.seal, Self.share(info) <= Self.mostShares else { return false }
    let key = ZoneKeyName(epoch: seal.epoch, share: Self.share(info))
    return cipher.earlier(than: key).contains { key in
      var signed = info
      signed.seal = SegmentSeal(epoch: key.epoch, suite: seal.suite)
      signed.deletions = Int(key.share)
      return SigningKey.isValid(
        signature, of: statement(signed, bytes, of: cipher.vault), by: author)
    }
  }

  /// How often a zone may have got a new key: beyond it, a head is not of a device's making.
  static let mostShares: UInt64 = 1_000

  /// How often the zone of an object had got a new key.
  private static func share(_ info: SegmentInfo) -> UInt64 { UInt64(info.deletions) }

  /// What a sealed segment says of itself: its pseudonyms, and nothing else.
  private func info(
    _ name: SegmentReference, _ domain: String, _ seal: SegmentSeal, _ share: UInt64
  ) -> SegmentInfo {
    SegmentInfo(
      domain: domain, zone: name.zone, series: name.series, first: name.first, last: name.last,
      previous: ContentHash(high: 0, low: 0), head: name.head, base: VersionVector(),
      operations: 0, deletions: Int(share), newest: 0, seal: seal)
  }

  /// What is not encrypted and must be as it was: the vault, the key, the name and the length.
  ///
  /// - Parameters:
  ///   - info: What the file says of itself.
  ///   - length: The length of the envelope; 0 in what is signed.
  ///   - vault: The id of the vault to which the zone belongs; nil for this one.
  /// - Returns: The bytes.
  func context(_ info: SegmentInfo, _ length: Int, of vault: [UInt8]? = nil) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(raw: "cloudsync/1".utf8)
    writer.write(byte: info.seal?.suite ?? 0)
    writer.write(fixed: info.seal?.epoch ?? 0)
    writer.write(fixed: Self.share(info))
    writer.write(block: vault ?? keys.id)
    writer.write(text: info.domain)
    writer.write(text: info.zone.text)
    writer.write(raw: info.series.bytes)
    writer.write(fixed: info.first)
    writer.write(info.head)
    writer.write(fixed: UInt64(length))
    return writer.bytes
  }

  /// What an author signs.
  func statement(_ info: SegmentInfo, _ bytes: [UInt8], of vault: [UInt8]? = nil) -> [UInt8] {
    Array("cloudsync/1/author".utf8) + context(info, 0, of: vault) + SHA256.hash(bytes)
  }

  /// An object is not the one that its name says.
  static let misplaced = refused(.misplaced, "lies under the name of another one")

  private static func refused(_ code: SyncError.Code, _ what: String) -> SyncError {
    SyncError(
      code, "An object on the remote \(what).",
      hint:
        "It was left out, all else was taken. If it is damaged, 'cloudsync verify --remotes --repair' on the device "
        + "that wrote it mends it.")
  }
}

extension SyncError {
  /// Whether it says that an object is not what a device of the vault has stored, so that nothing is lost when another
  /// one takes its place.
  ///
  /// What only a newer version can read, or a device with more keys, is no such thing.
  var isOfForgery: Bool {
    [.forged, .misplaced, .plain, .letGo, .readOnly, .formatDamaged].contains(code)
  }
}

extension SyncError.Code {
  /// A place gave something in the place of an object that is not what a device of the vault stored.
  public static let forged = Self("crypto.forged", exit: 76)
  /// An object lies under the name of another one.
  public static let misplaced = Self("crypto.misplaced", exit: 76)
  /// A place gave something unencrypted in an encrypted vault.
  public static let plain = Self("crypto.plain", exit: 76)
  /// A device stored something after it was let go.
  public static let letGo = Self("crypto.let-go", exit: 76)
  /// A guest who may only read stored something.
  public static let readOnly = Self("crypto.read-only", exit: 76)
  /// A device of which nothing is known stored something.
  static let notIntroduced = Self("crypto.not-introduced", exit: 76)
  /// This device lacks the key of an epoch.
  static let keyMissing = Self("crypto.key-missing", exit: 77)
}
