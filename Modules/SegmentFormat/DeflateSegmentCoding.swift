import SyncCrypto
import SyncKit

/// The segment format, version 1: SHA-256 for names and checks, deflate for the payload.
///
/// The file is described byte by byte in Documentation/Formats/Segment.md.
///
/// - **Exact.** What ``changes(of:)`` gives are the bytes that ``segment(_:changes:)`` took.
/// - **Checked.** Every byte is under a SHA-256 that ends the file; a file cut anywhere is damaged.
/// - **Bounded.** A file unpacks to at most ``maximumRawLength`` bytes, and no count in it is
///   believed beyond the bytes that are there.
/// - **Repeatable.** The same changes give the same bytes with one build of zlib; another build may
///   pack them differently, which no reader minds.
public struct DeflateSegmentCoding: SegmentCoding {
  /// The most bytes of a segment's changes, a length of up to four bytes each included.
  public static let maximumRawLength = SegmentLayout.maximumRawLength

  private let level: Int32

  /// Makes a coding.
  ///
  /// - Parameter level: How hard zlib tries, 1 to 9; other values count as the nearest of these.
  public init(level: Int = Self.defaultLevel) {
    self.level = Int32(min(max(level, 1), 9))
  }

  /// The level that packs records well at a small part of the cost of writing them.
  public static let defaultLevel = 2

  public func hash(_ parts: [UnsafeRawBufferPointer]) -> ContentHash {
    var hash = SHA256()
    for part in parts { hash.update(part) }
    return hash.digest().withUnsafeBytes { bytes in
      ContentHash(
        high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
        low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
  }

  /// Makes a segment of encoded changes.
  ///
  /// - Throws: ``SyncError`` `internal.bug` when the number of changes is not the one that `info`
  ///   says, when they take more than ``maximumRawLength`` bytes together, or when a domain or zone
  ///   is not 1 to 64 of `a–z`, `0–9` and `-`.
  public func segment(_ info: SegmentInfo, changes: [[UInt8]]) throws -> Segment {
    guard info.first > 0, info.last >= info.first, info.last - info.first < UInt64(Int.max),
      Int(info.last - info.first) + 1 == changes.count
    else {
      throw SyncError(.bug, "A segment does not hold the number of changes that it states.")
    }
    guard SegmentLayout.isFolderName(info.domain), SegmentLayout.isFolderName(info.zone.text) else {
      throw SyncError(.bug, "The zone '\(info.domain)/\(info.zone)' cannot name a folder.")
    }
    let length = changes.reduce(0) { $0 + $1.count + 10 }
    var raw = ByteWriter(reserving: length)
    for change in changes { raw.write(block: change) }
    guard raw.bytes.count <= Self.maximumRawLength else {
      throw SyncError(.bug, "A segment would be larger than \(Self.maximumRawLength) bytes.")
    }

    let packed = try Deflate.pack(raw.bytes, level: level)
    let payload = packed ?? raw.bytes
    let head = SegmentHead(
      info: info, compression: packed == nil ? .stored : .deflate, rawLength: raw.bytes.count,
      payloadLength: payload.count)
    var file = ByteWriter(reserving: payload.count + 256 + 36 * info.base.heads.count)
    head.write(to: &file)
    file.write(raw: payload)
    file.write(file.bytes.withUnsafeBytes { hash([$0]) })
    return Segment(info: info, bytes: file.bytes)
  }

  public func read(_ bytes: [UInt8]) throws -> Segment {
    try bytes.withUnsafeBytes { file in
      let end = file.count - SegmentLayout.trailerLength
      guard end > 0 else { throw ByteReader.damaged("they end too early") }
      var reader = ByteReader(UnsafeRawBufferPointer(rebasing: file[end...]))
      // Before anything else: half of a newer file is not newer but not here yet.
      guard try reader.hash() == hash([UnsafeRawBufferPointer(rebasing: file[..<end])]) else {
        throw ByteReader.damaged("their checksum is wrong")
      }
      var body = ByteReader(UnsafeRawBufferPointer(rebasing: file[..<end]))
      let head = try SegmentHead(&body)
      guard body.remaining == head.payloadLength else {
        throw ByteReader.damaged("their length is not the stated one")
      }
      return Segment(info: head.info, bytes: bytes)
    }
  }

  /// Makes a sealed segment: one block, which nothing here looks into.
  ///
  /// - Throws: ``SyncError`` `internal.bug` when `info` says nothing of a seal, or of more than one block.
  package func sealed(_ info: SegmentInfo, envelope: [UInt8]) throws -> Segment {
    guard info.seal != nil, info.first == info.last, info.first > 0,
      SegmentLayout.isFolderName(info.domain), SegmentLayout.isFolderName(info.zone.text)
    else { throw SyncError(.bug, "A sealed segment is not one block under a pseudonym.") }
    let head = SegmentHead(
      info: info, compression: .stored, rawLength: envelope.count, payloadLength: envelope.count)
    var file = ByteWriter(reserving: envelope.count + 256)
    head.write(to: &file)
    file.write(raw: envelope)
    file.write(file.bytes.withUnsafeBytes { hash([$0]) })
    return Segment(info: info, bytes: file.bytes)
  }

  /// What a sealed segment holds, as it lies there.
  package func envelope(of segment: Segment) throws -> [UInt8] {
    try segment.bytes.withUnsafeBytes { file in
      var reader = ByteReader(file)
      let head = try SegmentHead(&reader)
      guard head.info.seal != nil, head.compression == .stored else {
        throw ByteReader.damaged("they are not sealed")
      }
      return Array(try reader.slice(head.payloadLength))
    }
  }

  /// - Throws: ``SyncError`` `crypto.sealed` for a sealed segment.
  public func changes(of segment: Segment) throws -> [[UInt8]] {
    guard segment.info.seal == nil else {
      throw SyncError(
        .sealed, "A segment is encrypted, and this device has no key of its vault.",
        hint:
          "Join the vault with 'cloudsync init', on a device that is in it run 'cloudsync device pair'."
      )
    }
    return try segment.bytes.withUnsafeBytes { file in
      var reader = ByteReader(file)
      let head = try SegmentHead(&reader)
      let payload = try reader.slice(head.payloadLength)
      switch head.compression {
      case .stored: return try Self.split(payload, into: head.count)
      case .deflate:
        let raw = try Deflate.unpack(payload, length: head.rawLength)
        return try raw.withUnsafeBytes { try Self.split($0, into: head.count) }
      }
    }
  }

  private static func split(_ raw: UnsafeRawBufferPointer, into count: Int) throws -> [[UInt8]] {
    var reader = ByteReader(raw)
    var changes: [[UInt8]] = []
    // The head has been checked to claim no more changes than bytes.
    changes.reserveCapacity(count)
    for _ in 0..<count { changes.append(try reader.block()) }
    guard reader.isAtEnd else { throw ByteReader.damaged("bytes are left over") }
    return changes
  }
}

extension SyncError.Code {
  /// A segment is encrypted and there is no key.
  package static let sealed = Self("crypto.sealed", exit: 77)
}
