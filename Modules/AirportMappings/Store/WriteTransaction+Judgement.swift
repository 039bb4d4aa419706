public import SyncKit

/// What a person says about codes beside the mappings themselves.
extension WriteTransaction {
  /// Says that a pair of codes is wrong: it is not learned again, and no mapping keeps it.
  ///
  /// A mapping to that ICAO code is removed, whoever made it; then only a person can map the IATA code
  /// again. A mapping to another code stays. ``add(iata:icao:reference:)`` of the pair takes the
  /// rejection back.
  ///
  /// - Returns: Whether the pair was rejected before, and whether a mapping went.
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` if a code breaks its shape.
  @discardableResult
  public func reject(
    iata: String, icao: String
  ) throws -> (outcome: WriteOutcome, removedMapping: Bool) {
    let pair = try MappingRules.rejected(iata: iata, icao: icao)
    let key = RecordKey.rejection(of: pair)
    let isKnown = try record(key)?.isDeleted == false
    let outcome =
      isKnown ? .unchanged : try save(RecordDraft(.rejection, id: key.id, fields: [:])).outcome
    let mapping = RecordKey(collection: .mapping, id: Name(pair.iata))
    guard let present = try record(mapping), !present.isDeleted,
      present[.icao].string == pair.icao
    else { return (outcome, false) }
    try delete(mapping)
    return (outcome, true)
  }

  /// Remembers codes that nobody could resolve, so that every device can ask for them.
  ///
  /// The day it was first seen stays. That it was seen again is written once a day at most, and by the
  /// way, so that reading the same roster again changes nothing and revives nothing.
  ///
  /// - Parameters:
  ///   - codes: IATA codes as typed; what has not the shape of one is passed over.
  ///   - time: Milliseconds since 1970.
  /// - Returns: The codes that are remembered now, normalised and ascending.
  /// - Throws: ``SyncKit/SyncError`` as a write does.
  @discardableResult
  public func noteUnknown(_ codes: some Sequence<String>, at time: Int64) throws -> [String] {
    let codes = Set(codes.compactMap { try? AirportCode.iata($0) }).sorted()
    for code in codes {
      let key = RecordKey.unknown(iata: code)
      let known = try record(key)
      guard let known, !known.isDeleted else {
        try save(
          RecordDraft(
            .unknown, id: key.id,
            fields: [.firstSeen: .instant(time), .lastSeen: .instant(time)]))
        continue
      }
      guard time - (known[.lastSeen].instant ?? 0) >= Self.day else { continue }
      try save(
        RecordDraft(
          .unknown, id: key.id, fields: [.lastSeen: .instant(time)], isNew: false, weight: .touch))
    }
    return codes
  }

  /// Notes that mappings were used, once a day at most and by the way.
  ///
  /// - Parameters:
  ///   - codes: IATA codes as typed; those without a mapping are passed over.
  ///   - time: Milliseconds since 1970.
  /// - Throws: ``SyncKit/SyncError`` as a write does.
  public func noteUse(of codes: some Sequence<String>, at time: Int64) throws {
    for code in Set(codes.compactMap { try? AirportCode.iata($0) }).sorted() {
      let key = RecordKey(collection: .mapping, id: Name(code))
      guard let mapping = try record(key), !mapping.isDeleted,
        time - (mapping[.lastUsed].instant ?? 0) >= Self.day
      else { continue }
      try save(
        RecordDraft(
          .mapping, id: key.id, fields: [.lastUsed: .instant(time)], isNew: false, weight: .touch))
    }
  }

  /// Takes back what stood against a pair that is mapped now: that it was rejected, or unknown.
  func settle(iata: String, icao: String, byPerson: Bool) throws {
    let rejection = RecordKey.rejection(of: (iata, icao))
    if byPerson, try record(rejection)?.isDeleted == false { try delete(rejection) }
    let unknown = RecordKey.unknown(iata: iata)
    if try record(unknown)?.isDeleted == false { try delete(unknown) }
  }

  private static var day: Int64 { 86_400_000 }
}

extension RecordKey {
  /// The rejection of a pair of normalised codes.
  static func rejection(of pair: (iata: String, icao: String)) -> RecordKey {
    RecordKey(collection: .rejection, id: .rejection(iata: pair.iata, icao: pair.icao))
  }
}
