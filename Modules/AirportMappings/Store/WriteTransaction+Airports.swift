public import SyncKit

extension WriteTransaction {
  /// Maps an IATA code to an ICAO code by hand.
  ///
  /// The same code again changes nothing; another one replaces the old code and all that was known of
  /// it. A pair that the reference contradicts or does not know is written, since a person may know
  /// better; the returned check lets the caller warn. A rejection of the pair, or a record of the
  /// code as unknown, is removed.
  ///
  /// - Returns: The outcome, and the verdict of the reference on the pair.
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` if a code breaks its shape or is a city's.
  @discardableResult
  public func add(
    iata: String, icao: String, reference: AirportReference = .shared
  ) throws -> (outcome: WriteOutcome, check: MappingCheck) {
    let check = try MappingRules.check(iata: iata, icao: icao, reference)
    let draft = RecordDraft(
      .mapping, id: RecordID(check.iata), fields: [.icao: .string(check.icao)])
    let outcome = try save(draft).outcome
    try settle(iata: check.iata, icao: check.icao, byPerson: true)
    return (outcome, check)
  }

  /// Removes the mapping of an IATA code; it stays removed until a person adds it again.
  ///
  /// - Throws: ``SyncKit/SyncError`` `record.not-found` if there is none, `input.invalid` if the
  ///   code breaks its shape.
  public func remove(iata: String) throws { try delete(.mapping(iata: iata)) }

  /// Learns a pair of codes that an app found, without asking a person.
  ///
  /// Writes a touch, so that a concurrent removal on any device wins. A pair that the
  /// reference does not confirm, or about which a person has decided otherwise, is refused; see
  /// ``LearningResult/Refusal``. A known pair gains what it lacks: the verification,
  /// or a better source than a guess.
  ///
  /// - Parameters:
  ///   - iata: The IATA code as typed.
  ///   - icao: The ICAO code as typed.
  ///   - position: Where the airport was seen; within 5 km of the airport it verifies the pair, more
  ///     than 20 km away it refuses it.
  ///   - isGuess: Whether the pair comes from a pattern, see ``CodeGuess``.
  ///   - reference: The airports to check against.
  /// - Returns: The outcome, or why nothing was written.
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` if a code breaks its shape or is a city's.
  @discardableResult
  public func learn(
    iata: String, icao: String, at position: Coordinate? = nil, isGuess: Bool = false,
    reference: AirportReference = .shared
  ) throws -> LearningResult {
    let check = try MappingRules.check(iata: iata, icao: icao, reference)
    guard check.standing == .confirmed, let airport = check.airport else {
      return .refused(.doubtful(check))
    }
    let coordinates = position.map { CoordinateCheck($0, for: airport, reference: reference) }
    if let coordinates, coordinates.band == .rejected { return .refused(.position(coordinates)) }
    if try record(.rejection(of: (check.iata, check.icao)))?.isDeleted == false {
      return .refused(.rejected(check))
    }
    let claim = LearnedCode(
      check: check, source: isGuess ? .guessed : .learned,
      isVerified: coordinates?.band == .verified)
    let present = try record(RecordKey(collection: .mapping, id: RecordID(check.iata)))
    if present?.isDeleted == true { return .refused(.removed(check)) }
    let mapping = present.flatMap { AirportMapping($0) }
    if let mapping, !claim.mayReplace(mapping) { return .refused(.kept(mapping)) }
    let draft = RecordDraft(
      .mapping, id: RecordID(check.iata), fields: claim.fields(over: mapping), weight: .touch)
    let outcome = try save(draft).outcome
    try settle(iata: check.iata, icao: check.icao, byPerson: false)
    return .written(outcome, check)
  }
}
