public import SyncKit

/// An app's actions on codes; to make several one batch, use ``SyncKit/SyncStore/write(_:)``.
extension SyncStore {
  /// Maps an IATA code to an ICAO code by hand, see ``SyncKit/WriteTransaction``.
  ///
  /// - Returns: The outcome, and the verdict of the reference on the pair.
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` if a code breaks its shape or is a city's.
  @discardableResult
  public func add(
    iata: String, icao: String
  ) throws -> (outcome: WriteOutcome, check: MappingCheck) {
    try write { try $0.add(iata: iata, icao: icao, reference: airports) }.result
  }

  /// Removes the mapping of an IATA code; it stays removed until a person adds it again.
  ///
  /// - Throws: ``SyncKit/SyncError`` `record.not-found` if there is none, `input.invalid` if the
  ///   code breaks its shape.
  public func remove(iata: String) throws { try write { try $0.remove(iata: iata) } }

  /// Learns a pair of codes that the app found, unless a person has decided otherwise.
  ///
  /// - Returns: The outcome, or why nothing was written.
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` if a code breaks its shape or is a city's.
  @discardableResult
  public func learn(
    iata: String, icao: String, at position: Coordinate? = nil, isGuess: Bool = false
  ) throws -> LearningResult {
    try write {
      try $0.learn(
        iata: iata, icao: icao, at: position, isGuess: isGuess, reference: airports)
    }.result
  }

  /// The meaning of an IATA or ICAO code: the person's mapping, else the reference's airport.
  ///
  /// A code of three letters is an IATA code, one of four an ICAO code or a local one such as `CEB3`.
  /// - Returns: The answer; nil if the code is unknown.
  /// - Throws: ``SyncKit/SyncError`` `input.invalid` if the text cannot be either.
  public func lookup(_ code: String) throws -> AirportLookup? {
    if let iata = try? AirportCode.iata(code) {
      if let mapping = try mapping(of: iata) {
        return AirportLookup(mapping, reference: airports)
      }
      return airports.airport(iata: iata).map { AirportLookup($0) }
    }
    let icao: String
    do { icao = try AirportCode.icao(code, allowingLocal: true) } catch {
      throw SyncError(.inputInvalid, "That is neither an IATA nor an ICAO code. \(error)")
    }
    if let mapping = try sortedMappings().first(where: { $0.icao == icao }) {
      return AirportLookup(mapping, reference: airports)
    }
    return airports.airport(ident: icao).map { AirportLookup($0) }
  }

  /// The meanings of the codes of a roster, in the order of their first appearance.
  ///
  /// Reads the mappings once, whatever the length of the roster, and writes nothing.
  public func resolve(_ roster: RosterReader) throws -> [CodeResolution] {
    let resolver = CodeResolver(try sortedMappings(), reference: airports)
    return roster.codes.map { resolver.resolve($0) }
  }

  /// The ICAO code of an IATA code: the person's, else the reference's; nil if neither has one.
  public func icao(for iata: String) throws -> String? {
    guard let iata = try? AirportCode.iata(iata) else { return nil }
    return try mapping(of: iata)?.icao ?? airports.airport(iata: iata)?.icao
  }

  /// All mappings by IATA code.
  public func sortedMappings() throws -> [AirportMapping] {
    try records(.mapping).compactMap { AirportMapping($0) }
  }

  private func mapping(of iata: String) throws -> AirportMapping? {
    let key = RecordKey(collection: .mapping, id: RecordID(iata))
    return try record(key).flatMap { AirportMapping($0) }
  }

  /// The reference of the store's domain.
  private var airports: AirportReference { (domain as? AirportsDomain)?.reference ?? .shared }
}
