import ReadableDocuments
import SyncCrypto
import SyncKit

/// The id of a record in the app's file: a UUID, whatever the record's own id.
enum PublishedID {
  /// The id in the file.
  static func text(of record: DocumentRecord) -> String {
    if let id = record.fields[.appId]?.string, !id.isEmpty { return id }
    if isUUID(record.id.text) { return record.id.text }
    // A name-based UUID: the same on every device.
    let name = Array("cloudsync media\u{0}\(record.collection)\u{0}\(record.id)".utf8)
    var bytes = Array(SHA256.hash(name).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    var text = ""
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text += "-" }
      text += (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
    return text
  }

  /// The id for a new record of the file.
  static func record(
    _ id: String, _ collection: CollectionName, _ fields: [FieldName: Value], in parent: RecordID?
  ) -> RecordID {
    switch collection {
    case .item:
      guard let parent, let type = fields[.mediaType]?.string else { break }
      return MediaID.MediaType(rawValue: type).flatMap {
        MediaID.item(
          in: parent, type: $0, tmdb: fields[.tmdbId]?.int, imdb: fields[.imdbId]?.string)
      } ?? RecordID(id)
    case .episode:
      guard let parent, let season = fields[.season]?.int, let number = fields[.number]?.int
      else { break }
      return MediaID.episode(of: parent, season: season, number: number)
    default: break
    }
    return RecordID(id)
  }

  /// Whether a record must remember its id in the file.
  static func isNeeded(_ id: String, for record: RecordID) -> Bool {
    record != RecordID(id) || !isUUID(id)
  }

  private static func isUUID(_ text: String) -> Bool {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && text.utf8.allSatisfy {
        $0 == UInt8(ascii: "-") || Character(Unicode.Scalar($0)).isHexDigit
      }
  }
}
