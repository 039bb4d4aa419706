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

extension CollectionName {
  static let mapping: CollectionName = "mapping"
  static let unknown: CollectionName = "unknown"
  static let rejection: CollectionName = "rejection"
}

extension FieldName {
  static let iata: FieldName = "iata"
  static let icao: FieldName = "icao"
  static let source: FieldName = "source"
  static let learnedAutomatically: FieldName = "learnedAutomatically"
  static let verifiedByCoordinates: FieldName = "verifiedByCoordinates"
  static let referenceDate: FieldName = "referenceDate"
  static let created: FieldName = "created"
  static let lastUsed: FieldName = "lastUsed"
  static let firstSeen: FieldName = "firstSeen"
  static let lastSeen: FieldName = "lastSeen"
}

extension RecordID {
  /// The id of the rejection of a pair of normalised codes.
  static func rejection(iata: String, icao: String) -> RecordID { RecordID("\(iata)-\(icao)") }
}

extension RecordKey {
  /// The record of a mapping, by its IATA code as typed.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` if it does not have the shape of one.
  public static func mapping(iata: String) throws -> RecordKey { try MappingRules.key(iata: iata) }

  /// The record that remembers a normalised IATA code as unknown.
  public static func unknown(iata: String) -> RecordKey {
    RecordKey(collection: .unknown, id: RecordID(iata))
  }

  /// The rejection of a pair of codes as typed.
  ///
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` if a code breaks its shape.
  public static func rejection(iata: String, icao: String) throws -> RecordKey {
    .rejection(of: try MappingRules.rejected(iata: iata, icao: icao))
  }
}
