public import SyncKit

/// A person's mapping of an IATA code: its ICAO code, and the evidence for it.
///
/// A view of a ``SyncKit/Record`` for reading. Fields that it does not name stay in the record, since
/// writes name the fields they mean.
public struct AirportMapping: Hashable, Identifiable, Sendable {
  /// The IATA code, the record's id.
  public let iata: String
  /// The ICAO code.
  public let icao: String
  /// The source of the ICAO code; nil for one of a newer version.
  public let source: MappingSource?
  /// Whether an app learned the code without asking.
  public let learnedAutomatically: Bool
  /// Whether the airport was found at the position where it was expected.
  public let verifiedByCoordinates: Bool
  /// The day of the reference's release that confirmed the pair, such as `2026-09-05`.
  public let referenceDate: String?
  /// Milliseconds since 1970 of the first creation that is known, that of an imported file included.
  public let created: Int64
  /// Milliseconds since 1970 of the last write.
  public let modified: Int64
  /// Milliseconds since 1970 of the last use; nil if none is known.
  public let lastUsed: Int64?
  /// The device that wrote last.
  public let device: DeviceName
  /// Whether devices disagree about the code; the shown one is the better founded.
  public let isConflicted: Bool

  public var id: String { iata }

  /// Whether a position or a person who has checked it vouches for the pair, and no device disagrees.
  public var isVerified: Bool {
    (verifiedByCoordinates || source == .verified) && !isConflicted
  }

  /// Reads a record; nil if it is not a mapping, is deleted or has no ICAO code.
  public init?(_ record: Record) {
    guard record.key.collection == .mapping, !record.isDeleted, let icao = record[.icao].string
    else { return nil }
    iata = record.key.id.text
    self.icao = icao
    source = record[.source].string.map { MappingSource(rawValue: $0) } ?? .manual
    learnedAutomatically = record[.learnedAutomatically].bool ?? false
    verifiedByCoordinates = record[.verifiedByCoordinates].bool ?? false
    referenceDate = record[.referenceDate].string
    created = min(record.created, record[.created].instant ?? .max)
    modified = record.modified
    lastUsed = record[.lastUsed].instant
    device = record.device
    isConflicted = record.conflicts.contains("code")
  }

  /// How well founded the code is; the lowest number is the best.
  var rank: Int {
    verifiedByCoordinates
      ? MappingSource.verified.rank : source?.rank ?? MappingSource.allCases.count
  }
}
