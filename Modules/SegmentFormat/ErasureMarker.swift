import SyncKit

/// The file by which a replica says that it has removed a withdrawn zone:
/// `<zone>/erased-<replica>` below the domain's folder, or `<zone>_erased-<replica>` (``BlobArrangement``).
struct ErasureMarker: Hashable {
  private static let start = "erased-"

  let zone: ZoneID
  let replica: ReplicaID

  init(zone: ZoneID, replica: ReplicaID) {
    self.zone = zone
    self.replica = replica
  }

  /// Reads a path below the domain's folder; what a provider adds to the name of a copy is ignored.
  init?(path: some StringProtocol) {
    let path = path.lowercased()
    let last = RemoteFileName.lastPart(path)
    let whole = path.dropLast(last.count) + RemoteFileName.uncovered(String(last))
    let parts = whole.split(
      maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { "/_".contains($0) })
    guard parts.count == 2, SegmentLayout.isFolderName(String(parts[0])),
      parts[1].hasPrefix(Self.start)
    else { return nil }
    let id = parts[1].dropFirst(Self.start.count).prefix(26)
    guard id.utf8.count == 26, !parts[1].contains("/"), let replica = ReplicaID(String(id)) else {
      return nil
    }
    self.init(zone: ZoneID(String(parts[0])), replica: replica)
  }

  /// No marker is longer.
  static let limit = 1 << 20
  private static let heading = "cloudsync 1 erased\n"

  /// What a marker holds: what the replica keeps, and an end, by which half a marker is recognised.
  static func content(keeping kept: VersionVector) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(kept)
    let digits = writer.bytes.map { byte in
      let text = String(byte, radix: 16)
      return byte < 16 ? "0\(text)" : text
    }
    return Array("\(heading)kept \(digits.joined())\nend\n".utf8)
  }

  /// What a marker says; nil when it is not all here or no marker.
  static func kept(_ bytes: [UInt8]) -> VersionVector? {
    guard let text = String(validating: bytes, as: UTF8.self), text.hasPrefix(heading),
      text.hasSuffix("\nend\n")
    else { return nil }
    let words = text.dropFirst(heading.count).split(whereSeparator: \.isWhitespace)
    guard words.count == 3, words[0] == "kept", words[1].utf8.count.isMultiple(of: 2) else {
      return nil
    }
    let digits = Array(words[1].utf8)
    var vector: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      let pair = String(decoding: digits[index..<index + 2], as: UTF8.self)
      guard let byte = UInt8(pair, radix: 16) else { return nil }
      vector.append(byte)
    }
    return try? vector.reading { try $0.vector() }
  }

  /// The path below the domain's folder.
  func path(_ arrangement: BlobArrangement) -> String {
    arrangement.path(["\(zone)", "\(Self.start)\(replica)"])
  }
}
