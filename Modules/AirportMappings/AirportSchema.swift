public import SyncKit

extension DomainSchema {
  /// The collections of the domain `airports`.
  ///
  /// | Collection | Id | Holds |
  /// |---|---|---|
  /// | `mapping` | IATA code | the ICAO code, its source, its last use |
  /// | `unknown` | IATA code | a code of a roster that could not be resolved |
  /// | `rejection` | IATA code, `-`, ICAO code | a pair that must not be learned again |
  ///
  /// The ICAO code and its evidence are one group, kept or lost as a whole. Of concurrent groups the
  /// better founded one is shown (``MappingSource``), among equals the newest; an unpublished edit is
  /// overridden by a remote one and stays in the history.
  public static let airports = DomainSchema(
    "airports",
    [
      RecordType(
        .mapping,
        fields: [
          .group(
            "code", policy: RankPolicy { MappingSource.rank(of: $0) }, rebase: .remoteWins,
            [
              Field(.icao, .string),
              Field(.source, .string),
              Field(.learnedAutomatically, .bool),
              Field(.verifiedByCoordinates, .bool),
              Field(.referenceDate, .string),
            ]),
          Field(.created, .instant, policy: ExtremePolicy.min),
          Field(.lastUsed, .instant, policy: ExtremePolicy.max, weight: .touch),
        ]),
      RecordType(
        .unknown, deleteRule: .deleteWins,
        fields: [
          Field(.firstSeen, .instant, policy: ExtremePolicy.min),
          Field(.lastSeen, .instant, policy: ExtremePolicy.max, weight: .touch),
        ]),
      RecordType(.rejection, deleteRule: .deleteWins, fields: []),
    ])
}

extension Name {
  static let mapping: Name = "mapping"
  static let unknown: Name = "unknown"
  static let rejection: Name = "rejection"

  static let iata: Name = "iata"
  static let icao: Name = "icao"
  static let source: Name = "source"
  static let learnedAutomatically: Name = "learnedAutomatically"
  static let verifiedByCoordinates: Name = "verifiedByCoordinates"
  static let referenceDate: Name = "referenceDate"
  static let created: Name = "created"
  static let lastUsed: Name = "lastUsed"
  static let firstSeen: Name = "firstSeen"
  static let lastSeen: Name = "lastSeen"

  /// The id of the rejection of a pair of normalised codes.
  static func rejection(iata: String, icao: String) -> Name { Name("\(iata)-\(icao)") }
}

extension RecordKey {
  /// The record of a mapping, by its IATA code as typed.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` if it does not have the shape of one.
  public static func mapping(iata: String) throws -> RecordKey { try MappingRules.key(iata: iata) }

  /// The record that remembers a normalised IATA code as unknown.
  public static func unknown(iata: String) -> RecordKey {
    RecordKey(collection: .unknown, id: Name(iata))
  }

  /// The rejection of a pair of codes as typed.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` if a code breaks its shape.
  public static func rejection(iata: String, icao: String) throws -> RecordKey {
    .rejection(of: try MappingRules.rejected(iata: iata, icao: icao))
  }
}
