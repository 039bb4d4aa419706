import SyncKit

/// All of a segment file that stands before its payload.
struct SegmentHead {
  /// What the file says about its content.
  var info: SegmentInfo
  /// How the payload is packed.
  var compression: SegmentCompression
  /// The length of the payload once it is unpacked.
  var rawLength: Int
  /// The length of the payload in the file.
  var payloadLength: Int

  /// How many changes the payload holds.
  var count: Int { Int(info.last - info.first) + 1 }

  func write(to writer: inout ByteWriter) {
    writer.write(raw: SegmentLayout.magic)
    writer.write(varint: SegmentLayout.version)
    let features = info.series.isSnapshot ? [SegmentLayout.snapshotFeature] : []
    writer.write(count: features.count)
    for feature in features { writer.write(text: feature) }
    writer.write(varint: info.seal?.epoch ?? 0)
    writer.write(byte: info.seal?.suite ?? 0)
    writer.write(count: 0)  // author signature
    writer.write(count: 0)  // blob references
    writer.write(text: info.domain)
    writer.write(text: info.zone.text)
    writer.write(fixed: info.series.high)
    writer.write(fixed: info.series.low)
    writer.write(varint: info.first)
    writer.write(varint: info.last - info.first)
    writer.write(info.previous)
    writer.write(info.head)
    writer.write(info.base)
    writer.write(count: info.operations)
    writer.write(count: info.deletions)
    writer.write(fixed: info.newest)
    writer.write(byte: compression.rawValue)
    writer.write(count: rawLength)
    writer.write(count: payloadLength)
  }
}

extension SegmentHead {
  /// Reads a head; the reader stands at the payload afterwards.
  ///
  /// - Throws: ``SyncError`` `format.newer` for a version or a feature that is not known,
  ///   `format.damaged` for anything else that is not a head.
  init(_ reader: inout ByteReader) throws {
    guard try reader.slice(SegmentLayout.magic.count).elementsEqual(SegmentLayout.magic) else {
      throw ByteReader.damaged("they are not a segment")
    }
    let version = try reader.varint()
    guard version > 0 else { throw ByteReader.damaged("version 0 does not exist") }
    guard version <= SegmentLayout.version else { throw Self.newer("is in version \(version)") }
    var isSnapshot = false
    for _ in 0..<(try reader.count()) {
      let feature = try reader.text(limit: SegmentLayout.featureNameLimit)
      guard SegmentLayout.knownFeatures.contains(feature) else {
        throw Self.newer("needs the feature \(feature.debugDescription)")
      }
      if feature == SegmentLayout.snapshotFeature { isSnapshot = true }
    }
    let epoch = try reader.varint()
    let cipher = try reader.byte()
    guard (epoch == 0) == (cipher == 0) else {
      throw ByteReader.damaged("a key and a cipher go together")
    }
    // A signature or references that no required feature announces may be passed over.
    _ = try reader.slice(reader.count())
    _ = try reader.slice(reader.count())

    info = try SegmentInfo(&reader)
    if cipher != 0 { info.seal = SegmentSeal(epoch: epoch, suite: cipher) }
    // What says in its name that it is a snapshot must be one, and nothing else may be.
    guard isSnapshot == info.series.isSnapshot else {
      throw ByteReader.damaged(
        "a snapshot has the name of a series, or changes have that of a snapshot")
    }
    guard let compression = SegmentCompression(rawValue: try reader.byte()) else {
      throw Self.newer("is packed in an unknown way")
    }
    self.compression = compression
    let raw = try reader.varint()
    let payload = try reader.varint()
    guard raw <= UInt64(SegmentLayout.maximumRawLength), payload <= raw else {
      throw ByteReader.damaged("their content is too large")
    }
    guard info.last - info.first < raw else {
      throw ByteReader.damaged("they hold more changes than bytes")
    }
    switch compression {
    case .stored:
      guard payload == raw else { throw ByteReader.damaged("two lengths differ") }
    case .deflate:
      guard raw <= (payload + 1) * UInt64(SegmentLayout.maximumRatio) else {
        throw ByteReader.damaged("they claim to unpack to more than is possible")
      }
    }
    rawLength = Int(raw)
    payloadLength = Int(payload)
  }

  private static func newer(_ what: String) -> SyncError {
    SyncError(
      .formatNewer, "A segment \(what) and can only be read by a newer version of cloudsync.",
      hint: "Upgrade cloudsync on this device.")
  }
}

extension SegmentInfo {
  fileprivate init(_ reader: inout ByteReader) throws {
    let domain = try reader.text(limit: 64)
    let zone = ZoneID(try reader.text(limit: 64))
    guard SegmentLayout.isFolderName(domain), SegmentLayout.isFolderName(zone.text) else {
      throw ByteReader.damaged("a domain or zone has no valid name")
    }
    let series = ReplicaID(high: try reader.fixed(), low: try reader.fixed())
    let first = try reader.varint()
    let (last, isTooLarge) = first.addingReportingOverflow(try reader.varint())
    guard first > 0, !isTooLarge, last <= Dot.maximumNumber else {
      throw ByteReader.damaged("they are numbered wrongly")
    }
    self.init(
      domain: domain, zone: zone, series: series, first: first, last: last,
      previous: try reader.hash(), head: try reader.hash(), base: try reader.vector(),
      operations: Int(clamping: try reader.varint()),
      deletions: Int(clamping: try reader.varint()), newest: try reader.fixed())
  }
}
