import SyncKit

/// An ICAO code to be learned: whether it may replace a mapping, and how.
struct LearnedCode {
  /// The pair, confirmed by the reference.
  let check: MappingCheck
  /// `learned` or `guessed`.
  let source: MappingSource
  /// Whether the airport was seen at its position.
  let isVerified: Bool

  /// Whether the code may be written over a mapping.
  ///
  /// It never replaces another code that a person stated or a position verified, nor a better
  /// founded one, nor one that devices disagree about.
  func mayReplace(_ mapping: AirportMapping) -> Bool {
    if mapping.icao == check.icao { return true }
    guard mapping.source?.isAutomatic == true, !mapping.verifiedByCoordinates,
      !mapping.isConflicted
    else { return false }
    return isVerified || source.rank <= mapping.rank
  }

  /// The fields to write: all of them, or those that a mapping to the same code lacks.
  func fields(over mapping: AirportMapping?) -> [FieldName: Value] {
    // Any write of the code would end a disagreement, which only a person may do.
    if mapping?.isConflicted == true { return [:] }
    var fields: [FieldName: Value] = [
      .icao: .string(check.icao), .source: .string(source.rawValue), .learnedAutomatically: true,
      .verifiedByCoordinates: .bool(isVerified), .referenceDate: .string(check.referenceDate),
    ]
    guard let mapping, mapping.icao == check.icao else { return fields }
    fields[.learnedAutomatically] = nil
    if mapping.source != .guessed { fields[.source] = nil }
    if mapping.verifiedByCoordinates { fields[.verifiedByCoordinates] = nil }
    // A newer release with the same answer is no reason to write.
    if mapping.referenceDate != nil { fields[.referenceDate] = nil }
    return fields
  }
}
