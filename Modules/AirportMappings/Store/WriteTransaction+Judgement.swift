public import SyncKit

/// A person's judgement of codes, apart from the mappings.
extension WriteTransaction {
  /// Rejects a pair of codes as wrong: it is not learned again, and no mapping keeps it.
  ///
  /// A mapping to that ICAO code is removed, whoever made it; then only a person can map the IATA
  /// code again. A mapping to another code stays. ``add(iata:icao:reference:)`` with the same pair
  /// cancels the rejection.
  ///
  /// - Returns: Whether the pair was rejected before, and whether a mapping was removed.
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
    let mapping = RecordKey(collection: .mapping, id: RecordID(pair.iata))
    guard let present = try record(mapping), !present.isDeleted,
      present[.icao].string == pair.icao
    else { return (outcome, false) }
    try delete(mapping)
    return (outcome, true)
  }

  /// Records codes that could not be resolved, so that every device can ask for them.
  ///
  /// The first day stays. A later one is written once a day at most, and as a touch, so that reading
  /// the same roster again changes nothing and revives nothing.
  ///
  /// - Parameters:
  ///   - codes: IATA codes as typed; texts of another shape are skipped.
  ///   - time: Milliseconds since 1970.
  /// - Returns: The recorded codes, normalised and ascending.
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

  /// Records the use of mappings, once a day at most and as a touch.
  ///
  /// - Parameters:
  ///   - codes: IATA codes as typed; those without a mapping are skipped.
  ///   - time: Milliseconds since 1970.
  /// - Throws: ``SyncKit/SyncError`` as a write does.
  public func noteUse(of codes: some Sequence<String>, at time: Int64) throws {
    for code in Set(codes.compactMap { try? AirportCode.iata($0) }).sorted() {
      let key = RecordKey(collection: .mapping, id: RecordID(code))
      guard let mapping = try record(key), !mapping.isDeleted,
        time - (mapping[.lastUsed].instant ?? 0) >= Self.day
      else { continue }
      try save(
        RecordDraft(
          .mapping, id: key.id, fields: [.lastUsed: .instant(time)], isNew: false, weight: .touch))
    }
  }

  /// Removes the rejection of a pair that is mapped now, and the record of its code as unknown.
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
